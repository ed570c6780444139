// Shapes: what dividing a question into subtasks changes (method M1.4). Ordered by name and never ranked: another shape is another exposure, which stands beside it.

import { WIDTHS } from '../../metrics/shape-effect.ts';
import type { RowSummary, SummaryValue } from '../../metrics/summaries.ts';
import type { Table } from '../report.ts';
import { MEAN_INTERVAL, WILSON } from './caption.ts';
import { exactColumn } from './exact.ts';
import { type ColumnDraft, frameTable, type TableInput } from './frame-table.ts';
import { isScored } from './scored.ts';

/** @returns `undefined` for a run that holds one shape only */
export function shapes(input: TableInput): Table | undefined {
  const shaped = input.summary.rows.filter(({ shapeEffect }) => shapeEffect !== undefined);
  if (!shaped.some(({ key }) => key.shape !== 'single' && key.configuration === undefined)) return undefined;
  const cut = (id: string, title: string): ColumnDraft => ({ id, title, unit: 'mean', exact: true, leavesWithCut: true });
  return frameTable(input, {
    id: 'shapes',
    title: 'Shapes: what dividing a question into subtasks changes',
    columns: [
      cut('modelCalls', 'model calls'),
      cut('toolCalls', 'tool calls'),
      cut('handOvers', 'hand-overs'),
      ...WIDTHS.map((width) => exactColumn(`width ${width}`, `accuracy %, ${width} ${width === '1' ? 'chain' : 'chains'}`, 'percent')),
      exactColumn('overDagFloorPoints', 'points over fetch dag', 'mean'),
      exactColumn('overSinglePoints', 'points over its single, 2+ chains', 'mean'),
    ],
    rows: shaped.map((of) => ({ of, cells: isScored(of, input.counts) ? cellsOf(of) : {} })),
    denominator: 'Document and web tasks alone: a task without tools is one agent in every shape. Accuracy: recorded trials.',
    interval: `${MEAN_INTERVAL} ${WILSON}`,
    notes: [
      'No ranking across shapes: a row of another shape than single makes other calls and hands values over, and stands beside these exposures. No row here offers the model a route to choose.',
      'What a framework makes of the shared graph is its row dag minus fetch dag, on the trials that both have; what the shape does is told by the number of independent chains. One run of one seed has no interval for a difference.',
    ],
  });
}

function cellsOf({ shapeEffect }: RowSummary): Readonly<Record<string, SummaryValue | undefined>> {
  const { accuracyByWidth = {}, ...cells } = shapeEffect ?? {};
  return { ...cells, ...Object.fromEntries(WIDTHS.map((width) => [`width ${width}`, accuracyByWidth[width]])) };
}
