// Random graphs under random timings, held against a reference interpreter that is written as plainly as can be.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { settle } from './fixtures/manual-clock.ts';
import { type CheckedWorkflow, execute, type Join, jsonSchema, merge, type NodeHandle, type NodeOutcome, WorkflowError, workflow } from './index.ts';

interface NodePlan {
  /** How many attempts fail before one completes; with `tries` at most that many, the node fails. */
  readonly failures: number;
  readonly tries: number;
  readonly asynchronous: boolean;
  /** Whether its work stands in a subgraph. */
  readonly nested: boolean;
  readonly join: Join;
  readonly continues: boolean;
  /** What it writes to its key `k<number>`. */
  readonly value: number;
  readonly limited: boolean;
}
interface EdgePlan {
  readonly from: number;
  readonly to: number;
  /** Taken only if this node's key has this value. The node is `from` or stands above it. */
  readonly when: { readonly key: number; readonly value: number; readonly denied: boolean } | undefined;
}
interface GraphPlan {
  readonly nodes: readonly NodePlan[];
  /** From lower to higher, each pair once. */
  readonly edges: readonly EdgePlan[];
  readonly concurrency: number;
  readonly limit: number;
}

const seldom = (one: number) => fc.integer({ min: 0, max: one }).map((draw) => draw === 0);
const nodePlans = (allContinue: boolean): fc.Arbitrary<NodePlan> =>
  fc.record({
    failures: fc.integer({ min: -3, max: 3 }).map((draw) => Math.max(0, draw)),
    tries: fc.integer({ min: 1, max: 3 }),
    asynchronous: fc.boolean(),
    nested: seldom(3),
    join: fc.constantFrom<Join>('all', 'all', 'all', 'any', 'settled'),
    continues: allContinue ? fc.constant(true) : fc.boolean(),
    value: fc.integer({ min: 0, max: 1 }),
    limited: fc.boolean(),
  });

const graphs = (allContinue: boolean): fc.Arbitrary<GraphPlan> =>
  fc.integer({ min: 1, max: 14 }).chain((size) =>
    fc
      .record({
        nodes: fc.array(nodePlans(allContinue), { minLength: size, maxLength: size }),
        draws: fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1), fc.nat(5), fc.nat(20)), { maxLength: size * 3 }),
        concurrency: fc.integer({ min: 1, max: 5 }),
        limit: fc.integer({ min: 1, max: 3 }),
      })
      .map(({ nodes, draws, ...rest }) => ({ ...rest, nodes, edges: edgesFrom(draws) })),
  );

function edgesFrom(draws: readonly (readonly [number, number, number, number])[]): EdgePlan[] {
  const pairs = new Map(
    draws
      .filter(([a, b]) => a !== b)
      .map(([a, b, kind, pick]) => [`${Math.min(a, b)}-${Math.max(a, b)}`, { from: Math.min(a, b), to: Math.max(a, b), kind, pick }]),
  );
  return [...pairs.values()].map(({ from, to, kind, pick }) => {
    const above = [from, ...ancestors(from, [...pairs.values()])];
    const when = kind > 2 ? undefined : { key: above[pick % above.length] as number, value: pick % 2, denied: kind === 0 };
    return { from, to, when };
  });
}

function ancestors(node: number, edges: readonly { readonly from: number; readonly to: number }[]): number[] {
  const before = edges.filter(({ to }) => to === node).map(({ from }) => from);
  return [...new Set([...before, ...before.flatMap((from) => ancestors(from, edges))])].sort((a, b) => a - b);
}

interface Observed {
  readonly status: string;
  readonly outcomes: readonly (NodeOutcome | undefined)[];
  readonly outputs: readonly unknown[];
  readonly log: readonly string[];
  readonly state: unknown;
  readonly mostAtWork: number;
  readonly mostLimited: number;
}

type Handle = NodeHandle<Record<string, string>, string>;
/** What a random plan may be refused for: also a predicate over what a subgraph does not write, or what an `any` join may overtake. */
const EXPECTED = new Set(['never-fires', 'predicate-unwritten', 'unordered-read']);
const STRING = jsonSchema<string>({ type: 'string' });

/** The workflow of a plan, or the ids of nodes that `build()` says can never run. */
function buildGraph({ nodes, edges }: GraphPlan, work: (node: number, input: unknown, attempt: number) => string | Promise<string>) {
  const keys = Object.fromEntries(nodes.map((_, i) => [`k${i}`, jsonSchema<number>({ type: 'number' })]));
  const flow = workflow('random', { state: { ...keys, seen: merge.append(STRING) } as unknown as Record<string, ReturnType<typeof jsonSchema<number>>> });
  const handles: Handle[] = nodes.map((plan, i) => {
    const policy = {
      join: plan.join,
      onFailure: plan.continues ? 'continue' : 'stop',
      retry: { attempts: plan.tries, backoffMs: 1 },
      ...(plan.limited ? { resource: 'rare' } : {}),
    } as const;
    if (!plan.nested) {
      return flow.node<Record<string, string>, string, never, string>(`n${i}`, {
        ...policy,
        writes: [`k${i}`, 'seen'],
        run: (input, { set, attempt }) => {
          const keep = (output: string) => {
            set(`k${i}`, plan.value);
            set('seen', output as never);
            return output;
          };
          const output = work(i, input, attempt);
          return typeof output === 'string' ? keep(output) : output.then(keep);
        },
      });
    }
    let attempts = 0;
    const inner = workflow<Record<string, string>, string>('inner');
    const core = inner.node('core', { run: (input: Record<string, string>) => work(i, input, ++attempts) });
    return flow.subgraph(`n${i}`, inner.connect(inner.start, core).finish(core).build(), { ...policy, writes: 'seen' }) as Handle;
  });
  for (const [i, handle] of handles.entries()) if (!edges.some(({ to }) => to === i)) flow.after(flow.start, handle);
  for (const { from, to, when } of edges) {
    const predicate = when === undefined ? {} : { when: `${when.denied ? 'not ' : ''}k${when.key} == ${when.value}` };
    flow.connect(handles[from] as Handle, handles[to] as Handle, { port: `p${from}`, ...predicate });
  }
  try {
    return { checked: flow.build() as CheckedWorkflow<undefined, unknown, unknown>, handles };
  } catch (error) {
    if (!(error instanceof WorkflowError) || error.problems.some(({ code }) => !EXPECTED.has(code))) throw error;
    return { refused: error.problems.map(({ code, nodes }) => ({ code, node: nodes[0] as string })), handles };
  }
}

/** Runs a graph. Whatever waits is let go one by one in an order drawn from `seed`; after `abortAt` steps the run is aborted. */
async function runGraph(plan: GraphPlan, seed: number, abortAt = Number.POSITIVE_INFINITY): Promise<Observed> {
  const { nodes, concurrency, limit } = plan;
  const log: string[] = [];
  const waiting: (() => void)[] = [];
  let [atWork, mostAtWork, limited, mostLimited] = [0, 0, 0, 0];
  const controller = new AbortController();
  const built = buildGraph(plan, (i, input, attempt) => {
    const { failures, asynchronous, limited: isLimited } = nodes[i] as NodePlan;
    log.push(`+${i}.${attempt}`);
    mostAtWork = Math.max(mostAtWork, ++atWork);
    if (isLimited) mostLimited = Math.max(mostLimited, ++limited);
    const finish = () => {
      atWork--;
      if (isLimited) limited--;
      log.push(`-${i}.${attempt}`);
      if (attempt <= failures) throw new Error(`n${i}`);
      return `${i}(${Object.entries(input ?? {})
        .map(([port, value]) => `${port}=${value}`)
        .sort()
        .join()})`;
    };
    if (!asynchronous) return finish();
    return new Promise<void>((resolve) => waiting.push(resolve)).then(finish);
  });
  if (built.checked === undefined) throw new Error('refused');
  let time = 0;
  // Time passes by itself whenever nothing else can: a wait between attempts is one of the things that are let go.
  const clock = {
    nowMs: () => time++,
    after: (_: number, callback: () => void) => {
      waiting.push(callback);
      return () => {
        if (waiting.includes(callback)) waiting.splice(waiting.indexOf(callback), 1);
      };
    },
  };
  const run = execute(built.checked, undefined, {
    concurrency,
    signal: controller.signal,
    clock,
    limits: nodes.some((node) => node.limited) ? { rare: limit } : {},
  });
  let over = false;
  const result = run.result.finally(() => {
    over = true;
  });
  let state = seed;
  await settle();
  for (let step = 0; !over && waiting.length > 0; step++) {
    if (step === abortAt) controller.abort();
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    waiting.splice(state % waiting.length, 1)[0]?.();
    await settle();
  }
  if (!over) throw new Error(`the run stands still: ${JSON.stringify(built.handles.map((handle) => run.outcomeOf(handle) ?? 'open'))}`);
  const { status, state: kept } = await result;
  const ended = log.length;
  const observed = {
    status,
    outcomes: built.handles.map((handle) => run.outcomeOf(handle)),
    outputs: built.handles.map((handle) => run.outputOf(handle)),
    state: structuredClone(kept),
    mostAtWork,
    mostLimited,
  };
  // What is let go late changes nothing and starts nothing.
  for (const go of waiting.splice(0)) go();
  await settle();
  expect(log.slice(ended).filter((entry) => entry.startsWith('+'))).toEqual([]);
  expect(built.handles.map((handle) => run.outcomeOf(handle))).toEqual(observed.outcomes);
  return { ...observed, log: log.slice(0, ended) };
}

/** The reference for graphs in which every failure stays in its branch: nodes in order, each looked at once. */
function interpret({ nodes, edges }: GraphPlan): { outcomes: NodeOutcome[]; outputs: (string | undefined)[] } {
  const outcomes: NodeOutcome[] = [];
  const outputs: (string | undefined)[] = [];
  for (const [i, node] of nodes.entries()) {
    const before = edges
      .filter(({ to }) => to === i)
      .map(({ from, when }) => {
        // Only plain nodes that completed have written their keys.
        const kept = when !== undefined && outcomes[when.key] === 'completed' && !nodes[when.key]?.nested;
        const holds = when === undefined || (kept && nodes[when.key]?.value === when.value) !== when.denied;
        if (outcomes[from] === 'completed') return { from, way: holds ? 'taken' : 'left' };
        return { from, way: outcomes[from] === 'skipped-by-branch' ? 'left' : 'broken' };
      });
    const some = (way: string) => before.some((edge) => edge.way === way);
    const skip = some('broken') ? 'skipped-after-failure' : 'skipped-by-branch';
    const runs =
      before.length === 0 ||
      (node.join === 'all' && !some('left') && !some('broken')) ||
      (node.join === 'any' && some('taken')) ||
      (node.join === 'settled' && (some('taken') || some('broken')));
    outcomes[i] = !runs ? skip : node.failures >= node.tries ? 'failed' : 'completed';
    outputs[i] = undefined;
    if (outcomes[i] !== 'completed') continue;
    const given = before.filter(({ way }) => way === 'taken').map(({ from }) => `p${from}=${outputs[from]}`);
    outputs[i] = `${i}(${given.sort().join()})`;
  }
  return { outcomes, outputs };
}

const buildable = (plan: GraphPlan) => buildGraph(plan, () => '').checked !== undefined;
const unraced = (plan: GraphPlan) => plan.nodes.every(({ join }) => join !== 'any');

test('every edge runs forward, each node runs at most once an attempt, none before its inputs, and the bounds are kept', async () => {
  await fc.assert(
    fc.asyncProperty(graphs(false).filter(buildable), fc.nat(), async (graph, seed) => {
      const { log, outcomes, mostAtWork, mostLimited } = await runGraph(graph, seed);
      expect(new Set(log).size).toBe(log.length);
      for (const { from, to } of graph.edges) {
        const start = log.indexOf(`+${to}.1`);
        if (start < 0 || graph.nodes[to]?.join === 'any') continue;
        // A settled join may run after a predecessor that was skipped and so never ran.
        const end = log.findLastIndex((entry) => entry.startsWith(`-${from}.`));
        if (outcomes[from] === 'completed' || outcomes[from] === 'failed') expect(end >= 0 && end < start).toBe(true);
        else expect(log).not.toContain(`+${from}.1`);
      }
      expect(mostAtWork).toBeLessThanOrEqual(graph.concurrency);
      expect(mostLimited).toBeLessThanOrEqual(graph.limit);
      expect(outcomes).not.toContain(undefined);
    }),
    { numRuns: 150 },
  );
});

test('outcomes, failures, both kinds of skip, outputs and state are those of the reference interpreter under every timing', async () => {
  await fc.assert(
    fc.asyncProperty(graphs(true).filter(buildable), fc.nat(), fc.nat(), async (graph, one, other) => {
      const expected = interpret(graph);
      const first = await runGraph(graph, one);
      const second = await runGraph({ ...graph, concurrency: 1 + (graph.concurrency % 5), limit: 1 }, other);
      for (const observed of [first, second]) {
        expect(observed.outcomes).toEqual(expected.outcomes);
        // What an `any` join is given depends on who came first.
        if (unraced(graph)) expect(observed.outputs).toEqual(expected.outputs);
      }
      if (unraced(graph)) expect(second.state).toEqual(first.state);
      const well = expected.outcomes.every((outcome) => outcome === 'completed' || outcome === 'skipped-by-branch');
      expect(first.status).toBe(well ? 'completed' : 'failed');
    }),
    { numRuns: 250 },
  );
});

test('a node that `build()` says can never run is never run by the reference interpreter either', () => {
  let refused = 0;
  fc.assert(
    fc.property(graphs(true), (graph) => {
      const built = buildGraph(graph, () => '');
      if (built.checked !== undefined) return;
      const { outcomes } = interpret(graph);
      for (const { code, node } of built.refused) {
        if (code !== 'never-fires') continue;
        refused++;
        expect(outcomes[Number(node.slice(1))]).toMatch(/^skipped/);
      }
    }),
    { numRuns: 1000 },
  );
  expect(refused).toBeGreaterThan(0);
});

test('a failure that stops the run leaves exactly one such failure, starts nothing after it, and every other outcome is one that the reference allows', async () => {
  await fc.assert(
    fc.asyncProperty(graphs(false).filter(buildable), fc.nat(), async (graph, seed) => {
      const { outcomes, status, log } = await runGraph(graph, seed);
      const stoppers = outcomes.flatMap((outcome, i) => (outcome === 'failed' && graph.nodes[i]?.continues === false ? [i] : []));
      const reference = interpret(graph).outcomes;
      expect(stoppers.length).toBeLessThanOrEqual(1);
      if (stoppers.length === 0) {
        expect(outcomes).toEqual(reference);
        return;
      }
      expect(status).toBe('failed');
      // The log has the end of the work; that a subgraph has failed is known a few turns later.
      if (graph.nodes[stoppers[0] as number]?.nested === false) {
        const end = log.findLastIndex((entry) => entry.startsWith(`-${stoppers[0]}.`));
        expect(log.slice(end + 1).filter((entry) => entry.startsWith('+'))).toEqual([]);
      }
      for (const [i, outcome] of outcomes.entries()) expect(outcome === 'cancelled' || outcome === reference[i]).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test('an abort at any moment ends every node in one outcome, with no write and no start after it', async () => {
  await fc.assert(
    fc.asyncProperty(graphs(true).filter(buildable), fc.nat(), fc.nat(20), async (graph, seed, step) => {
      const { outcomes, status, state } = await runGraph(graph, seed, step);
      const reference = interpret(graph).outcomes;
      for (const [i, outcome] of outcomes.entries()) expect(outcome === 'cancelled' || outcome === reference[i]).toBe(true);
      if (outcomes.includes('cancelled')) expect(status).toBe('cancelled');
      const written = (state as { seen: readonly string[] }).seen.map((output) => Number.parseInt(output, 10));
      expect(written.sort((a, b) => a - b)).toEqual(outcomes.flatMap((outcome, i) => (outcome === 'completed' ? [i] : [])));
    }),
    { numRuns: 150 },
  );
});
