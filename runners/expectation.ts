// What a plan will cost, said before it starts: trials, time, and with a paid model tokens. Estimates, and called so.

import { absentByReason } from '../metrics/absent-rows.ts';
import { readMemoryLimit } from '../metrics/memory-limit.ts';
import { coldStartsOf } from './cold-starts.ts';
import { latencyChoice } from './latency-choice.ts';
import { duration } from './progress.ts';
import type { ResolvedPlan } from './resolved-plan.ts';
import type { RunnableRow } from './rows.ts';
import { largestPool } from './worker-pool.ts';

/** Measured on two shared cores at zero latency: a trial with its model and tool calls, and a fresh process with its import. */
const TRIAL_MS = { node: 60, python: 150 };
const PROCESS_MS = { node: 500, python: 2_500 };
/** One live model call, end to end, of a small hosted model. Assumed. */
const LIVE_CALL_MS = 2_500;
/** One call of a model of half a billion parameters on one free core: a new kilotoken to read, and some fifty to say. Assumed. */
const LOCAL_CALL_MS = 15_000;
/** One call at the latency of the table: its first token, and the 50 or so that a call has. */
const SIMULATED_CALL_MS = 1_200;
/** Mean model calls and tokens a trial in the default set (simulated, profile clean). */
const CALLS = 6;
const INPUT_TOKENS = 12_000;
const OUTPUT_TOKENS = 350;

export function expectedMs(plan: ResolvedPlan, poolSize = largestPool(readMemoryLimit().limitBytes)): number {
  const waits = CALLS * callMs(plan);
  const trial = ({ language }: RunnableRow) => TRIAL_MS[language] + waits;
  const ofProcesses = (processes: readonly Process[]) =>
    processes.reduce((total, { row, trials }) => total + PROCESS_MS[row.language] + trials * trial(row), 0);
  const inTrials = plan.rows.reduce((total, row) => total + plan.tasks.length * plan.spec.trials * trial(row), 0);
  return (inTrials + ofProcesses(workersOf(plan, poolSize))) / plan.spec.concurrency + ofProcesses(coldOf(plan));
}

interface Process {
  readonly row: RunnableRow;
  /** What it runs beside planned trials. */
  readonly trials: number;
}

function coldOf(plan: ResolvedPlan): Process[] {
  return coldStartsOf(plan).map(({ row }) => ({ row, trials: 1 }));
}

/** A worker that stays begins with the warm-ups; a fresh process a trial runs nothing else. */
function workersOf(plan: ResolvedPlan, poolSize: number): Process[] {
  const isFresh = plan.spec.isolation === 'trial';
  const started = isFresh ? plan.blocks.flatMap(({ row, trials }) => trials.map(() => row)) : workerStarts(plan, poolSize);
  return started.map((row) => ({ row: plan.rows[row] as RunnableRow, trials: isFresh ? 0 : plan.warmUps.length }));
}

/** The one that was idle longest makes room (worker-pool.ts). @returns the row of each worker that is started, in turn */
function workerStarts({ blocks }: ResolvedPlan, poolSize: number): number[] {
  const alive: number[] = [];
  return blocks.flatMap(({ row }) => {
    const at = alive.indexOf(row);
    if (at >= 0) alive.splice(at, 1);
    else if (alive.length >= poolSize) alive.shift();
    alive.push(row);
    return at >= 0 ? [] : [row];
  });
}

/** What the model takes for one call, beyond what a trial at zero latency takes. */
function callMs({ modelKind, spec }: ResolvedPlan): number {
  if (spec.replay !== undefined) return 0;
  if (modelKind === 'upstream') return LIVE_CALL_MS;
  if (modelKind === 'local') return LOCAL_CALL_MS;
  const latency = latencyChoice(spec.latency);
  return latency.kind === 'fixed' ? latency.ms : latency.kind === 'model' ? SIMULATED_CALL_MS : 0;
}

export function describePlan(plan: ResolvedPlan, poolSize = largestPool(readMemoryLimit().limitBytes)): string {
  const { manifest } = plan;
  const trials = plan.rows.length * plan.tasks.length * plan.spec.trials;
  const asked = [...workersOf(plan, poolSize), ...coldOf(plan)].reduce((total, process) => total + process.trials, trials);
  const simulated = plan.modelKind === 'simulated';
  const lines = [
    `${counted(plan.rows.length, 'row')} × ${counted(plan.tasks.length, 'task')}${plan.spec.trials > 1 ? ` × ${plan.spec.trials} trials` : ''} = ${counted(trials, 'trial')}, and ${coldStartsOf(plan).length} fresh processes for memory and import times.`,
    plan.spec.replay !== undefined
      ? `Model: what ${plan.spec.replay} holds of ${simulated ? `the simulated one, profile ${manifest.profile}` : manifest.model}. No key and no network are needed.`
      : simulated
        ? `Model: simulated, ${simulatedWords(plan)}. No key and no network are needed.`
        : plan.modelKind === 'local'
          ? `Model: ${manifest.model}, ${[manifest.localModel?.quantisation, `threads: ${manifest.localModel?.threads}`].filter(Boolean).join(', ')}, on this machine. No key and no network are needed.`
          : `Model: ${manifest.model} at ${plan.spec.baseUrl}. Expect about ${amount(asked * INPUT_TOKENS)} input and ${amount(asked * OUTPUT_TOKENS)} output tokens, warm-ups and fresh processes included; what they cost depends on its price list.`,
    `Tasks: ${plan.taskSet.name}, seed ${plan.taskSet.seed}. Cap: ${plan.cap} model calls a trial. Expected time: about ${duration(expectedMs(plan, poolSize))}.`,
    `Rows: ${rowsByShape(plan.rows)}.`,
    ...absentByReason(manifest.absentRows).map(([reason, names]) => `Not here: ${names.join(', ')} (${reason}).`),
  ];
  return lines.join('\n');
}

function counted(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}

/** `single: fetch, langgraph; single hardened: fetch; dag: engine/without-scratch` */
function rowsByShape(rows: readonly RunnableRow[]): string {
  const named = rows.map(({ framework, shape, settings, configuration }) => ({
    group: settings === 'default' ? shape : `${shape} ${settings}`,
    name: configuration === undefined ? framework : `${framework}/${configuration}`,
  }));
  const groups = [...new Set(named.map(({ group }) => group))];
  const namesIn = (wanted: string) => named.filter(({ group }) => group === wanted).map(({ name }) => name);
  return groups.map((group) => `${group}: ${namesIn(group).join(', ')}`).join('; ');
}

function simulatedWords({ manifest, spec }: ResolvedPlan): string {
  const latency =
    spec.latency === 'zero' ? 'zero latency' : spec.latency === 'model' ? 'latency by the table' : `${spec.latency.slice('fixed:'.length)} ms a reply`;
  const rates = Object.entries(manifest.rates ?? {}).map(([name, value]) => `${name} ${value}`);
  const dials = [manifest.policy, ...rates, manifest.heldOut && `faults of ${spec.heldOut}`].filter((word) => word !== undefined);
  return [`profile ${manifest.profile}`, ...dials, latency].join(', ');
}

function amount(tokens: number): string {
  return tokens < 1e6 ? `${Math.round(tokens / 1000)} k` : `${(tokens / 1e6).toFixed(1)} M`;
}
