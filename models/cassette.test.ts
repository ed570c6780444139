// A model's words on file, and said again: keys, order, trials, misses, redaction, half-written ends.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordingSource, replayingSource } from './cassette.ts';
import { readCassette } from './cassette-file.ts';
import { loadTokenCounter, type TokenCounter } from './count-tokens.ts';
import { INSTRUCTION, INVENTED, oneHarbour, runInvented, TOOLS, twoHarbours } from './fixtures/invented-set.ts';
import { runLoop } from './fixtures/loop-shapes.ts';
import { profileOf } from './rates.ts';
import { readRequest } from './read-request.ts';
import type { ReplySource, SourceAnswer } from './reply-source.ts';
import { createSimulatedModel } from './simulated.ts';

const folder = mkdtempSync(join(tmpdir(), 'cassette-'));
let tokens: TokenCounter;
let files = 0;
const newFile = () => join(folder, `${++files}.jsonl`);
beforeAll(async () => {
  tokens = await loadTokenCounter();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const mini = profileOf('gpt-4o-mini');
const busy = { ...mini, slips: mini.slips.map(([kind]) => [kind, 0.15] as const) };
const model = () => createSimulatedModel({ plans: INVENTED.map(({ plan }) => plan), profile: busy, enforce: 'honoured', tokens });
const opened = (source: ReplySource, trialId: number, trialIndex = 0) => source.open({ trialId, seed: 1, trialIndex, instruction: INSTRUCTION });

async function walk(source: ReplySource, trialId: number, task = oneHarbour, trialIndex = 0) {
  const trial = opened(source, trialId, trialIndex);
  const terms = { systemText: 'Be careful.', userText: `${task.plan.question}\n\n${INSTRUCTION}`, tools: TOOLS, run: runInvented };
  const { output, steps } = await runLoop('chat', trial, terms);
  return { output, steps, facts: trial.facts() };
}

async function ask(source: ReplySource, content: string, trial = opened(source, 1)): Promise<SourceAnswer> {
  const request = readRequest('chat.completions', { model: 'm', messages: [{ role: 'user', content }] }, (text) => text);
  return trial.reply(request, new AbortController().signal);
}

const noMiss = (message: string) => {
  throw new Error(message);
};

describe('a replay', () => {
  test('says what was recorded, with the same facts, in whatever order trials come', async () => {
    const file = newFile();
    const recording = recordingSource(model(), file);
    const before = [];
    for (const [at, index] of [0, 1, 2, 3].entries()) before.push(await walk(recording, at, at % 2 === 0 ? oneHarbour : twoHarbours, index % 2));
    const replaying = replayingSource(file, noMiss);
    for (const at of [3, 0, 2, 1]) expect(await walk(replaying, at, at % 2 === 0 ? oneHarbour : twoHarbours, at % 2)).toEqual(before[at]);
  });

  test('holds nothing of a request that its client gave up: the answer to the second ask is the one that is played', async () => {
    const file = newFile();
    const recording = opened(recordingSource(said('Too late.', 'In time.'), file), 1);
    const request = readRequest('chat.completions', { model: 'm', messages: [{ role: 'user', content: 'Well?' }] }, (text) => text);
    expect(await recording.reply(request, AbortSignal.abort())).toMatchObject({ message: { text: 'Too late.' } });
    expect(await recording.reply(request, new AbortController().signal)).toMatchObject({ message: { text: 'In time.' } });
    recording.facts();
    expect(await ask(replayingSource(file, noMiss), 'Well?')).toMatchObject({ message: { text: 'In time.' } });
  });

  test('plays a recorded trial once: two trials that begin alike get a tape each, whatever they are numbered', async () => {
    const file = newFile();
    const recording = recordingSource(model(), file);
    const [first, second] = [await walk(recording, 1), await walk(recording, 2)];
    const replaying = replayingSource(file, noMiss);
    expect([await walk(replaying, 71), await walk(replaying, 72)]).toEqual([first, second]);
    const misses: string[] = [];
    const spent = replayingSource(file, (message) => misses.push(message));
    for (const trialId of [1, 2, 3]) await walk(spent, trialId).catch(() => undefined);
    expect(misses).toHaveLength(1);
  });

  test('tells equal requests of one trial apart by their order', async () => {
    const file = newFile();
    const recording = recordingSource(said('one', 'two', 'three'), file);
    const trial = opened(recording, 1);
    for (let at = 0; at < 3; at++) await ask(recording, 'Again?', trial);
    const replaying = replayingSource(file, () => undefined);
    const again = opened(replaying, 1);
    const texts = [];
    for (let at = 0; at < 4; at++) texts.push(await ask(replaying, 'Again?', again));
    expect(texts).toMatchObject([
      { message: { text: 'one' } },
      { message: { text: 'two' } },
      { message: { text: 'three' } },
      { kind: 'error', code: 'replay_miss' },
    ]);
  });

  test('hands on the bytes of a server, its status and its headers', async () => {
    const file = newFile();
    const recording = recordingSource(relayed(), file);
    const answer = await ask(recording, 'Hm?');
    expect(await bytesOf(answer)).toBe('{"a":"é"}');
    const again = await ask(replayingSource(file, noMiss), 'Hm?');
    expect(again).toMatchObject({ kind: 'relay', status: 201, headers: { 'content-type': 'application/json' } });
    expect(await bytesOf(again)).toBe('{"a":"é"}');
  });
});

describe('a request that was not recorded', () => {
  test.each<[string, string, RegExp]>([
    ['differs in its words', 'How many gulls are there?', /message 1 \(user\) differs at character 10: recorded "How many boats.*", now "How many gulls/],
    ['stands on another tape only', 'Nothing alike', /message 1 \(user\) differs at character 1/],
  ])('is an error that shows the nearest one and what differs: it %s', async (_, content, wanted) => {
    const file = newFile();
    await ask(recordingSource(said('one'), file), 'How many boats are there?');
    const misses: string[] = [];
    const replaying = replayingSource(file, (message) => misses.push(message));
    const trial = opened(replaying, 1);
    expect(await ask(replaying, content, trial)).toMatchObject({ kind: 'error', status: 500, message: expect.stringMatching(wanted) });
    expect(misses[0]).toMatch(/^A request of trial index 0 with 1 messages was not recorded\. Nearest is one of recorded trial 1, trial index 0: /);
    expect(trial.facts().harnessErrors).toEqual(['replay-miss']);
  });

  test('of an empty cassette has no nearest one', async () => {
    const file = newFile();
    recordingSource(said(), file);
    expect(
      await ask(
        replayingSource(file, () => undefined),
        'Hm?',
      ),
    ).toMatchObject({ message: expect.stringContaining('holds no request at all') });
  });
});

describe('the file', () => {
  test('is appended to: an earlier recording stays as it was, and each text stands there once', async () => {
    const file = newFile();
    await walk(recordingSource(model(), file), 1);
    const before = readFileSync(file, 'utf8');
    await walk(recordingSource(model(), file), 1, twoHarbours);
    const after = readFileSync(file, 'utf8');
    expect(after.startsWith(before)).toBe(true);
    expect(before.split(JSON.stringify('Be careful.')).length - 1).toBe(1);
    const replaying = replayingSource(file, noMiss);
    expect((await walk(replaying, 1)).output).toBe((await walk(model(), 1)).output);
    expect((await walk(replaying, 1, twoHarbours)).output).toBe((await walk(model(), 1, twoHarbours)).output);
  });

  test('may end in half a line, and is refused when it is missing or something else', () => {
    const file = newFile();
    recordingSource(said(), file);
    appendFileSync(file, '{"trial":1,"ind');
    expect(() => replayingSource(file, noMiss)).not.toThrow();
    const other = newFile();
    writeFileSync(other, '{"name":"a run"}\n');
    expect(() => replayingSource(other, noMiss)).toThrow(expect.objectContaining({ code: 'CASSETTE_INVALID' }));
    expect(() => recordingSource(said(), other)).toThrow(expect.objectContaining({ code: 'CASSETTE_INVALID' }));
    expect(() => recordingSource(said(), tmpdir())).toThrow(
      expect.objectContaining({ code: 'CASSETTE_INVALID', message: expect.stringContaining('is a folder') }),
    );
    expect(() => replayingSource(newFile(), noMiss)).toThrow(expect.objectContaining({ code: 'CASSETTE_MISSING' }));
  });

  test('holds salted hashes where words may not leave the machine, and says so when it is to be played', async () => {
    const tapes = [newFile(), newFile()] as const;
    for (const [at, file] of tapes.entries()) {
      const recording = recordingSource(relaying('The canary sings.'), file, `${at}${at}`);
      const trial = opened(recording, 1);
      for (let again = 0; again < 2; again++) expect(await bytesOf(await ask(recording, 'Where is the canary?', trial))).toBe('The canary sings.');
      trial.facts();
      expect(readFileSync(file, 'utf8')).not.toMatch(/canary|sings|Where/);
      expect(() => replayingSource(file, noMiss)).toThrow(/holds hashes; the words lie in private\/cassette.jsonl of the run/);
    }
    const keys = tapes.map((file) => readCassette(file).exchanges.map(({ key }) => key));
    // Equal requests are still seen to be equal; another salt gives other hashes.
    expect(keys[0]).toEqual([keys[0]?.[0], keys[0]?.[0]]);
    expect(keys[1]?.[0]).not.toBe(keys[0]?.[0]);
  });
});

/** Says these, one after the other. */
function said(...texts: readonly string[]): ReplySource {
  let at = 0;
  const message = () => ({ text: texts[at++] ?? '', calls: [], finishReason: 'stop' as const });
  return { models: [], open: () => ({ reply: () => ({ kind: 'message', id: `said-${at}`, message: message() }), facts: () => ({ harnessErrors: [] }) }) };
}

const relayed = () => relaying('{"a":"é"}');

function relaying(words: string): ReplySource {
  async function* body() {
    for (const byte of Buffer.from(words)) yield Uint8Array.of(byte);
  }
  const headers = { 'content-type': 'application/json' };
  return { models: [], open: () => ({ reply: () => ({ kind: 'relay', status: 201, headers, body: body() }), facts: () => ({ harnessErrors: [] }) }) };
}

async function bytesOf(answer: SourceAnswer): Promise<string> {
  if (answer.kind !== 'relay') throw new Error(answer.kind);
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
