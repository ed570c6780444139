import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TrialRecord } from '../metrics/record.ts';
import { Canaries, privateAnswers, Redaction } from './redaction.ts';
import { RunDirectory } from './run-directory.ts';

let run: string;
beforeEach(() => {
  run = mkdtempSync(join(tmpdir(), 'redaction-'));
});
afterEach(() => rmSync(run, { recursive: true, force: true }));

const QUESTION = 'How many "red" lanterns\nhang over the gate of the invented town of Selbrook?';

function record(more: Partial<TrialRecord> = {}): TrialRecord {
  return { framework: 'fetch', shape: 'single', settings: 'default', taskId: 'one', trialIndex: 0, outcome: 'completed', ...more } as TrialRecord;
}

describe('redaction', () => {
  it('leaves verdicts, counts and names, and hashes what an agent said', () => {
    const redaction = Redaction.of(run);
    const redacted = redaction.trial(
      record({ output: 'FINAL ANSWER: Zanzibar', answer: 'Zanzibar', score: { rule: 'number', correct: true }, failure: { code: 'hang', message: QUESTION } }),
    );
    expect(redacted).toMatchObject({ taskId: 'one', score: { correct: true }, failure: { code: 'hang' } });
    expect(JSON.stringify(redacted)).not.toMatch(/Zanzibar|lantern/);
  });

  it('gives equal texts of a run equal hashes, and another run others, so that a short answer cannot be guessed', () => {
    const other = mkdtempSync(join(tmpdir(), 'redaction-'));
    try {
      expect(Redaction.of(run).text('17')).toBe(Redaction.of(run).text('17'));
      expect(Redaction.of(other).text('17')).not.toBe(Redaction.of(run).text('17'));
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  });

  it('keeps the shape of a transcript, and no text of it, keys included', () => {
    const transcript = {
      modelCalls: [{ status: 200, request: { messages: [{ role: 'user', content: QUESTION }], tools: [{ type: 'function' }] } }],
      [QUESTION]: 1,
    };
    const redacted = Redaction.of(run).deep(transcript);
    expect(redacted).toMatchObject({ modelCalls: [{ status: 200, request: { messages: [{ role: 'user' }], tools: [{ type: 'function' }] } }] });
    expect(JSON.stringify(redacted)).not.toContain('lantern');
  });

  it('is done to transcripts that come spelled', () => {
    const directory = RunDirectory.take(run, '2026-01-01T00:00:00.000Z');
    directory.redactWith(Redaction.of(run));
    directory.writeTranscript('one.json', JSON.stringify({ modelCalls: [{ status: 200, requestBody: { messages: [{ role: 'user', content: QUESTION }] } }] }));
    directory.release();
    const text = readFileSync(join(run, 'transcripts', 'one.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      modelCalls: [{ status: 200, requestBody: { messages: [{ role: 'user', content: expect.stringMatching(/^redacted:/) }] } }],
    });
    expect(text).not.toContain('lantern');
  });

  it('keeps the addresses that a trial asked for in the private folder alone', () => {
    const redaction = Redaction.of(run);
    const url = 'https://lanterns.example/selbrook';
    redaction.keepUrls(record(), [url]);
    expect(JSON.parse(readFileSync(join(run, 'private', 'urls.jsonl'), 'utf8'))).toEqual({
      framework: 'fetch',
      shape: 'single',
      settings: 'default',
      taskId: 'one',
      trialIndex: 0,
      urls: [url],
    });
    expect(JSON.stringify(redaction.deep({ toolCalls: [{ name: 'web_fetch', urls: [url] }] }))).not.toContain('lanterns');
  });

  it('keeps the answers in a private folder that no repository takes up, the last one of a trial', () => {
    const redaction = Redaction.of(run);
    redaction.keepAnswer(record({ answer: '16' }));
    redaction.keepAnswer(record({ answer: '17' }));
    redaction.keepAnswer(record({ taskId: 'two' }));
    expect(privateAnswers(run)).toEqual([
      { framework: 'fetch', shape: 'single', settings: 'default', taskId: 'one', trialIndex: 0, answer: '17' },
      { framework: 'fetch', shape: 'single', settings: 'default', taskId: 'two', trialIndex: 0 },
    ]);
    expect(readFileSync(join(run, 'private', '.gitignore'), 'utf8')).toBe('*\n');
    expect(statSync(join(run, 'private')).mode & 0o077).toBe(0);
    expect(statSync(join(run, 'private', 'answers.jsonl')).mode & 0o077).toBe(0);
  });
});

describe('the canary check', () => {
  const canaries = new Canaries([{ taskId: 'one', text: QUESTION }]);

  it.each([
    ['as it stands', QUESTION],
    ['within JSON', JSON.stringify({ text: QUESTION })],
    ['within JSON within JSON', JSON.stringify(JSON.stringify({ text: QUESTION }))],
    ['cut in half', QUESTION.slice(QUESTION.length / 3)],
    ['in capitals and with other line breaks', QUESTION.toUpperCase().replaceAll(' ', '\r\n')],
  ])('finds a question %s', (_, text) => {
    expect(canaries.find(`{"a": 1} ${text} more`)).toBe('one');
  });

  it('finds nothing in a redacted run, and leaves short truths aside that stand anywhere by chance', () => {
    expect(canaries.find(JSON.stringify(Redaction.of(run).deep({ text: QUESTION })))).toBeUndefined();
    expect(new Canaries([{ taskId: 'one', text: '17' }]).find('17 of 68')).toBeUndefined();
  });

  it('names the file, and passes over the private folder', () => {
    Redaction.of(run);
    writeFileSync(join(run, 'private', 'note.txt'), QUESTION);
    canaries.check(run);
    mkdirSync(join(run, 'report'));
    writeFileSync(join(run, 'report', 'table.md'), `| ${QUESTION} |`);
    expect(() => canaries.check(run)).toThrow(/table\.md holds text of the protected task one/);
  });
});
