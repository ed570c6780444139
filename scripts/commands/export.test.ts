// The leaderboard's file, from a run whose records are made by hand: what it holds, and what stops it. The questions are invented.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { manifest, planRow, trialRecord } from '../../metrics/testing-records.ts';
import { Redaction } from '../../runners/redaction.ts';
import type { Level } from '../../tasks/task.ts';
import { exportCommand } from './export.ts';

const scratch = mkdtempSync(join(tmpdir(), 'agentgauge-export-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** As many of each level as the leaderboard counts. */
const TASKS = ([53, 86, 26] as const).flatMap((count, i) =>
  Array.from({ length: count }, (_, at) => ({ taskId: `q-${i + 1}-${at}`, taskType: 'zero-tool' as const, level: (i + 1) as Level })),
);
const questionOf = (taskId: string) => `How many lanterns hang over the gate of the invented town that is called ${taskId}?`;
let runs = 0;
let directory: string;
let file: string;

beforeEach(() => {
  directory = join(scratch, `run-${++runs}`);
  file = join(scratch, `submission-${runs}.jsonl`);
  const data = join(scratch, 'data', '2023', 'validation');
  mkdirSync(data, { recursive: true });
  mkdirSync(directory);
  writeFileSync(
    join(data, 'metadata.jsonl'),
    TASKS.map(({ taskId, level }) =>
      JSON.stringify({ task_id: taskId, Question: questionOf(taskId), Level: level, 'Final answer': '8', file_name: '', 'Annotator Metadata': {} }),
    ).join('\n'),
  );
  const facts = { taskSet: { name: 'gaia:validation', seed: 1, hash: 'x', tasks: 165, pages: 0 } };
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify(manifest([planRow('fetch'), planRow('langgraph')], TASKS, {}, facts)));
  const spec = { name: 'official', rows: [{ framework: 'fetch' }], tasks: 'gaia:data', model: 'upstream:m', baseUrl: 'http://127.0.0.1:1/v1' };
  writeFileSync(join(directory, 'plan.json'), JSON.stringify({ spec, baseDirectory: scratch }));
  const redaction = Redaction.of(directory);
  for (const framework of ['fetch', 'langgraph'])
    for (const { taskId } of TASKS) redaction.keepAnswer(trialRecord({ framework, taskId, answer: `${framework} says ${taskId}` }));
});

async function submit(values: Record<string, string | boolean> = {}) {
  let out = '';
  const io = {
    stdin: Readable.from([]),
    out: (text: string) => {
      out += text;
    },
    err: () => {},
    terminal: false,
    columns: 80,
    signal: new AbortController().signal,
  };
  const code = await exportCommand.run({ positionals: ['submission', directory], values: { row: 'fetch/single/default', out: file, ...values } }, io);
  return { code, out };
}

describe('agentgauge export submission', () => {
  it('writes every question once with the answer of the row that was named, for its user alone', async () => {
    const { code, out } = await submit();
    expect(code).toBe(0);
    expect(out).toMatch(/^165 answers of fetch\/single\/default written to .*, 0 of them empty\.\n/);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(TASKS.map(({ taskId }) => ({ task_id: taskId, model_answer: `fetch says ${taskId}` })));
    expect(statSync(file).mode & 0o077).toBe(0);
    await expect(submit()).rejects.toMatchObject({ code: 'FILE_EXISTS' });
  });

  it('takes the last answer of a trial that ran again, and empty ones only when told to', async () => {
    const answers = join(directory, 'private', 'answers.jsonl');
    const [first, ...rest] = readFileSync(answers, 'utf8').trimEnd().split('\n') as [string, ...string[]];
    writeFileSync(answers, `${[...rest].join('\n')}\n`);
    await expect(submit()).rejects.toMatchObject({ code: 'SUBMISSION_INCOMPLETE' });
    expect((await submit({ 'fill-missing': true })).out).toMatch(/1 of them empty/);
    rmSync(file);
    writeFileSync(answers, `${[first, ...rest, first.replace('fetch says', 'on second thoughts')].join('\n')}\n{"half a li`);
    await submit();
    expect(readFileSync(file, 'utf8')).toContain('"on second thoughts q-1-0"');
  });

  it('writes nothing while a file of the run holds text of a question', async () => {
    writeFileSync(join(directory, 'notes.txt'), questionOf('q-2-7').toUpperCase());
    await expect(submit()).rejects.toMatchObject({ code: 'CANARY_FOUND', message: expect.stringContaining('notes.txt holds text of the protected task') });
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    [{ row: 'autogen/single/default' }, 'EXPORT_ROW'],
    [{ trial: '1' }, 'BAD_OPTION'],
  ])('says what is wrong with %j', async (values, code) => {
    await expect(submit(values as Record<string, string>)).rejects.toMatchObject({ code, remedy: expect.any(String) });
  });
});
