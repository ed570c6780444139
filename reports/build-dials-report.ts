// From several runs that differ in one dial each to one report. Which dial it was is read off their plans, so that the runs may be named in any order.
import { UsageError } from '../base/error.ts';
import type { ManifestPlan } from '../metrics/record.ts';
import { summarizeRun } from '../metrics/summaries.ts';
import type { RunContents } from './load-run.ts';
import type { Report } from './report.ts';
import { type DialRun, dialTable, literalCapTable } from './tables/dials.ts';

/** Usual place of each dial; a plan that says nothing stands there too. */
const DIALS: readonly (readonly [name: string, of: (plan: ManifestPlan) => string | number | undefined, usual: string | undefined])[] = [
  ['cap-literal', ({ capLiteral }) => capLiteral, undefined],
  ['enforce', ({ enforce }) => enforce, 'honoured'],
  ['tool-errors', ({ toolErrors }) => toolErrors, 'throw'],
  ['broker', ({ broker }) => broker, 'strict'],
  ['instruction', ({ instruction }) => instruction, 'both'],
  ['search-recall', ({ searchRecall }) => searchRecall, undefined],
  ['search-noise', ({ searchNoise }) => searchNoise, undefined],
];

/** @throws UsageError DIALS_NO_USUAL, DIALS_DIFFER */
export function buildDialsReport(runs: readonly RunContents[]): Report {
  const dialled = runs.map((run): DialRun => ({ dial: dialOf(run.manifest.plan), manifest: run.manifest, summary: summarizeRun(run) }));
  const isCapAlone = ({ manifest: { plan } }: DialRun) => plan.profile === 'clean' && plan.capLiteral !== undefined;
  const usual = dialled.find(({ dial, manifest }) => dial === '' && manifest.plan.profile !== 'clean') ?? dialled.find(({ dial }) => dial === '');
  if (usual === undefined)
    throw new UsageError('DIALS_NO_USUAL', `none of ${runs.length} runs has every dial in its usual place`, { remedy: 'Name the run `dials-usual` too.' });
  const turned = dialled.filter((run) => run !== usual && !isCapAlone(run));
  const other = turned.find(({ manifest }) => basisOf(manifest.plan) !== basisOf(usual.manifest.plan));
  if (other !== undefined)
    throw new UsageError('DIALS_DIFFER', `the run with ${other.dial || 'no dial turned'} differs in more than a dial: tasks, seed, trials, model or rates`, {
      remedy: 'agentgauge ablate dials makes runs that differ in one dial each.',
    });
  const clean = dialled.find(isCapAlone);
  const tables = [dialTable(usual, turned), ...(clean === undefined ? [] : [literalCapTable(clean)])];
  return { manifest: usual.manifest, headline: sentences(tables[0]?.rows ?? []), tables: Object.fromEntries(tables.map((table) => [table.id, table])) };
}

export function dialOf(plan: ManifestPlan): string {
  return DIALS.flatMap(([name, of, usual]) => (of(plan) === usual ? [] : [`${name} ${of(plan)}`])).join(', ');
}

function basisOf({ tasks, seed, taskSeed, faultSeed, trials, model, profile, policy, rates }: ManifestPlan): string {
  return JSON.stringify([tasks.map(({ taskId }) => taskId), seed, taskSeed, faultSeed, trials, model, profile, policy, rates]);
}

function sentences(rows: Report['tables'][string]['rows']): string[] {
  const turning = rows.filter(({ cells }) => [cells.flips, cells.notRepairedFlips].some((cell) => cell !== undefined && cell.value !== 'nothing'));
  const dials = [...new Set(turning.map(({ key }) => key.configuration))];
  return [
    turning.length === 0
      ? 'No dial turned an order of rows or a side of a floor round, with this seed.'
      : `An order of rows or a side of a floor turns round with ${dials.join('; ')}: what is said of such rows has to name the dial.`,
    'What may not be concluded: one seed, one model that is simulated, and one dial at a time.',
  ];
}
