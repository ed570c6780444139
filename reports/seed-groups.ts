// Runs of several seeds, put in order: which of them differ in nothing but the seed, and which of our own choices stands elsewhere in the others (method M9.1).
// Rows are independent of each other, so those of one seed may come from several runs. What differs in anything else is refused.
import { UsageError } from '../base/error.ts';
import type { Manifest, ManifestPlan } from '../metrics/record.ts';
import { rowId } from '../metrics/row-counts.ts';
import { tallyOf } from '../metrics/run-tally.ts';
import type { BySeed } from '../metrics/simulation-interval.ts';
import { summarizeRun } from '../metrics/summaries.ts';
import type { Rates, RowSummary } from '../metrics/summary.ts';
import type { RunContents } from './load-run.ts';
import { seedWords } from './tables/caption.ts';

/** What is kept of a run: its records may go. */
export interface SeedRun {
  /** As the user named it. */
  readonly name: string;
  readonly manifest: Manifest;
  readonly rows: readonly RowSummary[];
  /** Rates of each template, by row. */
  readonly templates: ReadonlyMap<string, ReadonlyMap<string, Rates>>;
  readonly recorded: number;
}

/** A row, with its summary of each seed. */
export interface SeedRow {
  readonly row: ManifestPlan['rows'][number];
  readonly seeds: ReadonlyMap<string, RowSummary>;
  /** Rates of each template, by seed. */
  readonly templates: ReadonlyMap<string, ReadonlyMap<string, Rates>>;
}

/** Runs that differ in seed and rows alone. */
export interface SeedGroup {
  /** What stands elsewhere than usual; empty for the usual place of everything. */
  readonly choice: string;
  readonly manifest: Manifest;
  readonly runs: number;
  readonly trials: number;
  readonly seeds: readonly string[];
  readonly rows: readonly SeedRow[];
}

export function seedRunOf(name: string, run: RunContents): SeedRun {
  const trials = tallyOf(run.manifest, run.trials);
  const { rows, recorded, planned } = summarizeRun({ ...run, trials });
  if (recorded < planned)
    throw new UsageError('SEEDS_UNFINISHED', `${name} has ${recorded} of ${planned} planned trials`, {
      remedy: `Finish it first: agentgauge reproduce --resume ${name}`,
    });
  const templates = new Map(rows.map(({ key }) => [rowId(key), trials.ratesByTemplate(key)]));
  return { name, manifest: run.manifest, rows, templates, recorded };
}

type Field = readonly [name: string, of: (manifest: Manifest) => unknown, usual?: unknown];

/** Choices of ours that no source settles. */
const CHOICES: readonly Field[] = [
  ['profile', ({ plan }) => plan.profile, 'gpt-4o-mini'],
  ['policy', ({ plan }) => plan.policy],
  ['rates', ({ plan }) => plan.rates && Object.entries(plan.rates).sort(([a], [b]) => (a < b ? -1 : 1))],
  ['enforce', ({ plan }) => plan.enforce, 'honoured'],
  ['tool-errors', ({ plan }) => plan.toolErrors, 'throw'],
  ['broker', ({ plan }) => plan.broker, 'strict'],
  ['instruction', ({ plan }) => plan.instruction, 'both'],
  ['search-recall', ({ plan }) => plan.searchRecall],
  ['search-noise', ({ plan }) => plan.searchNoise],
];

/** What is another study when it differs. */
const FIXED: readonly Field[] = [
  ['task set', ({ taskSet }) => taskSet.name.replace(/:?seed=\d+/, '')],
  ['number of tasks', ({ plan }) => plan.tasks.length],
  ['trials', ({ plan }) => plan.trials],
  ['faults from outside', ({ plan }) => plan.heldOut],
  ['tool cache', ({ plan }) => plan.toolCache],
  ['cap', ({ plan }) => plan.cap],
  ['agent cap', ({ plan }) => plan.agentCap],
  ['literal cap', ({ plan }) => plan.capLiteral],
  ['temperature', ({ plan }) => plan.temperature],
  ['max tokens', ({ plan }) => plan.maxTokens],
  ['latency', ({ plan }) => plan.latency],
  ['time-out', ({ plan }) => plan.timeoutMs],
];

/**
 * The usual place of every choice first, then a group for each choice that stands elsewhere, in the order of the runs.
 *
 * @param mayTurn whether choices may differ, or the seed alone
 * @throws UsageError SEEDS_NOT_SIMULATED, SEEDS_CONDITIONS, SEEDS_DIFFER, SEEDS_TWICE, SEEDS_NO_USUAL
 */
export function groupBySeed(runs: readonly SeedRun[], mayTurn: boolean): readonly [SeedGroup, ...SeedGroup[]] {
  const [first] = runs;
  if (first === undefined) throw new UsageError('REPORT_NO_RUN', 'there is no run to read');
  for (const { name, manifest } of runs) {
    if (manifest.plan.modelKind !== 'simulated')
      throw new UsageError('SEEDS_NOT_SIMULATED', `${name} is a run of the model ${manifest.plan.model}, whose seed draws no other world of errors`, {
        remedy: 'Intervals over seeds are for the simulated model; a real one is tried more often with --trials.',
      });
    if (manifest.plan.conditions !== undefined)
      throw new UsageError('SEEDS_CONDITIONS', `${name} is a run of forced faults, of which no rate over all trials means anything`, {
        remedy: `Its own tables: agentgauge report ${name}`,
      });
  }
  refuseOther(first, runs, mayTurn ? FIXED : [...FIXED, ...CHOICES]);
  const groups = [...Map.groupBy(runs, keyOf).values()].map(groupOf);
  const usual = groups.filter(({ choice }) => choice === '').sort((a, b) => b.seeds.length - a.seeds.length)[0];
  // Of runs that all stand elsewhere in the same way, that place is the one to speak of.
  const basis = usual ?? (groups.length === 1 ? groups[0] : undefined);
  if (basis === undefined)
    throw new UsageError('SEEDS_NO_USUAL', `none of ${runs.length} runs has every choice in its usual place`, {
      remedy: 'Name the runs with nothing turned too: the range is around them.',
    });
  return [basis, ...groups.filter((group) => group !== basis)];
}

function refuseOther(first: SeedRun, runs: readonly SeedRun[], fields: readonly Field[]): void {
  for (const run of runs) {
    for (const [field, of] of fields) {
      const [expected, found] = [first, run].map(({ manifest }) => JSON.stringify(of(manifest)) ?? 'not set') as [string, string];
      if (expected === found) continue;
      const isChoice = CHOICES.some(([name]) => name === field);
      throw new UsageError('SEEDS_DIFFER', `${run.name} differs from ${first.name} in more than its seed: ${field}, ${found} against ${expected}`, {
        remedy: isChoice ? 'Runs with a choice turned are read with --choices.' : 'Name runs of one study only.',
      });
    }
  }
}

function keyOf({ manifest }: SeedRun): string {
  return JSON.stringify(CHOICES.map(([, of]) => of(manifest) ?? null));
}

function groupOf(runs: readonly SeedRun[]): SeedGroup {
  const rows = new Map<string, { row: SeedRow['row']; seeds: Map<string, RowSummary>; templates: Map<string, ReadonlyMap<string, Rates>> }>();
  for (const { name, manifest, rows: summaries, templates } of runs) {
    const seed = seedWords(manifest.plan);
    for (const summary of summaries) {
      // A row that could not start has no figure, and one with an error of ours must have none.
      if (!summary.publishable || summary.rates.recorded === 0) continue;
      const id = rowId(summary.key);
      const entry = rows.get(id) ?? { row: summary.row, seeds: new Map(), templates: new Map() };
      if (entry.seeds.has(seed))
        throw new UsageError('SEEDS_TWICE', `${id} stands with ${seed} in two runs, the second being ${name}`, { remedy: 'Name each run once.' });
      entry.seeds.set(seed, summary);
      entry.templates.set(seed, templates.get(id) ?? new Map());
      rows.set(id, entry);
    }
  }
  const [{ manifest }] = runs as [SeedRun];
  return {
    choice: choiceOf(manifest),
    manifest,
    runs: runs.length,
    trials: runs.reduce((sum, { recorded }) => sum + recorded, 0),
    seeds: [...new Set(runs.map((run) => seedWords(run.manifest.plan)))],
    rows: [...rows.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row),
  };
}

const NAMED = /^choice-(.+)$/;

/** A plan may name its choice: thirteen rates at one value are one choice, and no list of them tells that. */
function choiceOf(manifest: Manifest): string {
  const turned = CHOICES.filter(([, of, usual]) => JSON.stringify(of(manifest)) !== JSON.stringify(usual));
  if (turned.length === 0) return '';
  return (
    NAMED.exec(manifest.plan.name)?.[1] ?? turned.map(([name, of]) => (name === 'rates' ? rateWords(manifest) : `${name} ${String(of(manifest))}`)).join(', ')
  );
}

function rateWords({ plan: { rates = {} } }: Manifest): string {
  return Object.entries(rates)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

/** @param read a figure of one seed, or `undefined` where it cannot be known */
export function bySeed({ seeds }: SeedRow, read: (rates: Rates) => number | undefined, of = (summary: RowSummary): Rates | undefined => summary.rates): BySeed {
  return new Map(
    [...seeds].flatMap(([seed, summary]): [string, number][] => {
      const rates = of(summary);
      const value = rates && read(rates);
      return value === undefined ? [] : [[seed, value]];
    }),
  );
}
