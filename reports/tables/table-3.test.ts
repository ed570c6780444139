import { describe, expect, it } from 'vitest';
import { buildReport } from '../build-report.ts';
import { type ExplanationContext, explanationOf } from '../explanations.ts';
import { ENGINE, manifestOf, tinyRun, trialOf } from '../fixtures/tiny-run.ts';
import { renderMarkdown } from '../render/markdown.ts';

const CONFIGURATIONS = ['full', 'without-scratch', 'without-structured-state', 'without-connectors', 'single-tier'];
const rows = CONFIGURATIONS.map((configuration) => ({ ...ENGINE, shape: 'dag', configuration }));
const trials = rows.flatMap((row, at) =>
  ['doc-1', 'web-1'].map((taskId) =>
    trialOf(row, taskId, {
      configuration: row.configuration,
      parts: { synthesis: { modelCalls: 1, inputTokens: 100 * (at + 1), largestInputTokens: 100 * (at + 1), answers: 1 } },
      readings: [['s1', 8_000 * (at + 1), 'handed-over']],
      tierBytes: { scratchKept: at, stateKept: 7 },
    }),
  ),
);
const ablation = { ...tinyRun(), manifest: manifestOf(rows, { name: 'ablate-memory' }), trials };

describe('table 3', () => {
  const { table3 } = buildReport(ablation).tables;
  const cellsOf = (configuration: string) => table3?.rows.find(({ key }) => key.configuration === configuration)?.cells ?? {};

  it('has a row a configuration, in the order of the plan, without a rank', () => {
    expect(table3?.rows.map(({ key }) => key.configuration)).toEqual(CONFIGURATIONS);
    expect(table3?.rows.filter(({ rank }) => rank !== undefined)).toEqual([]);
  });

  it('prints what was measured, with the paper’s figure of that configuration as a claim', () => {
    expect(cellsOf('without-scratch')['synthesisContextTokens']).toMatchObject({ value: 200, n: 2 });
    expect(cellsOf('without-scratch')['scratchKeptBytes']).toMatchObject({ value: 1, n: 2 });
    expect(cellsOf('without-scratch')['accuracyPercent']).toMatchObject({ published: 64.7, publishedIsClaim: true });
    expect(cellsOf('single-tier')['accuracyPercent']).toMatchObject({ published: 52.9 });
  });

  it('prints implied accuracy by three curves and at other page lengths, without an interval', () => {
    expect(cellsOf('full')['implied gpt-4o-mini']).toEqual({ value: expect.closeTo((100 * 93.8) / 95.5, 4), n: 2 });
    expect(cellsOf('full')['implied gpt-4o']).toEqual({ value: expect.closeTo((100 * 96.3) / 96.6, 4), n: 2 });
    expect(cellsOf('full')['implied x2']).toEqual({ value: expect.closeTo((100 * 91.6) / 95.5, 4), n: 2 });
    expect(table3?.columns.filter(({ title }) => title.startsWith('implied')).map(({ title }) => title)).toEqual([
      'implied accuracy %, gpt-4o-mini',
      'implied accuracy %, gpt-4o',
      'implied accuracy %, llama-3.1-70b',
      'implied %, pages × 0.5',
      'implied %, pages × 2',
      'implied %, pages × 4',
    ]);
  });

  it('says of free text that its accuracy is not measurable with this model, and gives the sweep beside it', () => {
    const cells = cellsOf('without-structured-state');
    for (const [id, cell] of Object.entries(cells)) if (id.startsWith('implied ')) expect(cell.value).toBe('not measurable with this model');
    expect(table3?.notes.find((note) => note.startsWith('without-structured-state'))).toMatch(/at 0 %, .* at 2 %, .* at 5 %, .* at 10 % \(assumed\)/);
    expect(renderMarkdown(buildReport(ablation))).toContain('not measurable with this model');
  });

  it.each(['plannerContextTokens', 'scratchKeptBytes', 'implied gpt-4o', 'implied x4'])('explains %s by what each trial brings in', (column) => {
    const explanation = explanationOf('table3', column);
    if (explanation.kind !== 'trial') throw new Error(explanation.kind);
    const brought = trials.filter(({ configuration }) => configuration === 'full').map((one) => explanation.of(one, {} as ExplanationContext));
    const cell = cellsOf('full')[column];
    if (cell === undefined) return expect(brought).toEqual([undefined, undefined]);
    expect(brought.reduce<number>((total, value) => total + (value ?? 0), 0) / 2).toBeCloseTo(Number(cell.value), 4);
  });

  it('stands in the exact part of an ablation without bytes and megabytes, and in that of no other run', () => {
    const exact = buildReport(ablation, { exact: true }).tables['table3'];
    expect(exact?.columns.map(({ id }) => id)).not.toContain('scratchKeptBytes');
    expect(exact?.columns.map(({ id }) => id)).toContain('promptTokens');
    expect(buildReport(tinyRun(), { exact: true }).tables['table3']).toBeUndefined();
    expect(buildReport(tinyRun()).tables['table3']?.caption).toBe('The memory ablation was not part of this run.');
  });
});
