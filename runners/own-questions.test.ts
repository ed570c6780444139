// Studies over questions that nobody generated, against a loopback server in the place of a real model: scored as asked, and nothing gated leaves the private folder.
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RateCounts } from '../metrics/rates.ts';
import type { TrialRecord } from '../metrics/record.ts';
import { cacheDirectory } from './cache-directory.ts';
import { type PlanSpecInput, parsePlanSpec } from './plan-spec.ts';
import type { Progress } from './progress.ts';
import { privateAnswers } from './redaction.ts';
import { resolvePlan } from './resolved-plan.ts';
import { startStudy } from './start-study.ts';

const silent: Progress = { phase: () => {}, trial: () => {}, step: () => {}, note: () => {}, end: () => {} };
let scratch: string;
let server: Server;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'own-questions-'));
  // A model that repeats what it was asked, as models do, and then answers 8.
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const asked = body === '' ? '' : (JSON.parse(body) as { messages: { content: string }[] }).messages.at(-1)?.content;
      const message = { role: 'assistant', content: `You ask: ${asked}\nFINAL ANSWER: 8` };
      const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 };
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, finish_reason: 'stop', message }], usage }),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  rmSync(scratch, { recursive: true, force: true });
});

async function study(input: Partial<PlanSpecInput>): Promise<{ directory: string; records: TrialRecord[] }> {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const spec = parsePlanSpec({ name: 'own', rows: [{ framework: 'fetch' }], model: 'upstream:m', baseUrl, coldStarts: 0, ...input }, 'test');
  const plan = await resolvePlan(spec, { baseDirectory: scratch, cacheDirectory: cacheDirectory() });
  const { directory } = await startStudy({ plan, baseDirectory: scratch, out: join(scratch, 'runs'), progress: silent, signal: new AbortController().signal });
  const lines = readFileSync(join(directory, 'trials.jsonl'), 'utf8').split('\n').filter(Boolean);
  return { directory, records: lines.map((line) => JSON.parse(line) as TrialRecord) };
}

function gaia(split: 'validation' | 'test'): string {
  const folder = join(scratch, split, '2023', split);
  mkdirSync(folder, { recursive: true });
  const rows = ['alpha', 'beta'].map((name, i) => ({
    task_id: name,
    Question: `How many lanterns hang over the gate of the invented town of ${name} in the second winter?`,
    Level: i + 1,
    'Final answer': i === 0 ? '8' : 'nine and a half invented lanterns made of glass',
    file_name: '',
    'Annotator Metadata': { Tools: 'None' },
  }));
  writeFileSync(join(folder, 'metadata.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  return `gaia:${join(scratch, split)}`;
}

const everyFile = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('private'))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('\n');

describe('questions of one’s own', () => {
  it('are scored by the scorer that each names', async () => {
    const lines = [
      { id: 'legs', question: 'How many legs has a spider?', answer: '8.0' },
      { id: 'text', question: 'The same as text?', answer: '8.0', scorer: 'exact' },
    ];
    writeFileSync(join(scratch, 'mine.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
    const { records } = await study({ tasks: 'jsonl:mine.jsonl' });
    expect(Object.fromEntries(records.map(({ taskId, score }) => [taskId, score]))).toEqual({
      legs: { rule: 'number', correct: true },
      text: { rule: 'exact', correct: false },
    });
  });

  it('are refused with the simulated model, which follows plans', async () => {
    writeFileSync(join(scratch, 'mine.jsonl'), '{"question":"Q?","answer":"x"}');
    const spec = parsePlanSpec({ name: 'own', rows: [{ framework: 'fetch' }], tasks: 'jsonl:mine.jsonl' }, 'test');
    await expect(resolvePlan(spec, { baseDirectory: scratch, cacheDirectory: cacheDirectory() })).rejects.toMatchObject({ code: 'NO_PLANS' });
  });
});

describe('the official data', () => {
  it('leaves verdicts in the run, and no question, answer or truth', async () => {
    const { directory, records } = await study({ tasks: gaia('validation') });
    expect(records.map(({ taskId, score }) => [taskId, score?.correct]).sort()).toEqual([
      ['alpha', true],
      ['beta', false],
    ]);
    expect(everyFile(directory)).not.toMatch(/lantern|You ask/);
    expect(everyFile(directory)).toContain('redacted:');
    expect(
      privateAnswers(directory)
        .map(({ taskId, answer }) => [taskId, answer])
        .sort(),
    ).toEqual([
      ['alpha', '8'],
      ['beta', '8'],
    ]);
  });

  it('is recorded as hashes; the words lie in the private folder, from which alone they are played again', async () => {
    const tape = join(scratch, 'tape.jsonl');
    const { directory, records } = await study({ tasks: gaia('validation'), record: tape });
    expect(readFileSync(tape, 'utf8')).not.toMatch(/lantern|You ask/);
    expect(readFileSync(tape, 'utf8').match(/"key":/g)).toHaveLength(2);
    const whole = join(directory, 'private', 'cassette.jsonl');
    expect(readFileSync(whole, 'utf8')).toMatch(/You ask: .*lantern/);
    await expect(study({ tasks: gaia('validation'), replay: tape })).rejects.toThrow(/holds hashes; the words lie in private\/cassette.jsonl of the run/);
    const again = await study({ tasks: gaia('validation'), replay: whole });
    expect(again.records.map(({ taskId, score }) => [taskId, score])).toEqual(records.map(({ taskId, score }) => [taskId, score]));
    expect(everyFile(again.directory)).not.toMatch(/lantern|You ask/);
  });

  it('is never scored on the test split: accuracy is unknown there, not zero', async () => {
    const { records } = await study({ tasks: gaia('test'), split: 'test' });
    expect(records.map(({ outcome, score }) => [outcome, score])).toEqual([
      ['completed', undefined],
      ['completed', undefined],
    ]);
    const counts = new RateCounts();
    for (const record of records) counts.add(record);
    const rates = counts.rates(2, 1);
    expect(rates).not.toHaveProperty('accuracyPercent');
    expect(rates).not.toHaveProperty('accuracyOfScoredPercent');
    expect(rates).toHaveProperty('causedPercent');
  });
});
