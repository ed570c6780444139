// Three sentences after a run: who leads, by how much, what may not be concluded (method M9). No p-values, no ranking across shapes, ties said as such.
import type { ManifestPlan } from '../metrics/record.ts';
import { printNumber } from './render/print-cell.ts';
import type { NumberCell, Row, Table } from './report.ts';
import { modelWords, plural, profileWords, seedWords } from './tables/caption.ts';

/** @param table table 1: its ranks and cells are what the sentences say */
export function headline(table: Table, plan: ManifestPlan): string[] {
  const ranked = table.rows.filter((row) => row.rank !== undefined && row.key.settings === 'default');
  const leaders = ranked.filter((row) => row.rank === 1);
  if (isAblation(plan)) return [ofAblation(plan), mayNotConclude(plan, table)];
  return [whoLeads(leaders, ranked.length, table, plan), howMuch(leaders, ranked, table, plan), mayNotConclude(plan, table)];
}

/** One program against itself: nobody leads. */
export function isAblation({ rows }: ManifestPlan): boolean {
  return rows.length > 0 && rows.every(({ configuration }) => configuration !== undefined);
}

/** Of a run of conditions: responses are facts of each row, and how often a fault comes is the reader's. */
export function reliabilityHeadline(plan: ManifestPlan): string[] {
  return [
    `${runWords(plan)}: each row met each fault at each place on ${plan.tasks.length} ${plural(plan.tasks.length, 'task')}; nobody leads, since which fault counts how much hangs on a model's rates.`,
    'What may not be concluded: this is a simulated model and says nothing about a real one; a response holds for these tasks and this form of the fault, and an estimate for its rates, few faults a trial, and one fault at a time.',
  ];
}

function ofAblation(plan: ManifestPlan): string {
  return `${runWords(plan)}: one program with parts of it switched off, so nobody leads; table 3 sets the configurations beside each other. What prompts and tiers hold is measured; accuracy is implied by published curves.`;
}

function runWords(plan: ManifestPlan): string {
  return `${plan.modelKind === 'simulated' ? 'Simulated model' : `Model ${plan.model}`}${profileWords(plan)}, ${seedWords(plan)}`;
}

function whoLeads(leaders: readonly Row[], rows: number, table: Table, plan: ManifestPlan): string {
  const model = runWords(plan);
  const first = cellOf(leaders[0]);
  if (first === undefined) {
    const floors = table.rows.some((row) => row.section === 'floor' && cellOf(row) !== undefined);
    return `${model}: ${floors ? 'only floors have a score' : 'no row has a score'}, so nobody leads.`;
  }
  const rate = `${percent(first.value)} of ${first.n} planned trials right${interval(first)}`;
  if (leaders.length > 1) return `${model}: ${listed(leaders.map(nameOf))} tie for the highest accuracy of ${rows} rows in shape single, each with ${rate}.`;
  if (rows === 1) return `${model}: ${nameOf(leaders[0])}, the only ranked row in shape single, has ${rate}.`;
  return `${model}: ${nameOf(leaders[0])} has the highest accuracy of ${rows} rows in shape single, ${rate}.`;
}

function howMuch(leaders: readonly Row[], ranked: readonly Row[], table: Table, plan: ManifestPlan): string {
  const first = cellOf(leaders[0]);
  const next = ranked.find((row) => row.rank !== 1);
  const second = cellOf(next);
  const floors = floorWords(table);
  if (first === undefined) return floors === '' ? 'There is no figure to compare.' : `For comparison, ${floors}.`;
  if (second === undefined) return `No other ranked row has a score${floors === '' ? '' : `; ${floors}`}.`;
  const seconds = ranked.filter((row) => row.rank === next?.rank).map(nameOf);
  const trials = Math.round((first.value * first.n - second.value * second.n) / 100);
  const overlap =
    first.low !== undefined && second.high !== undefined
      ? first.low <= second.high
        ? ', and the intervals overlap'
        : ', and the intervals do not overlap'
      : '';
  const unit = plan.trials === 1 ? 'task' : 'trial';
  return `Next ${seconds.length > 1 ? 'come' : 'comes'} ${listed(seconds)} with ${percent(second.value)}${interval(second)}, ${printNumber(first.value - second.value, 'percent')} points (${trials} ${plural(trials, unit)}) less${overlap}${floors === '' ? '' : `; ${floors}`}.`;
}

/** An order of default rows is never said without the floors, the hardened one included (method M1.5). */
function floorWords(table: Table): string {
  const parts = table.rows
    .filter((row) => row.section === 'floor')
    .flatMap((row) => {
      const cell = cellOf(row);
      return cell === undefined ? [] : [`${row.key.framework} ${row.key.settings} ${percent(cell.value)}`];
    });
  const own = table.rows.find((row) => row.section === 'apart');
  const ownCell = cellOf(own);
  const apart =
    ownCell === undefined
      ? ''
      : `; ${nameOf(own)}, our own, stands apart at ${percent(ownCell.value)}, unranked without the others' hardened settings beside it`;
  return parts.length === 0 ? '' : `the floors stand at ${listed(parts)}${apart}`;
}

/** Rows in their default settings alone are half a comparison (method M1.5). */
function settingsWords(table: Table): string {
  if (!table.rows.some((row) => row.rank !== undefined)) return '';
  const hasHardened = table.rows.some((row) => row.rank !== undefined && row.key.settings === 'hardened');
  return hasHardened ? '' : ' every ranked row stands in its default settings, and what its documented options against faults change was not part of this run;';
}

function mayNotConclude(plan: ManifestPlan, table: Table): string {
  const turned = [
    plan.searchRecall === undefined ? '' : `, search recall ${plan.searchRecall}`,
    plan.searchNoise === undefined ? '' : `, search noise ${plan.searchNoise}`,
    plan.toolCache === undefined ? '' : `, tool cache ${plan.toolCache}`,
  ];
  const dials = `tool errors ${plan.toolErrors}, broker ${plan.broker}, enforcement ${plan.enforce}, instruction ${plan.instruction}${turned.join('')}`;
  const what =
    plan.modelKind === 'simulated' ? 'this is a simulated model and says nothing about a real one' : `it holds for ${modelWords(plan)} on these tasks only`;
  return `What may not be concluded: ${what};${settingsWords(table)} one run of one seed does not establish an order, overlapping intervals tell no rows apart, other dials (here ${dials}) may turn rows round, and shapes are not ranked against each other.`;
}

function cellOf(row: Row | undefined): NumberCell | undefined {
  const cell = row?.cells.accuracyPercent;
  return cell === undefined || typeof cell.value === 'string' ? undefined : (cell as NumberCell);
}

function nameOf(row: Row | undefined): string {
  return row?.key.framework ?? '';
}

function percent(value: number): string {
  return `${printNumber(value, 'percent')} %`;
}

function interval({ low, high }: NumberCell): string {
  return low === undefined || high === undefined ? '' : ` (Wilson interval over tasks ${printNumber(low, 'percent')} to ${printNumber(high, 'percent')})`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
