// Random graphs of every kind of node under random timings, held against a reference interpreter that is written as plainly as can be (fixtures/).
// RANDOM_GRAPHS=20 draws twenty times as many; fast-check prints seed and smallest case of what fails.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type GraphPlan, graphs, rendered } from './fixtures/random-graph.ts';
import { type Expected, interpret } from './fixtures/reference-interpreter.ts';
import { buildGraph, type Observed, runGraph } from './fixtures/run-random-graph.ts';
import { memoryCheckpoints } from './index.ts';

const MORE = Number(process.env['RANDOM_GRAPHS'] ?? 1);
const LONG_MS = 30_000 * MORE;
const runs = (count: number) => ({ numRuns: count * MORE });

const buildable = (plan: GraphPlan) => buildGraph(plan, () => '').checked !== undefined;

/** What a node was given is what its taken edges carry; an `any` join has at least one of them. */
function expectOutputs({ nodes }: GraphPlan, { outcomes, outputs }: Observed, { outputs: expected, taken }: Expected): void {
  expect(outputs).toEqual(expected);
  for (const [i, node] of nodes.entries()) {
    const from = taken[i] ?? [];
    if (outcomes[i] !== 'completed' || node.join !== 'any' || from.length < 2 || node.kind === 'map') continue;
    const allowed = Array.from({ length: 2 ** from.length - 1 }, (_, bits) => from.filter((_, at) => ((bits + 1) >> at) & 1));
    expect(allowed.map((some) => rendered(i, node, some, outputs))).toContain(outputs[i]);
  }
}

test('every edge runs forward, each node runs at most once an attempt, none before its inputs, and the bounds are kept', { timeout: LONG_MS }, async () => {
  await fc.assert(
    fc.asyncProperty(graphs({ timeouts: true }).filter(buildable), fc.nat(), async (graph, seed) => {
      const { log, outcomes, mostAtWork, mostLimited, mostItems } = await runGraph(graph, { seed });
      expect(new Set(log).size).toBe(log.length);
      const begins = (node: number) => log.findIndex((entry) => new RegExp(`^\\+${node}[.[]`).test(entry));
      for (const { from, to } of graph.edges) {
        const start = begins(to);
        if (start < 0 || graph.nodes[to]?.join === 'any') continue;
        // A settled join may run after a predecessor that was skipped and so never ran; aborted work may end when it likes.
        if (outcomes[from] !== 'completed' && outcomes[from] !== 'failed') expect(begins(from)).toBe(-1);
        else if (outcomes[from] === 'completed' && graph.nodes[from]?.timed === false) {
          const end = log.findLastIndex((entry) => new RegExp(`^-${from}[.[]`).test(entry));
          expect(end < start && (end >= 0 || graph.nodes[from]?.kind === 'map')).toBe(true);
        }
        expect(log.slice(start).some((entry) => new RegExp(`^\\+${from}[.[]`).test(entry))).toBe(false);
      }
      expect(mostAtWork).toBeLessThanOrEqual(graph.concurrency);
      expect(mostLimited).toBeLessThanOrEqual(graph.limit);
      for (const [node, most] of mostItems) expect(most).toBeLessThanOrEqual(graph.nodes[node]?.kind === 'map' ? graph.nodes[node].atOnce : 1);
      expect(outcomes).not.toContain(undefined);
    }),
    runs(150),
  );
});

test('outcomes, failures, both kinds of skip, outputs and state are those of the reference interpreter under every timing', { timeout: LONG_MS }, async () => {
  await fc.assert(
    fc.asyncProperty(graphs({ allContinue: true }).filter(buildable), fc.nat(), fc.nat(), async (graph, one, other) => {
      const first = await runGraph(graph, { seed: one });
      const second = await runGraph({ ...graph, concurrency: 1 + (graph.concurrency % 5), limit: 1 }, { seed: other });
      for (const observed of [first, second]) {
        const expected = interpret(graph, observed);
        expect(observed.outcomes).toEqual(interpret(graph).outcomes);
        expectOutputs(graph, observed, expected);
      }
      if (graph.nodes.every(({ join }) => join !== 'any')) expect([second.outputs, second.state]).toEqual([first.outputs, first.state]);
      const well = first.outcomes.every((outcome) => outcome === 'completed' || outcome === 'skipped-by-branch');
      expect(first.status).toBe(well ? 'completed' : 'failed');
    }),
    runs(200),
  );
});

test('with time-outs, who runs out of time is all that timing decides: the rest follows from it as in the reference', { timeout: LONG_MS }, async () => {
  await fc.assert(
    fc.asyncProperty(graphs({ allContinue: true, timeouts: true }).filter(buildable), fc.nat(), async (graph, seed) => {
      const observed = await runGraph(graph, { seed });
      const expected = interpret(graph, observed);
      expect(observed.outcomes).toEqual(expected.outcomes);
      expectOutputs(graph, observed, expected);
    }),
    runs(100),
  );
});

test('under fifty timings a graph without time-outs and `any` joins has one trace hash', { timeout: LONG_MS }, async () => {
  const plain = graphs({ allContinue: true, races: false }).filter((plan) => plan.nodes.length > 3 && buildable(plan));
  await fc.assert(
    fc.asyncProperty(plain, fc.nat(1e6), async (graph, seed) => {
      const hashes = new Set<unknown>();
      for (let timing = 0; timing < 50; timing++) {
        const { trace } = await runGraph({ ...graph, concurrency: 1 + (timing % 5) }, { seed: seed + timing, options: { traceHash: true } });
        hashes.add(trace !== undefined && 'hash' in trace ? trace.hash : trace);
      }
      expect([...hashes]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    }),
    runs(8),
  );
});

test('gates that are answered later, run by run, lead to the same end as gates that are answered at once', { timeout: LONG_MS }, async () => {
  const gated = graphs({ allContinue: true, races: false }).filter((plan) => plan.nodes.some(({ kind }) => kind === 'wait') && buildable(plan));
  await fc.assert(
    fc.asyncProperty(gated, fc.nat(), async (graph, seed) => {
      const expected = interpret(graph);
      const checkpoint = { store: memoryCheckpoints(), run: 'r' };
      const answers: Record<string, string> = {};
      for (let turn = 0; turn <= graph.nodes.length; turn++) {
        const asked: string[] = [];
        const options = { checkpoint, answers: { ...answers }, onWait: ({ node }: { readonly node: string }) => void asked.push(node) };
        const observed = await runGraph(graph, { seed: seed + turn, options });
        expect(observed.status === 'waiting').toBe(asked.length > 0);
        if (asked.length === 0) {
          expect([observed.outcomes, observed.outputs]).toEqual([expected.outcomes, expected.outputs]);
          return;
        }
        for (const node of asked) answers[node] = `${node.slice(1)}!`;
      }
      throw new Error('the gates never end');
    }),
    runs(40),
  );
});

test('a node that `build()` says can never run is never run by the reference interpreter either', { timeout: LONG_MS }, () => {
  let refused = 0;
  fc.assert(
    fc.property(graphs({ allContinue: true }), (graph) => {
      const built = buildGraph(graph, () => '');
      if (built.checked !== undefined) return;
      const { outcomes } = interpret(graph);
      for (const { code, node } of built.refused) {
        if (code !== 'never-fires') continue;
        refused++;
        expect(outcomes[Number(node.slice(1))]).toMatch(/^skipped/);
      }
    }),
    runs(1000),
  );
  expect(refused).toBeGreaterThan(0);
});

test('a failure that stops the run leaves exactly one such failure, starts nothing after it, and every other outcome is one that the reference allows', {
  timeout: LONG_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(graphs().filter(buildable), fc.nat(), async (graph, seed) => {
      const observed = await runGraph(graph, { seed });
      const { outcomes, status, log } = observed;
      const stoppers = outcomes.flatMap((outcome, i) => (outcome === 'failed' && graph.nodes[i]?.continues === false ? [i] : []));
      const reference = interpret(graph).outcomes;
      expect(stoppers.length).toBeLessThanOrEqual(1);
      if (stoppers.length === 0) {
        expect(outcomes).toEqual(reference);
        return;
      }
      expect(status).toBe('failed');
      // The log has the end of the work; that a subgraph or an item has failed is known a few turns later.
      if (graph.nodes[stoppers[0] as number]?.kind === 'plain') {
        const end = log.findLastIndex((entry) => entry.startsWith(`-${stoppers[0]}.`));
        expect(log.slice(end + 1).filter((entry) => entry.startsWith('+'))).toEqual([]);
      }
      for (const [i, outcome] of outcomes.entries()) expect(outcome === 'cancelled' || outcome === reference[i]).toBe(true);
    }),
    runs(150),
  );
});

test('an abort at any moment ends every node in one outcome, with no write and no start after it', { timeout: LONG_MS }, async () => {
  await fc.assert(
    fc.asyncProperty(graphs({ allContinue: true }).filter(buildable), fc.nat(), fc.nat(20), async (graph, seed, step) => {
      const { outcomes, status, state } = await runGraph(graph, { seed, abortAt: step });
      const reference = interpret(graph).outcomes;
      for (const [i, outcome] of outcomes.entries()) expect(outcome === 'cancelled' || outcome === reference[i]).toBe(true);
      if (outcomes.includes('cancelled')) expect(status).toBe('cancelled');
      // Each write bears the number of its node; a map has one for each item that it kept.
      const written = new Set((state as { seen: readonly string[] }).seen.map((output) => Number.parseInt(output, 10)));
      const wrote = outcomes.flatMap((outcome, i) => (outcome === 'completed' && !isEmptyMap(graph, i) ? [i] : []));
      expect([...written].sort((a, b) => a - b)).toEqual(wrote);
    }),
    runs(150),
  );
});

function isEmptyMap({ nodes }: GraphPlan, i: number): boolean {
  const node = nodes[i];
  return node?.kind === 'map' && (node.items === 0 || (node.items === 1 && node.faulty === 0 && node.failures >= node.tries));
}
