// The agent loop over loopback, without a tool and with 1 and 5 calls of one: the engine against a bare `fetch` loop, then everyone else against the same loop.
// Each contestant is a process of its own. Slices of runs go in turn through all of them, and the order turns around with each slice, so that what disturbs
// the machine disturbs all. The figure is the median of the rounds' ratios, with a 95 % interval by bootstrap of the rounds.
// The pair is measured twice: in slices of 250 runs, which is a process at work, and in slices of ten, each of which begins with caches that the other process has filled.
import { bootstrapInterval } from '../metrics/bootstrap.ts';
import type { LoopContestantName } from './loop/contestants.ts';
import type { LoopCost } from './loop-child.ts';
import { MeasuringChild } from './measuring-child.ts';
import { medianOf } from './median.ts';
import type { Section } from './section.ts';
import { spawnServer } from './spawned-server.ts';

export interface LoopFigure {
  readonly contestant: string;
  readonly toolCalls: number;
  readonly rounds: number;
  readonly runsPerRound: number;
  /** In a row, before another process has its turn. */
  readonly runsPerSlice: number;
  readonly msPerRun: number;
  readonly cpuMsPerRun: number;
  /** Over the bare loop in the same rounds. */
  readonly wall: Ratio;
  readonly cpu: Ratio;
}

interface Ratio {
  readonly median: number;
  readonly low?: number;
  readonly high?: number;
}

export interface LoopFailure {
  readonly contestant: string;
  readonly toolCalls: number;
  readonly reason: string;
}

export interface LoopFigures {
  readonly figures: readonly LoopFigure[];
  readonly failures: readonly LoopFailure[];
}

interface Entry {
  readonly name: LoopContestantName;
  readonly runsPerSlice: number;
}

interface Plan {
  readonly entries: readonly Entry[];
  readonly rounds: number;
  readonly slicesPerRound: number;
  /** Processes are replaced this often, so that no figure hangs on how one process was laid out in memory. */
  readonly generations: number;
  readonly warmUpMs: number;
}

const FLOOR = 'bare fetch';
const OTHERS: readonly LoopContestantName[] = ['openai client', 'LangChain', 'LangGraph', 'LlamaIndex', 'OpenAI Agents SDK'];
const DEADLINE_MS = 60_000;

export const agentLoopSection: Section<LoopFigures> = {
  name: 'agentLoop',
  measures: 'agent loop over loopback, 0, 1 and 5 tool calls, against a bare fetch loop; then the other frameworks against it',
  takes: '7 minutes, quick 40 seconds',
  measure: async ({ quick, say }) => {
    // The pair alone first: other processes in the turn would leave the caches to it cold.
    const processes = quick ? { generations: 1, warmUpMs: 500 } : { generations: 3, warmUpMs: 4_000 };
    const pair = (runsPerSlice: number, rounds: number, slicesPerRound: number): Plan => ({
      entries: ([FLOOR, 'engine'] as const).map((name) => ({ name, runsPerSlice })),
      rounds,
      slicesPerRound,
      ...processes,
    });
    const field: Plan = {
      entries: [{ name: FLOOR, runsPerSlice: 10 }, ...OTHERS.map((name) => ({ name, runsPerSlice: 4 }))],
      ...(quick ? { rounds: 3, slicesPerRound: 2, generations: 1, warmUpMs: 300 } : { rounds: 30, slicesPerRound: 5, generations: 2, warmUpMs: 2_000 }),
    };
    const plans = quick ? [pair(50, 8, 2), pair(10, 8, 5), field] : [pair(250, 36, 2), pair(10, 36, 20), field];
    const server = await spawnServer('bench/scripted-model');
    try {
      const all: LoopFigures[] = [];
      for (const plan of plans) {
        for (const toolCalls of [0, 1, 5]) {
          say(`agentLoop: ${toolCalls} tool calls, ${plan.entries.map(({ name, runsPerSlice }) => `${name} × ${runsPerSlice}`).join(', ')}`);
          all.push(await measurePlan(plan, `${server.origin}/tools-${toolCalls}/v1`, toolCalls));
        }
      }
      return { figures: all.flatMap(({ figures }) => figures), failures: all.flatMap(({ failures }) => failures) };
    } finally {
      server.stop();
    }
  },
  textOf: ({ figures, failures }) => [
    'agent loop over loopback: median ratio to a bare fetch loop in the same rounds [95 %], and what a run costs',
    ...figures.map(({ contestant, toolCalls, wall, cpu, msPerRun, cpuMsPerRun, rounds, runsPerRound, runsPerSlice }) => {
      const ratios = contestant === FLOOR ? '' : `wall ${ratioText(wall)}  CPU ${ratioText(cpu)}  `;
      const costs = `${msPerRun.toFixed(3)} ms, CPU ${cpuMsPerRun.toFixed(3)} ms  (${rounds} rounds of ${runsPerRound}, in slices of ${runsPerSlice})`;
      return `  ${headOf(contestant, toolCalls)}${ratios}${costs}`;
    }),
    ...failures.map(({ contestant, toolCalls, reason }) => `  ${headOf(contestant, toolCalls)}${reason}`),
  ],
};

function headOf(contestant: string, toolCalls: number): string {
  return `${`${toolCalls} call${toolCalls === 1 ? '' : 's'}`.padEnd(9)}${contestant.padEnd(19)}`;
}

function ratioText({ median, low, high }: Ratio): string {
  const interval = low === undefined || high === undefined ? '' : ` [${low.toFixed(3)}, ${high.toFixed(3)}]`;
  return `× ${median.toFixed(3)}${interval}`;
}

async function measurePlan(plan: Plan, baseUrl: string, toolCalls: number): Promise<LoopFigures> {
  const costs = new Map<Entry, LoopCost[]>(plan.entries.map((entry) => [entry, []]));
  const failures = new Map<Entry, string>();
  for (let generation = 0; generation < plan.generations; generation++) {
    const running = plan.entries.filter((entry) => !failures.has(entry));
    const children = new Map(running.map((entry) => [entry, new MeasuringChild('bench/loop-child', [entry.name, baseUrl], { deadlineMs: DEADLINE_MS })]));
    const drop = (entry: Entry, reason: string) => {
      failures.set(entry, reason);
      children.delete(entry);
    };
    try {
      for (const [entry, child] of children) await warmUp(child, plan.warmUpMs, (reason) => drop(entry, reason));
      for (let round = 0; round < plan.rounds / plan.generations; round++) {
        for (const [entry, cost] of await measureRound(children, plan.slicesPerRound, drop)) costs.get(entry)?.push(cost);
      }
    } finally {
      for (const child of children.values()) child.end();
    }
  }
  const [floor] = plan.entries;
  const floorCosts = (floor === undefined ? undefined : costs.get(floor)) ?? [];
  const figures = plan.entries
    .filter((entry) => !failures.has(entry))
    .map((entry) => figureOf(entry, toolCalls, plan.slicesPerRound, costs.get(entry) ?? [], floorCosts));
  return { figures, failures: [...failures].map(([{ name }, reason]) => ({ contestant: name, toolCalls, reason })) };
}

/** The same time for all, whatever a run takes. */
async function warmUp(child: MeasuringChild, forMs: number, drop: (reason: string) => void): Promise<void> {
  for (let spentMs = 0; spentMs < forMs; ) {
    const outcome = await child.ask<LoopCost>('5');
    if (!outcome.ok) return drop(outcome.reason);
    spentMs += outcome.value.wallMs;
  }
}

/** What each spent for a run. One that fails on the way is left out of the round. */
async function measureRound(
  children: ReadonlyMap<Entry, MeasuringChild>,
  slices: number,
  drop: (entry: Entry, reason: string) => void,
): Promise<Map<Entry, LoopCost>> {
  const spent = new Map([...children.keys()].map((entry) => [entry, { wallMs: 0, cpuMs: 0 }]));
  for (let slice = 0; slice < slices; slice++) {
    const order = slice % 2 === 0 ? [...children] : [...children].reverse();
    for (const [entry, child] of order) {
      const outcome = await child.ask<LoopCost>(String(entry.runsPerSlice));
      const sum = spent.get(entry);
      if (!outcome.ok) {
        spent.delete(entry);
        drop(entry, outcome.reason);
      } else if (sum !== undefined) {
        sum.wallMs += outcome.value.wallMs / (slices * entry.runsPerSlice);
        sum.cpuMs += outcome.value.cpuMs / (slices * entry.runsPerSlice);
      }
    }
  }
  return spent;
}

function figureOf(
  { name, runsPerSlice }: Entry,
  toolCalls: number,
  slicesPerRound: number,
  costs: readonly LoopCost[],
  floor: readonly LoopCost[],
): LoopFigure {
  const ratio = (measure: keyof LoopCost) => ratioOf(costs.map((cost, round) => cost[measure] / (floor[round]?.[measure] ?? Number.NaN)));
  return {
    contestant: name,
    toolCalls,
    rounds: costs.length,
    runsPerRound: slicesPerRound * runsPerSlice,
    runsPerSlice,
    msPerRun: medianOf(costs.map(({ wallMs }) => wallMs)),
    cpuMsPerRun: medianOf(costs.map(({ cpuMs }) => cpuMs)),
    wall: ratio('wallMs'),
    cpu: ratio('cpuMs'),
  };
}

function ratioOf(ratios: readonly number[]): Ratio {
  const interval = bootstrapInterval(
    ratios.map((ratio) => [ratio]),
    medianOf,
    { seed: 'agentLoop' },
  );
  return { median: medianOf(ratios), ...interval };
}
