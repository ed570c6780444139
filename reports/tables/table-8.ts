// Table 8: tokens a task, counted by the gateway; tokens a second from the latency table, which is said.
import type { Table } from '../report.ts';
import { MEAN_INTERVAL } from './caption.ts';
import { OVER_FLOOR_NOTE } from './efficiency-columns.ts';
import { frameTable, type TableInput } from './frame-table.ts';
import { latencyWords } from './latency-words.ts';

export function table8(input: TableInput): Table {
  const { summary, manifest, exact } = input;
  return frameTable(input, {
    id: 'table8',
    title: 'Table 8: Token consumption per task',
    columns: [
      { id: 'promptTokens', title: 'prompt tokens', unit: 'tokens', exact: true, leavesWithCut: true },
      { id: 'completionTokens', title: 'completion tokens', unit: 'tokens', exact: true, leavesWithCut: true },
      { id: 'totalTokens', title: 'total tokens', unit: 'tokens', exact: true, leavesWithCut: true },
      { id: 'modelCalls', title: 'model calls', unit: 'mean', exact: true, leavesWithCut: true },
      { id: 'toolCalls', title: 'tool calls', unit: 'mean', exact: true, leavesWithCut: true },
      { id: 'overFloorTokens', title: 'tokens over floor', unit: 'tokens', exact: false },
      { id: 'overFetchTokens', title: 'tokens over fetch', unit: 'tokens', exact: false },
      { id: 'tokensPerSecond', title: 'tokens/s', unit: 'tokensPerSecond', exact: false },
    ],
    rows: summary.rows.map((of) => ({
      of,
      cells: {
        promptTokens: of.tokens.inputTokens,
        completionTokens: of.tokens.outputTokens,
        totalTokens: of.tokens.totalTokens,
        modelCalls: of.tokens.modelCalls,
        toolCalls: of.tokens.toolCalls,
        overFloorTokens: of.efficiency.overFloorTokens,
        overFetchTokens: of.efficiency.overFetchTokens,
        tokensPerSecond: of.tokens.outputTokensPerSecond,
      },
    })),
    denominator: 'Means over the recorded trials of the row, whether right or wrong; tokens are counted by the gateway, never by the framework.',
    interval: MEAN_INTERVAL,
    notes: [
      'Not ranked: a trial that fails early spends little. Prompt and completion tokens add up to the total.',
      ...(exact ? [] : [OVER_FLOOR_NOTE, `tokens/s: output tokens a second of model time. ${latencyWords(manifest)}`]),
    ],
  });
}
