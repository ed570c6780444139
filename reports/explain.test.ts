// A cell and the trials behind it must agree: the explanation is made apart from the summaries and held against them here.
import { describe, expect, it } from 'vitest';
import { buildReport } from './build-report.ts';
import { type Explanation, explainCell } from './explain.ts';
import { tinyRun } from './fixtures/tiny-run.ts';

const RATES = ['accuracyPercent', 'causedPercent', 'notRepairedPercent', 'causedWithoutCapPercent', 'notRepairedWithoutCapPercent'];
const TOKENS = ['promptTokens', 'completionTokens', 'totalTokens', 'modelCalls', 'toolCalls'];
const TIMES = ['overheadMs', 'overheadAndSetupMs', 'cpuMs'];

function cellsOf(table: string, columns: readonly string[]): string[] {
  const rows = buildReport(tinyRun()).tables[table]?.rows ?? [];
  return rows.flatMap(({ key, cells }) => {
    const part = key.taskType === undefined ? '' : `/${key.taskType}`;
    return columns.filter((column) => cells[column] !== undefined).map((column) => `${table}:${key.framework}/${key.shape}/${key.settings}${part}:${column}`);
  });
}

async function explain(address: string): Promise<Explanation> {
  const run = tinyRun();
  return await explainCell(run, run.trials, address);
}

function valuesOf({ observations }: Explanation): number[] {
  return observations.flatMap(({ value }) => (value === undefined ? [] : [value]));
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2;
}

describe('explainCell', () => {
  it('lists every planned trial of a rate with its value', async () => {
    expect(await explain('table1:langgraph/single/default:accuracyPercent')).toMatchInlineSnapshot(`
      {
        "high": 84.996101,
        "low": 15.003899,
        "meaning": "1: the answer is right, 0: not. The cell is their share of all planned trials, in percent.",
        "n": 4,
        "observations": [
          {
            "note": "completed",
            "trial": "zero-1#0",
            "value": 1,
          },
          {
            "note": "completed",
            "trial": "doc-1#0",
            "value": 1,
          },
          {
            "note": "failed unknown-tool reported",
            "trial": "doc-2#0",
            "value": 0,
          },
          {
            "note": "limit iteration-cap concealed",
            "trial": "web-1#0",
            "value": 0,
          },
        ],
        "value": 50,
      }
    `);
  });

  it.each([...cellsOf('table1', RATES), ...cellsOf('table5', RATES)])('agrees with the rate %s', async (address) => {
    const explanation = await explain(address);
    const { value, n } = explanation;
    expect(valuesOf(explanation)).toHaveLength(n);
    expect(100 * mean(valuesOf(explanation))).toBeCloseTo(Number(value), 5);
  });

  it.each([...cellsOf('table8', [...TOKENS, 'tokensPerSecond']), ...cellsOf('table9', ['meanSeconds'])])('agrees with the mean %s', async (address) => {
    const explanation = await explain(address);
    const { value, n } = explanation;
    expect(valuesOf(explanation)).toHaveLength(n);
    expect(mean(valuesOf(explanation))).toBeCloseTo(Number(value), 5);
  });

  it.each([...cellsOf('table1', TIMES), ...cellsOf('table6', [...TIMES, 'toolMs']), ...cellsOf('table10', ['importMs', 'setupMs', 'firstRunMs'])])(
    'agrees with the median %s',
    async (address) => {
      const explanation = await explain(address);
      const { value, n } = explanation;
      expect(valuesOf(explanation)).toHaveLength(n);
      expect(median(valuesOf(explanation))).toBeCloseTo(Number(value), 5);
    },
  );

  it('lists the trials under a code', async () => {
    expect((await explain('failures:langgraph/single/default/unknown-tool:reported')).observations).toEqual([
      { trial: 'doc-2#0', value: 1, note: 'failed unknown-tool reported' },
    ]);
  });

  it.each([
    ['tableX:fetch/single/default:accuracyPercent', /names the table "tableX"/],
    ['table1:nobody/single/default:accuracyPercent', /names the row of table1 "nobody\/single\/default"/],
    ['table1:fetch/single/default:nothing', /names the column of table1 "nothing"/],
    ['nonsense', /names the table "nonsense"/],
  ])('refuses %s and says what there is', async (address, expected) => {
    await expect(explain(address)).rejects.toThrow(expected);
  });
});
