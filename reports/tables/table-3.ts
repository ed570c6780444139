// Table 3: the memory ablation (method M8). Prompts, contexts and bytes are measured; accuracy is what a published curve of reading in long contexts implies, and is
// marked so. What free text loses on an edge nobody has published: that cell says so, and the sweep stands in a note.
import { CURVE_SETS } from '../../base/reading-curve.ts';
import { EDGE_LOSSES, PAGE_LENGTHS } from '../../metrics/memory-tiers.ts';
import type { RowSummary } from '../../metrics/summaries.ts';
import type { Table } from '../report.ts';
import { MEAN_INTERVAL, WILSON } from './caption.ts';
import { type ColumnDraft, frameTable, type TableInput } from './frame-table.ts';
import { table3 as notInThisRun } from './not-in-this-run.ts';

const PARTS = { planner: 'planner', 'subtask-worker': 'worker', synthesis: 'synthesis' } as const;
const TIERS = { scratchKept: 'scratch', stateKept: 'state', connectorsKept: 'connectors', transcriptKept: 'transcript' } as const;
/** The configuration in which values travel as free text. */
const FREE_TEXT = 'without-structured-state';
const NOT_MEASURABLE = 'not measurable with this model';

/** What each configuration does in place of the tier, for whoever reads the table alone. */
const SWITCHES = [
  'full: each prompt holds its declared input and keys; nothing of a turn outlives it. without-scratch: turns of agents are kept, and stand in short in the prompts behind them. without-structured-state: reports pass as free text, without keys. without-connectors: tool results stay, and stand whole in the prompts behind. single-tier: one transcript, in turn.',
  'A worker asks nobody before it, so its own context grows only with a single tier, or where a result is over its limit (none here is, if without-connectors equals full).',
];

export function table3(input: TableInput): Table {
  const rows = input.summary.rows.filter(({ key }) => key.configuration !== undefined);
  if (rows.length === 0) return notInThisRun();
  const exact = (id: string, title: string, unit: ColumnDraft['unit']): ColumnDraft => ({ id, title, unit, exact: true, leavesWithCut: true });
  const columns: ColumnDraft[] = [
    exact('promptTokens', 'prompt tokens a trial', 'tokens'),
    ...Object.values(PARTS).map((part) => exact(`${part}ContextTokens`, `largest context, ${part}`, 'tokens')),
    ...Object.entries(TIERS).map(([tier, title]): ColumnDraft => ({ id: `${tier}Bytes`, title: `kept, ${title}, bytes`, unit: 'count', exact: false })),
    { id: 'peakMemoryMb', title: 'process peak MB', unit: 'megabytes', exact: false, scale: 1e-6 },
    ...CURVE_SETS.map(({ model }) => exact(`implied ${model}`, `implied accuracy %, ${model}`, 'percent')),
    ...PAGE_LENGTHS.filter((factor) => factor !== 1).map((factor) => exact(`implied x${factor}`, `implied %, pages × ${factor}`, 'percent')),
    exact('accuracyPercent', 'accuracy % of the run', 'percent'),
  ];
  const table = frameTable(input, {
    id: 'table3',
    title: 'Table 3: Memory ablation',
    columns,
    rows: rows.map((of) => ({ of, cells: cellsOf(of) })),
    denominator: 'Denominator: trials whose usage is exact for contexts and bytes; tokens are counted by the gateway, bytes by the engine itself.',
    interval: `${MEAN_INTERVAL} ${WILSON}`,
    notes: [
      ...SWITCHES,
      'Implied: the share of trials in which every value is read rightly at the recorded context lengths, by published curves (NoLiMa for a step whose evidence shares few words with what is asked, RULER for the rest), everything else being right. No model was measured.',
      ...CURVE_SETS.map(
        ({ model, lexical, associative }) => `Curve ${model}: ${lexical.name} and ${associative.name}, each divided by its value at its shortest length.`,
      ),
      'Accuracy of the run is what the simulated model did, faults of its profile included: it follows from the same curve, so it is a self-test and no finding. "Pages × f": context lengths times f.',
      ...sweep(rows),
    ],
  });
  return {
    ...table,
    rows: table.rows.map((row) => (row.key.configuration === FREE_TEXT ? { ...row, cells: withoutImplied(row.cells) } : row)),
  };
}

function cellsOf(of: RowSummary) {
  const { memoryTiers: tiers, tokens, coldStart, rates } = of;
  return {
    promptTokens: tokens.inputTokens,
    ...Object.fromEntries(Object.entries(PARTS).map(([part, name]) => [`${name}ContextTokens`, tiers?.contextTokens[part]])),
    ...Object.fromEntries(Object.keys(TIERS).map((tier) => [`${tier}Bytes`, tiers?.tierBytes[tier]])),
    peakMemoryMb: coldStart.peakBytes,
    ...Object.fromEntries(CURVE_SETS.map(({ model }) => [`implied ${model}`, tiers?.impliedPercent[model]])),
    ...Object.fromEntries(PAGE_LENGTHS.map((factor) => [`implied x${factor}`, tiers?.impliedAtLength[String(factor)]])),
    accuracyPercent: rates.accuracyPercent,
  };
}

function withoutImplied(cells: Table['rows'][number]['cells']): Table['rows'][number]['cells'] {
  return Object.fromEntries(Object.entries(cells).map(([id, cell]) => [id, id.startsWith('implied ') ? { value: NOT_MEASURABLE, n: cell.n } : cell]));
}

/** What the cell would be if so much were lost: an assumption, and said as one. */
function sweep(rows: readonly RowSummary[]): string[] {
  const tiers = rows.find(({ key }) => key.configuration === FREE_TEXT)?.memoryTiers;
  if (tiers === undefined) return [];
  const at = EDGE_LOSSES.flatMap((loss) => {
    const value = tiers.impliedAtLoss[String(loss)];
    return value === undefined ? [] : `${value.value.toFixed(1)} % at ${100 * loss} %`;
  });
  return [
    `${FREE_TEXT}: what free text loses on an edge has no published rate, and this model loses nothing there, so its accuracy is ${NOT_MEASURABLE}. If so many of the values were lost or mixed up an edge, the curve of ${CURVE_SETS[0].model} would imply ${at.join(', ')} (assumed).`,
  ];
}
