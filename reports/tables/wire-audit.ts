// The wire audit (rule 5 of the design): where a row's requests differ from those of the floor of its language. Equal terms are checked here, not assumed.
// The floor's own line prints the values; another row's cell says `same` or the difference.
import type { WireRecord } from '../../metrics/record.ts';
import { type RowCounts, rowId } from '../../metrics/row-counts.ts';
import type { RowSummary, TaskType } from '../../metrics/summaries.ts';
import type { Cell, Column, Row, Table } from '../report.ts';
import { captionOf } from './caption.ts';
import { exactColumn } from './exact.ts';
import { sectionOf, type TableInput } from './frame-table.ts';
import { compareFact, describeFact, readWire, WIRE_FACTS, WIRE_READINGS } from './wire-differences.ts';

type Facts = Readonly<Record<string, unknown>>;

const RETRY_WAIT: Column = { id: 'retryWaitMs', title: 'wait before it', unit: 'ms', exact: false };
const COLUMNS: readonly Column[] = [
  exactColumn('heldAgainst', 'held against', 'text'),
  ...[...WIRE_FACTS, ...WIRE_READINGS].map(([id, title]) => exactColumn(id, title, 'text')),
  exactColumn('requests', 'requests', 'count'),
  exactColumn('retriedCalls', 'retried calls', 'count'),
  RETRY_WAIT,
];

export function wireAudit(input: TableInput, wires: readonly WireRecord[]): Table {
  const { summary } = input;
  const facts = new Map(wires.map((wire) => [wire.wire, (wire.facts ?? {}) as Facts]));
  const rows = summary.rows.flatMap((of) => auditRow(of, floorOf(of, summary.rows), facts, input));
  return {
    id: 'wireAudit',
    title: 'Wire audit: where requests differ from the floor',
    caption: captionOf(
      input,
      { denominator: 'n: trials whose requests looked like this.', interval: 'Facts of the first request of each trial, so no interval.' },
      { excluded: [], cited: undefined },
    ),
    runs: 1,
    trials: summary.recorded,
    excluded: [],
    columns: COLUMNS.filter(({ exact }) => exact || !input.exact),
    rows,
    notes: [
      'tool calls: native where tools are offered in their field of the request, in the text where a row offers none and its floor does. tool schemas: lossy where a name, type, description or requirement of a parameter is said nowhere in the offer; how it is said otherwise stands under tools.',
      'requests: model requests of the whole row, in n trials. retried calls: those that directly followed one with an error status; the gateway itself never retries. Both stand on the first line of a row.',
      ...(rows.some(({ cells }) => RETRY_WAIT.id in cells)
        ? ['wait before it: from the end of the failed call to the next, the mean. It is part of the overhead of a trial (method M6.1).']
        : []),
    ],
  };
}

/** The first floor of the row's language in the plan; a `default` one, for a patch changes what is sent. */
function floorOf(row: RowSummary, rows: readonly RowSummary[]): RowSummary | undefined {
  const floors = rows.filter((other) => other.row.floor && other.row.language === row.row.language && other.key.shape === 'single');
  return floors.find(({ key }) => key.settings === 'default') ?? floors[0];
}

function auditRow(of: RowSummary, floor: RowSummary | undefined, facts: ReadonlyMap<string, Facts>, { counts, manifest, exact }: TableInput): Row[] {
  const own = countsOf(of, counts);
  if (own === undefined) return [];
  const isFloor = floor === undefined || floor === of;
  const lines: { taskTypes: TaskType[]; texts: Record<string, string>; n: number }[] = [];
  for (const { taskType, wire, trials } of own.wires) {
    const mine = facts.get(wire);
    if (mine === undefined) continue;
    const theirs = isFloor ? undefined : usualFacts(countsOf(floor, counts), taskType, facts);
    if (!isFloor && theirs === undefined) continue;
    const texts = {
      ...Object.fromEntries(WIRE_FACTS.map(([name]) => [name, theirs === undefined ? describeFact(name, mine) : compareFact(name, mine, theirs)])),
      ...readWire(mine, theirs),
    };
    // Task types that say the same share a line.
    const twin = lines.find((line) => sameTexts(line.texts, texts));
    if (twin === undefined) lines.push({ taskTypes: [taskType], texts, n: trials });
    else {
      twin.n += trials;
      if (!twin.taskTypes.includes(taskType)) twin.taskTypes.push(taskType);
    }
  }
  const all = new Set(own.wires.map(({ taskType }) => taskType)).size;
  return lines.map(({ taskTypes, texts, n }, index): Row => {
    const cells: Record<string, Cell> = { heldAgainst: { value: isFloor ? 'itself' : rowId(floor.key), n } };
    for (const [name, text] of Object.entries(texts)) cells[name] = { value: text, n };
    if (index === 0) {
      cells.requests = { value: own.modelCalls, n: own.recorded };
      cells.retriedCalls = { value: own.retriedCalls, n: own.modelCalls };
      if (own.retryWaitMs !== undefined && !exact) cells[RETRY_WAIT.id] = own.retryWaitMs;
    }
    return { key: { ...of.key, ...(taskTypes.length < all && { taskType: taskTypes.join(', ') }) }, section: sectionOf(of, manifest.plan), cells };
  });
}

function countsOf(row: RowSummary, counts: readonly RowCounts[]): RowCounts | undefined {
  return counts.find(({ key }) => rowId(key) === rowId(row.key));
}

/** What most of the floor's trials of this task type sent. */
function usualFacts(floor: RowCounts | undefined, taskType: TaskType, facts: ReadonlyMap<string, Facts>): Facts | undefined {
  const known = (floor?.wires ?? []).filter((wire) => wire.taskType === taskType && facts.has(wire.wire));
  const usual = known.reduce<(typeof known)[number] | undefined>((best, wire) => (best === undefined || wire.trials > best.trials ? wire : best), undefined);
  return usual === undefined ? undefined : facts.get(usual.wire);
}

function sameTexts(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return Object.entries(a).every(([name, text]) => b[name] === text);
}
