// What all tables share: the paper's figures beside the rows they belong to, blocks and ranks (method M1.4), order, and the caption that method M9.4 asks for.
// A table file says only which cells it has and how they were made.

import type { Manifest, ManifestPlan } from '../../metrics/record.ts';
import { type RowCounts, rowId } from '../../metrics/row-counts.ts';
import type { RowSummary, RunSummary, SummaryValue } from '../../metrics/summaries.ts';
import { PUBLISHED_SOURCE, publishedFigure } from '../published.ts';
import type { Cell, Column, Excluded, Row, RowKey, Section, Table } from '../report.ts';
import { captionOf } from './caption.ts';
import { rounded } from './exact.ts';

export interface TableInput {
  readonly manifest: Manifest;
  readonly summary: RunSummary;
  readonly counts: readonly RowCounts[];
  /** Only what two runs of one seed must share. */
  readonly exact: boolean;
}

export interface ColumnDraft extends Column {
  /** Exact only in trials that ended with nothing else at work (design section 9, `cut`). */
  readonly leavesWithCut?: true;
  /** Multiplies the summary's value: bytes to megabytes. */
  readonly scale?: number;
}

export interface RowDraft {
  readonly of: RowSummary;
  readonly part?: Pick<RowKey, 'taskType' | 'level'>;
  readonly cells: Readonly<Record<string, SummaryValue | undefined>>;
}

export interface TableDraft {
  readonly id: string;
  readonly title: string;
  readonly columns: readonly ColumnDraft[];
  readonly rows: readonly RowDraft[];
  /** Ranks rows within a block of shape `single`. Absent where less is no merit: who fails early spends little. */
  readonly lead?: { readonly column: string; readonly better: 'high' | 'low' };
  /** What the n of a cell counts, as a sentence. */
  readonly denominator: string;
  /** What an interval is here, as a sentence. */
  readonly interval: string;
  readonly excluded?: readonly Excluded[];
  readonly notes?: readonly string[];
}

export function frameTable(input: TableInput, draft: TableDraft): Table {
  const { manifest, summary, exact } = input;
  const columns = draft.columns.filter((column) => column.exact || !exact);
  const rows = order(
    draft.rows.map((row) => frameRow(input, draft.id, columns, row)),
    draft.lead,
    manifest.plan,
  );
  const excluded = draft.excluded ?? [];
  const cited = rows.some((row) => Object.values(row.cells).some((cell) => 'published' in cell));
  return {
    id: draft.id,
    title: draft.title,
    caption: captionOf(input, draft, { excluded, cited: cited ? PUBLISHED_SOURCE : undefined }),
    runs: 1,
    trials: summary.recorded,
    excluded,
    columns: columns.map(({ id, title, unit, exact: isExact }) => ({ id, title, unit, exact: isExact })),
    rows,
    notes: [...(draft.notes ?? []), ...apartNote(rows), ...unpublishable(draft.rows)],
  };
}

function frameRow(input: TableInput, tableId: string, columns: readonly ColumnDraft[], draft: RowDraft): Row {
  const { of, part } = draft;
  const cut = input.counts.find(({ key }) => rowId(key) === rowId(of.key))?.cut ?? 0;
  const cells: Record<string, Cell> = {};
  for (const column of columns) {
    const value = draft.cells[column.id];
    if (value === undefined || !of.publishable || !Number.isFinite(value.value)) continue;
    if (input.exact && column.leavesWithCut === true && cut > 0) continue;
    cells[column.id] = { ...scaled(value, column.scale ?? 1), ...publishedBeside(of, tableId, column.id, part) };
  }
  return { key: { ...of.key, ...part }, section: sectionOf(of, input.manifest.plan), cells };
}

export function sectionOf({ key, row }: RowSummary, plan: ManifestPlan): Section {
  if (key.shape !== 'single') return 'by-name';
  if (row.floor) return 'floor';
  return row.publishedIsClaim === true && key.settings === 'default' && !hasHardenedBeside(plan) ? 'apart' : 'ranked';
}

/** Our own engine's default is never set against another row's default without that row's `hardened` and a hardened floor beside it (method M1.5). */
function hasHardenedBeside({ rows }: ManifestPlan): boolean {
  const single = rows.filter(({ shape }) => shape === 'single');
  const others = single.filter(({ floor, publishedIsClaim, settings }) => !floor && publishedIsClaim !== true && settings === 'default');
  const hardened = (framework: string) => single.some((row) => row.framework === framework && row.settings === 'hardened');
  return others.every(({ framework }) => hardened(framework)) && single.some(({ floor, settings }) => floor && settings === 'hardened');
}

function scaled({ value, n, low, high }: SummaryValue, scale: number): { value: number; n: number; low?: number; high?: number } {
  const interval = low !== undefined && high !== undefined && Number.isFinite(low) && Number.isFinite(high);
  return { value: rounded(value * scale), n, ...(interval && { low: rounded(low * scale), high: rounded(high * scale) }) };
}

/** The paper measured one shape a framework, under no settings of ours: its figure stands beside `default` rows only, and once a shape. */
function publishedBeside(of: RowSummary, tableId: string, column: string, part: RowDraft['part']): { published?: number; publishedIsClaim?: true } {
  const { publishedAs, publishedIsClaim } = of.row;
  if (publishedAs === undefined || of.key.settings !== 'default') return {};
  const published = publishedFigure(tableId, publishedAs, column, of.key.configuration ?? part?.taskType ?? part?.level?.toString());
  if (published === undefined) return {};
  return { published, ...(publishedIsClaim === true && { publishedIsClaim }) };
}

const SECTIONS: readonly Section[] = ['ranked', 'apart', 'floor', 'by-name'];
const PARTS: readonly string[] = ['zero-tool', 'document', 'web', 'overall'];

/** By part, block, rank and name; never by the order of records. */
function order(rows: readonly Row[], lead: TableDraft['lead'], plan: ManifestPlan): Row[] {
  const names = [...new Set(plan.rows.map(({ settings }) => settings))].sort();
  const settingsAt = (row: Row) => (row.key.settings === 'default' ? -1 : names.indexOf(row.key.settings));
  const configurations = plan.rows.map(({ configuration }) => configuration);
  const configurationAt = (row: Row) => configurations.indexOf(row.key.configuration);
  const direction = lead?.better === 'high' ? -1 : 1;
  const leadOf = (row: Row) => {
    const value = lead === undefined ? undefined : row.cells[lead.column]?.value;
    return typeof value === 'number' ? direction * value : Number.POSITIVE_INFINITY;
  };
  const partAt = ({ key }: Row) => (key.taskType === undefined ? (key.level ?? 0) : PARTS.indexOf(key.taskType));
  const sorted = [...rows].sort(
    (a, b) =>
      partAt(a) - partAt(b) ||
      SECTIONS.indexOf(a.section) - SECTIONS.indexOf(b.section) ||
      (a.section === 'ranked' ? settingsAt(a) - settingsAt(b) || compareLead(leadOf(a), leadOf(b)) : 0) ||
      compare(a.key.framework, b.key.framework) ||
      compare(a.key.shape, b.key.shape) ||
      settingsAt(a) - settingsAt(b) ||
      configurationAt(a) - configurationAt(b),
  );
  return rank(sorted, leadOf, (row) => `${partAt(row)} ${row.key.settings}`);
}

/** Equal values share the better place; the next row counts all before it. */
function rank(rows: readonly Row[], leadOf: (row: Row) => number, blockOf: (row: Row) => string): Row[] {
  let block: string | undefined;
  let place = 0;
  let shared = 0;
  let before: number | undefined;
  return rows.map((row) => {
    if (row.section !== 'ranked' || leadOf(row) === Number.POSITIVE_INFINITY) return row;
    if (blockOf(row) !== block) {
      block = blockOf(row);
      place = 0;
      before = undefined;
    }
    place += 1;
    if (leadOf(row) !== before) shared = place;
    before = leadOf(row);
    return { ...row, rank: shared };
  });
}

function apartNote(rows: readonly Row[]): string[] {
  const names = [...new Set(rows.filter(({ section }) => section === 'apart').map(({ key }) => key.framework))];
  return names.map(
    (name) => `${name} is our own and stands apart: it is ranked only where every other row's hardened settings and a hardened floor are in the run.`,
  );
}

function unpublishable(rows: readonly RowDraft[]): string[] {
  const names = new Set(rows.filter(({ of }) => !of.publishable).map(({ of }) => rowId(of.key)));
  return [...names].sort().map((name) => `${name}: a harness error fell into this row, so its cells are left out (method M4.3).`);
}

function compareLead(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
