// Random graphs under random timings, held against a reference interpreter that is written as plainly as can be.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { settle } from './fixtures/manual-clock.ts';
import { execute, jsonSchema, merge, type NodeHandle, type NodeOutcome, workflow } from './index.ts';

interface NodePlan {
  readonly fails: boolean;
  readonly asynchronous: boolean;
  readonly settled: boolean;
  readonly continues: boolean;
}
interface GraphPlan {
  readonly nodes: readonly NodePlan[];
  /** From lower to higher. */
  readonly edges: readonly (readonly [number, number])[];
  readonly concurrency: number;
}

const graphs = (allContinue: boolean): fc.Arbitrary<GraphPlan> =>
  fc.integer({ min: 1, max: 14 }).chain((size) =>
    fc.record({
      nodes: fc.array(
        fc.record({
          fails: fc.integer({ min: 0, max: 5 }).map((draw) => draw === 0),
          asynchronous: fc.boolean(),
          settled: fc.integer({ min: 0, max: 3 }).map((draw) => draw === 0),
          continues: allContinue ? fc.constant(true) : fc.boolean(),
        }),
        { minLength: size, maxLength: size },
      ),
      edges: fc
        .array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: size * 3 })
        .map((pairs) => pairs.filter(([a, b]) => a !== b).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)),
      concurrency: fc.integer({ min: 1, max: 5 }),
    }),
  );

interface Observed {
  readonly status: string;
  readonly outcomes: readonly (NodeOutcome | undefined)[];
  readonly outputs: readonly unknown[];
  readonly log: readonly string[];
  readonly state: unknown;
  readonly mostAtWork: number;
}

/** Runs a graph. Whatever waits is let go one by one in an order drawn from `seed`. */
async function runGraph({ nodes, edges, concurrency }: GraphPlan, seed: number): Promise<Observed> {
  const log: string[] = [];
  const waiting: (() => void)[] = [];
  let atWork = 0;
  let mostAtWork = 0;
  const flow = workflow('random', { state: { seen: merge.append(jsonSchema<string>({ type: 'string' })) } });
  const handles: NodeHandle<Record<string, string>, string>[] = nodes.map((plan, i) =>
    flow.node(`n${i}`, {
      writes: 'seen',
      ...(plan.settled ? { join: 'settled' as const } : {}),
      onFailure: plan.continues ? 'continue' : 'stop',
      run: (input: Record<string, string>): string | Promise<string> => {
        log.push(`+${i}`);
        mostAtWork = Math.max(mostAtWork, ++atWork);
        const finish = () => {
          atWork--;
          log.push(`-${i}`);
          if (plan.fails) throw new Error(`n${i}`);
          return `${i}(${Object.entries(input ?? {})
            .map(([port, value]) => `${port}=${value}`)
            .sort()
            .join()})`;
        };
        if (!plan.asynchronous) return finish();
        return new Promise<void>((resolve) => waiting.push(resolve)).then(finish);
      },
    }),
  );
  const fed = new Set(edges.map(([, to]) => to));
  for (const [i, handle] of handles.entries()) if (!fed.has(i)) flow.after(flow.start, handle);
  const pairs = new Map(edges.map(([from, to]) => [`${from}-${to}`, [from, to] as const]));
  for (const [from, to] of pairs.values()) flow.connect(handles[from] as (typeof handles)[0], handles[to] as (typeof handles)[0], { port: `p${from}` });

  const run = execute(flow.build(), undefined, { concurrency });
  let over = false;
  const result = run.result.finally(() => {
    over = true;
  });
  let state = seed;
  await settle();
  while (!over && waiting.length > 0) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    waiting.splice(state % waiting.length, 1)[0]?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { status, state: kept } = await result;
  return {
    status,
    outcomes: handles.map((handle) => run.outcomeOf(handle)),
    outputs: handles.map((handle) => run.outputOf(handle)),
    log,
    state: { ...kept },
    mostAtWork,
  };
}

/** The reference for graphs in which every failure stays in its branch: nodes in order, each looked at once. */
function interpret({ nodes, edges }: GraphPlan): { outcomes: NodeOutcome[]; outputs: (string | undefined)[] } {
  const outcomes: NodeOutcome[] = [];
  const outputs: (string | undefined)[] = [];
  for (const [i, node] of nodes.entries()) {
    const before = [...new Set(edges.filter(([, to]) => to === i).map(([from]) => from))];
    const runs = node.settled || before.every((from) => outcomes[from] === 'completed');
    outcomes[i] = !runs ? 'skipped-after-failure' : node.fails ? 'failed' : 'completed';
    outputs[i] = undefined;
    if (outcomes[i] !== 'completed') continue;
    const given = before.filter((from) => outcomes[from] === 'completed').map((from) => `p${from}=${outputs[from]}`);
    outputs[i] = `${i}(${given.sort().join()})`;
  }
  return { outcomes, outputs };
}

test('every edge runs forward, each node runs at most once, none before its inputs, and the bound is kept', async () => {
  await fc.assert(
    fc.asyncProperty(graphs(false), fc.nat(), async (graph, seed) => {
      const { log, outcomes, mostAtWork } = await runGraph(graph, seed);
      expect(new Set(log).size).toBe(log.length);
      for (const [from, to] of graph.edges) {
        const start = log.indexOf(`+${to}`);
        if (start < 0) continue;
        // A settled join may run after a predecessor that was skipped and so never ran.
        const end = log.indexOf(`-${from}`);
        if (outcomes[from] === 'completed' || outcomes[from] === 'failed') expect(end >= 0 && end < start).toBe(true);
        else expect(log).not.toContain(`+${from}`);
      }
      expect(mostAtWork).toBeLessThanOrEqual(graph.concurrency);
      expect(outcomes).not.toContain(undefined);
    }),
    { numRuns: 150 },
  );
});

test('failures and skips spread as in the reference interpreter, with the same outputs and state under every timing', async () => {
  await fc.assert(
    fc.asyncProperty(graphs(true), fc.nat(), fc.nat(), async (graph, one, other) => {
      const expected = interpret(graph);
      const first = await runGraph(graph, one);
      const second = await runGraph({ ...graph, concurrency: 1 + (graph.concurrency % 5) }, other);
      for (const observed of [first, second]) {
        expect(observed.outcomes).toEqual(expected.outcomes);
        expect(observed.outputs).toEqual(expected.outputs);
      }
      expect(second.state).toEqual(first.state);
      expect(first.status).toBe(expected.outcomes.every((outcome) => outcome === 'completed') ? 'completed' : 'failed');
    }),
    { numRuns: 150 },
  );
});

test('a failure that stops the run leaves exactly one such failure, starts nothing after it, and every other outcome is one that the reference allows', async () => {
  await fc.assert(
    fc.asyncProperty(graphs(false), fc.nat(), async (graph, seed) => {
      const { outcomes, status, log } = await runGraph(graph, seed);
      const stoppers = outcomes.flatMap((outcome, i) => (outcome === 'failed' && graph.nodes[i]?.continues === false ? [i] : []));
      const reference = interpret(graph).outcomes;
      expect(stoppers.length).toBeLessThanOrEqual(1);
      if (stoppers.length === 0) {
        expect(outcomes).toEqual(reference);
        return;
      }
      expect(status).toBe('failed');
      expect(log.slice(log.indexOf(`-${stoppers[0]}`) + 1).filter((entry) => entry.startsWith('+'))).toEqual([]);
      for (const [i, outcome] of outcomes.entries()) expect(outcome === 'cancelled' || outcome === reference[i]).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test('an abort at any moment ends every node in one outcome, with no write and no start after it', async () => {
  await fc.assert(
    fc.asyncProperty(graphs(true), fc.nat(20), async (graph, step) => {
      const controller = new AbortController();
      const starts: string[] = [];
      const waiting: (() => void)[] = [];
      const flow = workflow('aborted', { state: { count: merge.sum() } });
      const handles = graph.nodes.map((_, i) =>
        flow.node(`n${i}`, {
          writes: 'count',
          run: () => {
            starts.push(`n${i}`);
            return new Promise<number>((resolve) => waiting.push(() => resolve(1)));
          },
        }),
      );
      const fed = new Set(graph.edges.map(([, to]) => to));
      for (const [i, handle] of handles.entries()) if (!fed.has(i)) flow.after(flow.start, handle);
      for (const [from, to] of graph.edges) flow.after(handles[from] as (typeof handles)[0], handles[to] as (typeof handles)[0]);
      const run = execute(flow.build(), undefined, { signal: controller.signal });
      for (let i = 0; i < step; i++) {
        waiting.shift()?.();
        await new Promise((resolve) => setImmediate(resolve));
      }
      controller.abort();
      const result = await run.result;
      const [started, written] = [starts.length, result.state.count];
      for (const go of waiting) go();
      await settle();
      const done = handles.filter((handle) => run.outcomeOf(handle) === 'completed').length;
      expect(result.status).toBe(done === handles.length ? 'completed' : 'cancelled');
      expect(handles.map((handle) => run.outcomeOf(handle)).every((outcome) => outcome === 'completed' || outcome === 'cancelled')).toBe(true);
      expect({ started: starts.length, written: run.provenanceOf('count').length }).toEqual({ started, written });
      expect(written).toBe(done);
    }),
    { numRuns: 80 },
  );
});
