// The gateway alone, as a person starts it: what it prints, what it answers, and how it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { eventsOf } from '../../models/relay.ts';
import { main } from '../cli.ts';
import type { CommandIo } from '../command.ts';

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url));

/** @param use gets the address; the process is interrupted when it is done */
async function serving(options: readonly string[], use: (address: string, greeting: string) => Promise<void>) {
  const child = spawn(process.execPath, [CLI, 'gateway', '--port', '0', ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const exit = once(child, 'exit');
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    out += chunk;
    if (out.includes('Ctrl-C ends it.')) break;
  }
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0];
  try {
    expect(address, err).toBeDefined();
    await use(address as string, out);
  } finally {
    child.kill('SIGINT');
  }
  return { code: (await exit)[0] as number | null, err };
}

const post = (url: string, body: unknown) => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

test('it prints an address and a line that works, answers chat, responses, streams and embeddings, counts, and ends with Ctrl-C', async () => {
  const { code, err } = await serving(['--profile', 'clean'], async (address, greeting) => {
    const body = JSON.parse((/-d '(.*)'$/m.exec(greeting)?.[1] ?? '').replaceAll(`'\\''`, "'")) as { messages: unknown[] };
    const chat = (await (await post(`${address}/v1/chat/completions`, body)).json()) as Json;
    expect(chat.choices[0].message.content).toMatch(/^It comes to .*\.$/);
    const streamed = await (await post(`${address}/w/mine/v1/chat/completions`, { ...body, stream: true })).text();
    expect((eventsOf(streamed) as Json[]).map((event) => event.choices[0].delta.content ?? '').join('')).toBe(chat.choices[0].message.content);
    const response = (await (await post(`${address}/v1/responses`, { model: 'm', input: body.messages })).json()) as Json;
    expect(response.output[0].content[0].text).toBe(chat.choices[0].message.content);
    const embedded = (await (await post(`${address}/v1/embeddings`, { model: 'm', input: ['old harbour', 'old harbours', 'a pie'] })).json()) as Json;
    expect(embedded).toMatchObject({ model: 'hashed-bag-of-words', data: [{ index: 0 }, { index: 1 }, { index: 2 }] });
    expect((await fetch(`${address}/v1/nothing`)).status).toBe(404);
  });
  expect(code).toBe(0);
  expect(err).toMatch(/^3 requests in 2 trials; \d+ tokens in, \d+ out\n$/);
}, 60_000);

test('a rate that is set is met, in a trial of any name', async () => {
  const { err } = await serving(['--profile', 'clean', '--rates', 'empty-reply=1'], async (address, greeting) => {
    const body = JSON.parse((/-d '(.*)'$/m.exec(greeting)?.[1] ?? '').replaceAll(`'\\''`, "'")) as object;
    expect(((await (await post(`${address}/w/7/v1/chat/completions`, body)).json()) as Json).choices[0].message.content).toBe('');
  });
  expect(err).toContain('slips: 1 empty-reply');
}, 60_000);

test('the line to try names the model that answers: a local one by its name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  const cassette = join(folder, 'said.jsonl');
  try {
    await serving(['--profile', 'clean', '--record', cassette], async (address, greeting) => {
      expect(greeting).toContain('"model":"simulated"');
      await (await post(`${address}/v1/chat/completions`, { model: 'm', messages: [{ role: 'user', content: 'Hello' }] })).text();
    });
    await serving(['--model', 'local:small-one', '--replay', cassette], async (_, greeting) => {
      expect(greeting).toMatch(/^The local model small-one answers at\n/);
      expect(greeting).toContain('"model":"small-one"');
      expect(greeting).not.toContain('simulated');
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 120_000);

test.each<[string, readonly string[], string]>([
  ['another model', ['--model', 'upstream:x'], '--model is "upstream:x", neither simulated nor local:NAME'],
  ['no port', ['--port', 'all'], '--port is "all", not a port number'],
  ['a rate that does not exist', ['--rates', 'gloom=0.1'], 'gloom'],
  ['a rate beyond 1', ['--rates', 'refusal=2'], '--rates'],
  ['a profile that does not exist', ['--profile', 'gpt-9'], '--profile'],
  ['a folder that is not there', ['--held-out', '/nowhere'], 'no folder'],
  ['a folder with nothing to read', ['--held-out', join(import.meta.dirname, '..', 'fixtures')], 'neither faults.ts nor templates.ts'],
])('it refuses %s and says why', async (_, options, words) => {
  let err = '';
  const io = {
    out: () => {},
    err: (text: string) => (err += text),
    terminal: false,
    columns: 100,
    signal: new AbortController().signal,
  } as unknown as CommandIo;
  expect(await main(['gateway', ...options], io)).toBe(2);
  expect(err).toContain(words);
});

/** A reply, looked into by path. */
type Json = ReturnType<typeof JSON.parse>;
