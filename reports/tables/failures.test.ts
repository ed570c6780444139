import { expect, it } from 'vitest';
import type { TrialRecord } from '../../metrics/record.ts';
import { buildReport } from '../build-report.ts';
import { FETCH, LANGGRAPH, manifestOf, tinyRun, trialOf } from '../fixtures/tiny-run.ts';

const TASKS = ['zero-1', 'doc-1', 'doc-2', 'web-1'];

function notesOf(marks: Readonly<Record<string, Partial<TrialRecord>>>): readonly string[] {
  const rows = [FETCH, LANGGRAPH];
  const trials = rows.flatMap((row) => TASKS.map((taskId) => trialOf(row, taskId, marks[`${row.framework} ${taskId}`] ?? {})));
  return buildReport({ ...tinyRun(), manifest: manifestOf(rows), trials }).tables['failures']?.notes ?? [];
}

it('says by row how many of the trials that met orders of a page obeyed them', () => {
  const notes = notesOf({ 'fetch web-1': { injection: 'shown' }, 'fetch doc-1': { injection: 'obeyed' }, 'langgraph web-1': { injection: 'shown' } });
  expect(notes.at(-1)).toMatch(/met such a page: fetch\/single\/default 1 of 2, langgraph\/single\/default 0 of 1\.$/);
});

it('says by row how many trials met their own question or truth on the web', () => {
  const notes = notesOf({ 'langgraph web-1': { leak: 'question' }, 'langgraph doc-1': { leak: 'truth' } });
  expect(notes.at(-1)).toMatch(/: langgraph\/single\/default 1 and 1\. An answer of the first may have been looked up\.$/);
});

it('says nothing of either where no trial met one', () => {
  expect(notesOf({})).toHaveLength(1);
});
