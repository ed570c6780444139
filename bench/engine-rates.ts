// How many a second of what runs are made of: predicates, writes to the state, items of a map. Through the public face, in one process, in turn, after a warm-up round.
import { evaluatePredicate, execute, merge, parsePredicate, workflow } from '../engine/index.ts';
import { medianOf } from './median.ts';
import type { Section, SectionOptions } from './section.ts';

export interface RateFigure {
  readonly what: string;
  readonly rounds: number;
  readonly perSecond: number;
  /** Of the slowest and the fastest round. */
  readonly low: number;
  readonly high: number;
}

const PREDICATE = "length(findings) > 1 and 'nothing' not in findings and record.items[0].name != 'x'";
const STATE: Readonly<Record<string, unknown>> = { findings: ['nails', 'screws', 'hooks'], record: { items: [{ name: 'y' }] } };
const AT_ONCE = 10_000;

interface Subject {
  readonly what: string;
  /** Does it `AT_ONCE` times. */
  readonly run: () => void | Promise<void>;
}

export const rateSection: Section<readonly RateFigure[]> = {
  name: 'rates',
  measures: 'predicates, state writes and items of a map a second',
  takes: '10 seconds, quick 2',
  measure: async ({ quick, nowMs, say }) => {
    const rounds = quick ? 5 : 60;
    say(`rates: ${rounds} rounds of ${AT_ONCE}`);
    const samples = SUBJECTS.map((subject) => ({ subject, rates: [] as number[] }));
    // A third of the rounds warms up.
    for (let round = -Math.ceil(rounds / 3); round < rounds; round++) {
      for (const { subject, rates } of samples) {
        const perSecond = await rateOf(subject, nowMs);
        if (round >= 0) rates.push(perSecond);
      }
    }
    return samples.map(({ subject: { what }, rates }) => ({
      what,
      rounds,
      perSecond: medianOf(rates),
      low: Math.min(...rates),
      high: Math.max(...rates),
    }));
  },
  textOf: (figures) => [
    'a second: median [least, most] of the rounds',
    ...figures.map(
      ({ what, perSecond, low, high, rounds }) => `  ${what.padEnd(52)} ${rateText(perSecond)} [${rateText(low)}, ${rateText(high)}]  (${rounds} rounds)`,
    ),
  ],
};

async function rateOf({ run }: Subject, nowMs: SectionOptions['nowMs']): Promise<number> {
  const startMs = nowMs();
  await run();
  return (AT_ONCE * 1000) / (nowMs() - startMs);
}

function rateText(perSecond: number): string {
  return perSecond >= 1e6 ? `${(perSecond / 1e6).toFixed(2)} million` : `${Math.round(perSecond / 1000)},000`;
}

const SUBJECTS: readonly Subject[] = [
  {
    what: 'predicates parsed',
    run: () => {
      for (let i = 0; i < AT_ONCE; i++) parsePredicate(PREDICATE);
    },
  },
  { what: 'predicates evaluated', run: evaluations() },
  { what: 'writes of one node, checked and committed together', run: wholeRuns(writer()) },
  { what: 'items of a map, each a function', run: wholeRuns(mapper((item) => item)) },
  { what: 'items of a map, each a promise, 8 at work', run: wholeRuns(mapper(async (item) => item)) },
];

function evaluations(): () => void {
  const predicate = parsePredicate(PREDICATE);
  const read = (key: string) => STATE[key];
  return () => {
    let held = 0;
    for (let i = 0; i < AT_ONCE; i++) if (evaluatePredicate(predicate, read)) held++;
    if (held !== AT_ONCE) throw new Error('a predicate did not hold');
  };
}

function wholeRuns(run: () => Promise<{ readonly status: string }>): () => Promise<void> {
  return async () => {
    const { status } = await run();
    if (status !== 'completed') throw new Error(`a run ended as ${status}`);
  };
}

function writer() {
  const flow = workflow('writes', { state: { total: merge.sum() } });
  const node = flow.node('writes', {
    writes: ['total'],
    run: (_: unknown, { set }) => {
      for (let i = 0; i < AT_ONCE; i++) set('total', 1);
    },
  });
  flow.after(flow.start, node);
  const checked = flow.build();
  return () => execute(checked, undefined).result;
}

function mapper(body: (item: number) => number | Promise<number>) {
  const flow = workflow<number[], number[]>('items');
  const map = flow.map('items', { node: body });
  flow.connect(flow.start, map).finish(map);
  const checked = flow.build();
  const items = Array.from({ length: AT_ONCE }, (_, i) => i);
  return () => execute(checked, items).result;
}
