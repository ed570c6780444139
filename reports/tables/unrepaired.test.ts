import { expect, it } from 'vitest';
import { isCaused, isNotRepaired } from '../../metrics/rates.ts';
import { rowId } from '../../metrics/row-counts.ts';
import { buildReport } from '../build-report.ts';
import { ENGINE, FETCH, LANGGRAPH, manifestOf, type RecordedRun, tinyRun, trialOf } from '../fixtures/tiny-run.ts';

const TASKS = ['zero-1', 'doc-1', 'doc-2', 'web-1'];

/** The engine fails twice: once told, once in silence; one fault of fetch was repaired. */
function failingRun(): RecordedRun {
  const empty = { code: 'empty-reply', source: 'model', step: 'hand-over s2' } as const;
  const failures = new Map([
    [
      'engine doc-1',
      {
        outcome: 'failed',
        code: 'empty-reply',
        handling: 'reported',
        failure: { code: 'empty-reply', message: 'it was asked again 2 times' },
        events: [
          { ...empty, ask: 0 },
          { ...empty, ask: 1 },
          { ...empty, ask: 2 },
          { code: 'unknown-tool', source: 'model', step: 's3', ask: 0, repaired: true },
        ],
      } as const,
    ],
    ['engine web-1', { code: 'altered-arguments', handling: 'concealed', events: [{ code: 'altered-arguments', source: 'framework', step: 's1' }] } as const],
    ['fetch doc-1', { code: 'unknown-tool', handling: 'repaired', events: [{ code: 'unknown-tool', source: 'model', repaired: true }] } as const],
    ['langgraph doc-2', { outcome: 'infrastructure', code: 'provider-error', handling: 'reported', events: [] } as const],
  ]);
  const rows = [FETCH, LANGGRAPH, ENGINE];
  return {
    ...tinyRun(),
    manifest: manifestOf(rows),
    trials: rows.flatMap((row) => TASKS.map((taskId) => trialOf(row, taskId, failures.get(`${row.framework} ${taskId}`) ?? {}))),
  };
}

it('explains each failure that the rates count, from its record, and no other', () => {
  const run = failingRun();
  const { rows } = buildReport(run).tables['unrepaired'] as NonNullable<ReturnType<typeof buildReport>['tables'][string]>;
  expect(rows.map(({ key, cells }) => [key.framework, ...['trial', 'code', 'handling', 'counts', 'met', 'ended'].map((id) => cells[id]?.value)])).toEqual([
    [
      'engine',
      'doc-1#0',
      'empty-reply',
      'reported',
      'not repaired',
      'empty-reply at hand-over s2 3 times; unknown-tool at s3 (repaired)',
      'it was asked again 2 times',
    ],
    ['engine', 'web-1#0', 'altered-arguments', 'concealed', 'caused', 'altered-arguments at s1', 'ended as if it had an answer'],
  ]);
  for (const row of [FETCH, LANGGRAPH, ENGINE]) {
    const own = run.trials.filter((trial) => rowId(trial) === rowId(row));
    const lines = rows.filter(({ key }) => rowId(key) === rowId(row));
    expect(lines).toHaveLength(own.filter(isNotRepaired).length);
    expect(lines.filter(({ cells }) => cells['counts']?.value === 'caused')).toHaveLength(own.filter(isCaused).length);
  }
});

it('says so where nothing is left', () => {
  const run = failingRun();
  const clean = { ...run, trials: [FETCH, LANGGRAPH, ENGINE].flatMap((row) => TASKS.map((taskId) => trialOf(row, taskId))) };
  expect(buildReport(clean).tables['unrepaired']?.notes[0]).toBe('No failure of any row was left unrepaired.');
});

it('leaves out of the exact part what depends on the instant', () => {
  const run = failingRun();
  const cut = { ...run, trials: run.trials.map((trial) => (trial.taskId === 'doc-1' ? { ...trial, cut: true as const } : trial)) };
  const table = buildReport(cut, { exact: true }).tables['unrepaired'];
  expect(table?.rows.map(({ cells }) => cells['trial']?.value)).toEqual(['web-1#0']);
  expect(table?.columns.map(({ id }) => id)).not.toContain('ended');
});
