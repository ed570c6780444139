import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ScriptedResult } from '../base/script.ts';
import type { ToolSchema } from '../base/tool-schema.ts';
import type { BrokerReply, BrokerRequest } from './control.ts';

type Reply<T extends BrokerReply['type']> = Extract<BrokerReply, { type: T }>;
type TrialOpen = Extract<BrokerRequest, { type: 'trial-open' }>;

const ECHO: ToolSchema = {
  name: 'echo',
  description: 'Echoes.',
  parameters: { type: 'object', properties: { word: { type: 'string', description: 'A word' } }, required: ['word'], additionalProperties: false },
};

let directory: string;
const agent = new Agent({ keepAlive: true });
const running: ChildProcess[] = [];

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'broker-'));
  await mkdir(path.join(directory, 'files'));
  await writeFile(path.join(directory, 'files', 'f1.csv'), 'town,people\nÅsgard,4711\n');
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.connected) child.disconnect();
    if (child.exitCode === null) await once(child, 'exit');
  }
});
afterAll(async () => {
  agent.destroy();
  await rm(directory, { recursive: true });
});

/** A real broker process with one open worker `w`. */
async function startBroker(configure: Partial<Extract<BrokerRequest, { type: 'configure' }>> = {}) {
  const child = fork(fileURLToPath(new URL('./broker.ts', import.meta.url)), { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  running.push(child);
  const replies: BrokerReply[] = [];
  const waiting: (() => void)[] = [];
  child.on('message', (reply: BrokerReply) => {
    replies.push(reply);
    for (const wake of waiting.splice(0)) wake();
  });
  const next = async <T extends BrokerReply['type']>(type: T): Promise<Reply<T>> => {
    for (;;) {
      const at = replies.findIndex((reply) => reply.type === type);
      if (at >= 0) return replies.splice(at, 1)[0] as Reply<T>;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  const send = (message: BrokerRequest) => child.send(message);
  const { port } = await next('ready');
  send({
    type: 'configure',
    taskSetDirectory: directory,
    arguments: 'strict',
    toolErrors: 'throw',
    cacheDirectory: path.join(directory, 'cache'),
    ...configure,
  });
  await next('configured');
  send({ type: 'worker-open', token: 'w' });
  await next('worker-opened');
  const openTrial = async (more: Partial<TrialOpen> = {}) => {
    send({ type: 'trial-open', token: 'w', trialId: 1, tools: [], attachments: [], keepResults: true, ...more });
    return next('trial-opened');
  };
  const closeTrial = async (trialId = 1) => {
    send({ type: 'trial-close', token: 'w', trialId });
    return (await next('trial-closed')).calls;
  };
  const call = (name: string, body: unknown, token = 'w') => post(port, `/w/${token}/tools/${name}`, typeof body === 'string' ? body : JSON.stringify(body));
  return { child, port, send, next, openTrial, closeTrial, call };
}

function post(port: number, path: string, body: string, method = 'POST'): Promise<{ status: number; type: string; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text }));
    });
    sent.on('error', reject);
    sent.end(method === 'GET' ? undefined : body);
  });
}

/** One page whose two million words are one letter each. */
function costlyPdf(): Buffer {
  const content = deflateSync(Buffer.from(`BT /F 9 Tf ${'(a)Tj '.repeat(2_000_000)}ET`));
  const before = [
    '%PDF-1.4',
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 5 0 R>>>>/Contents 4 0 R>>endobj',
    '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj',
    `4 0 obj<</Filter/FlateDecode/Length ${content.length}>>stream\n`,
  ].join('\n');
  return Buffer.concat([Buffer.from(before), content, Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R/Size 6>>\n')]);
}

function echo(...results: ScriptedResult[]): Partial<TrialOpen> {
  return { scripted: [{ schema: ECHO, results }] };
}

describe('the broker over HTTP', () => {
  it('runs a tool of the open trial and answers with its text', async () => {
    const broker = await startBroker();
    await broker.openTrial({ tools: ['calculator', 'read_text'], attachments: [{ name: 'attachment-1.csv', path: 'files/f1.csv' }] });
    expect(await broker.call('calculator', { expression: '2^8' })).toEqual({ status: 200, type: 'text/plain; charset=utf-8', text: '2^8 = 256' });
    expect((await broker.call('read_text', { file: 'attachment-1.csv', start_line: null, surprise: 1 })).text).toBe('town,people\nÅsgard,4711\n');
  });

  it('keeps nothing of what it read where it is configured so', async () => {
    for (const cache of ['off', 'on'] as const) {
      const cacheDirectory = path.join(directory, `cache-${cache}`);
      const broker = await startBroker({ cache, cacheDirectory });
      await broker.openTrial({ tools: ['read_spreadsheet'], attachments: [{ name: 'attachment-1.csv', path: 'files/f1.csv' }] });
      expect((await broker.call('read_spreadsheet', { file: 'attachment-1.csv' })).text).toContain('Row 2: Åsgard | 4711');
      expect(await readdir(cacheDirectory).catch(() => [])).toEqual(cache === 'off' ? [] : ['texts']);
    }
  });

  it('records each call with arguments, times, status and result', async () => {
    const broker = await startBroker();
    await broker.openTrial({ tools: ['calculator'] });
    await broker.call('calculator', { expression: '1+1' });
    await broker.call('calculator', { expression: 7 });
    const calls = await broker.closeTrial();
    expect(calls.map(({ startMs, endMs, ...rest }) => rest)).toEqual([
      { name: 'calculator', arguments: { expression: '1+1' }, status: 200, resultBytes: 7, result: '1+1 = 2' },
      {
        name: 'calculator',
        arguments: { expression: 7 },
        status: 422,
        resultBytes: 71,
        result: 'calculator: parameter "expression" must be a string, found the number 7',
      },
    ]);
    for (const { startMs, endMs } of calls) expect(endMs).toBeGreaterThan(startMs);
  });

  it('refuses an unknown token, a missing trial, an unknown tool, a wrong method and bad arguments, each with its status', async () => {
    const broker = await startBroker();
    expect((await broker.call('calculator', {}, 'stranger')).status).toBe(401);
    expect((await broker.call('calculator', {})).status).toBe(409);
    await broker.openTrial({ tools: ['calculator'], ...echo({ kind: 'text', text: '' }) });
    expect(await broker.call('calculate', {})).toMatchObject({ status: 404, text: 'There is no tool "calculate". The tools are calculator, echo.' });
    expect((await post(broker.port, '/w/w/tools/calculator', '', 'GET')).status).toBe(405);
    expect(await broker.call('calculator', '{"expression": "1')).toMatchObject({
      status: 422,
      text: 'calculator: the arguments must be a JSON object, found the string "{\\"expression\\": \\"1"',
    });
    expect((await broker.call('calculator', { expression: 'x'.repeat(1_100_000) })).status).toBe(413);
  });

  it('lists the schemas of the open trial', async () => {
    const broker = await startBroker();
    await broker.openTrial({ tools: ['calculator'], ...echo({ kind: 'text', text: '' }) });
    const { text } = await post(broker.port, '/w/w/tools', '', 'GET');
    expect((JSON.parse(text) as ToolSchema[]).map((schema) => schema.name)).toEqual(['calculator', 'echo']);
  });

  it('answers every other call while it reads a hostile PDF of the web, which lies in 20 kB and takes seconds', async () => {
    const set = path.join(directory, 'web-of-one');
    await mkdir(path.join(set, 'web'), { recursive: true });
    // A page that answers with an error is not read ahead.
    const page = {
      url: 'https://www.a.example/a.pdf',
      status: 403,
      contentType: 'application/pdf',
      title: '',
      encoding: 'base64',
      body: costlyPdf().toString('base64'),
    };
    await writeFile(path.join(set, 'web', 'pages.jsonl'), JSON.stringify(page));
    const broker = await startBroker({ taskSetDirectory: set });
    await broker.openTrial({ tools: ['web_fetch', 'calculator'] });
    let isRead = false;
    const reading = broker.call('web_fetch', { url: page.url }).finally(() => {
      isRead = true;
    });
    for (let i = 0; i < 30; i++) expect((await broker.call('calculator', { expression: `${i}+1` })).text).toBe(`${i}+1 = ${i + 1}`);
    expect(isRead).toBe(false);
    expect((await reading).text).toMatch(
      /^Title: a\.pdf\nURL: https:\/\/www\.a\.example\/a\.pdf\nStatus: 403 Forbidden\n\n(?:Page 1 of 1\na+|.* and was given up\.$)/,
    );
  }, 60_000);

  it('sends refused arguments and dead back ends as text when told to, and still records what they were', async () => {
    const broker = await startBroker({ toolErrors: 'text' });
    await broker.openTrial(echo({ kind: 'failure', status: 500, message: 'down' }));
    expect(await broker.call('echo', { word: 1 })).toMatchObject({ status: 200 });
    expect(await broker.call('echo', { word: 'a' })).toMatchObject({ status: 200, text: 'down' });
    expect((await broker.closeTrial()).map((call) => call.status)).toEqual([422, 500]);
  });

  it('survives arguments nested thousands deep and records them as text', async () => {
    const broker = await startBroker();
    await broker.openTrial({ tools: ['calculator'] });
    const deep = `{"expression":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    expect((await broker.call('calculator', deep)).status).toBe(422);
    expect((await broker.closeTrial())[0]?.arguments).toBe(deep);
  });

  it('answers every one of thousands of pipelined calls over one kept connection, and records each', async () => {
    const broker = await startBroker();
    await broker.openTrial({ tools: ['calculator'], keepResults: false });
    expect(await pipelined(broker.port, 4_000)).toBe(4_000);
    expect(await broker.closeTrial()).toHaveLength(4_000);
  });
});

/** Sends `count` calls, eight in flight. @returns how many were answered */
async function pipelined(port: number, count: number): Promise<number> {
  const body = '{"expression":"17*3"}';
  const one = `POST /w/w/tools/calculator HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const socket = connect(port, '127.0.0.1');
  let answered = 0;
  let sent = 0;
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      answered += chunk.toString('latin1').split('17*3 = 51').length - 1;
      if (answered >= count) return resolve();
      while (sent < count && sent - answered < 8) {
        socket.write(one);
        sent++;
      }
    });
    socket.write(one);
    sent = 1;
  });
  socket.destroy();
  return answered;
}

describe('a trial at the broker', () => {
  it('gives scripted results in order, then the last one again, with arguments echoed', async () => {
    const broker = await startBroker();
    await broker.openTrial(
      echo({ kind: 'text', text: 'first {{word}} {{other}}' }, { kind: 'failure', status: 422, message: 'no' }, { kind: 'text', text: 'last', delayMs: 1 }),
    );
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await broker.call('echo', { word: 'a' }));
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, 'first a {{other}}'],
      [422, 'no'],
      [200, 'last'],
      [200, 'last'],
    ]);
  });

  it('replaces values in results of this trial only', async () => {
    const broker = await startBroker();
    const attachments = [{ name: 'attachment-1.csv', path: 'files/f1.csv' }];
    await broker.openTrial({ tools: ['read_text'], attachments, replace: [{ from: '4711', to: '4712' }] });
    expect((await broker.call('read_text', { file: 'attachment-1.csv' })).text).toContain('Åsgard,4712');
    await broker.closeTrial();
    await broker.openTrial({ trialId: 2, tools: ['read_text'], attachments });
    expect((await broker.call('read_text', { file: 'attachment-1.csv' })).text).toContain('Åsgard,4711');
  });

  it('waits for a call in flight before it is closed', async () => {
    const broker = await startBroker();
    await broker.openTrial(echo({ kind: 'text', text: 'slow', delayMs: 60 }));
    const answer = broker.call('echo', { word: 'a' });
    await startedCalls(broker, 1);
    const calls = await broker.closeTrial();
    expect((await answer).text).toBe('slow');
    expect(calls[0]).toMatchObject({ status: 200, result: 'slow' });
    expect(calls[0]?.stray).toBeUndefined();
  });

  it('calls what is open 250 ms after the close stray work, and what comes in between too', async () => {
    const broker = await startBroker();
    await broker.openTrial(echo({ kind: 'text', text: 'too slow', delayMs: 2_000 }));
    const answer = broker.call('echo', { word: 'a' });
    await startedCalls(broker, 1);
    broker.send({ type: 'trial-close', token: 'w', trialId: 1 });
    // The host's messages and the workers' calls travel on different sockets: a status that comes back proves that the close was seen.
    broker.send({ type: 'trial-status', token: 'w', trialId: 1 });
    await broker.next('trial-status');
    expect((await broker.call('echo', { word: 'late' })).status).toBe(409);
    const { calls } = await broker.next('trial-closed');
    expect(calls).toMatchObject([
      { name: 'echo', arguments: { word: 'a' }, stray: true },
      { name: 'echo', arguments: { word: 'late' }, status: 409, stray: true },
    ]);
    expect(calls[0]?.endMs).toBeUndefined();
    broker.child.disconnect();
    await expect(answer).rejects.toThrow();
  });

  it('counts calls between two trials as stray work before the next', async () => {
    const broker = await startBroker();
    expect((await broker.openTrial()).strayBefore).toBe(0);
    await broker.closeTrial();
    await broker.call('calculator', {});
    await broker.call('calculator', {});
    expect(await broker.openTrial({ trialId: 2 })).toMatchObject({ strayBefore: 2 });
  });

  it('takes calls at its own address alone: one of a trial that has ended is refused, and counts for no other', async () => {
    const broker = await startBroker();
    await broker.openTrial(echo({ kind: 'text', text: 'first' }, { kind: 'text', text: 'second' }));
    await broker.closeTrial();
    expect(await broker.call('echo', { word: 'a' }, 'w/t/1')).toMatchObject({ status: 409, text: expect.stringContaining('after its end') });
    expect(await broker.openTrial({ trialId: 2, ...echo({ kind: 'text', text: 'first' }, { kind: 'text', text: 'second' }) })).toMatchObject({
      strayBefore: 1,
    });
    expect((await broker.call('echo', { word: 'late' }, 'w/t/1')).status).toBe(409);
    expect((await post(broker.port, '/w/w/t/1/tools', '', 'GET')).status).toBe(409);
    expect((await post(broker.port, '/w/w/t/2/tools', '', 'GET')).status).toBe(200);
    expect(await broker.call('echo', { word: 'a' }, 'w/t/2')).toMatchObject({ status: 200, text: 'first' });
    expect(await broker.closeTrial(2)).toMatchObject([{ arguments: { word: 'a' }, result: 'first' }]);
    expect(await broker.openTrial({ trialId: 3 })).toMatchObject({ strayBefore: 0, olderBefore: 1 });
  });

  it('tells which calls are in flight', async () => {
    const broker = await startBroker();
    await broker.openTrial(echo({ kind: 'text', text: '' }, { kind: 'text', text: 'slow', delayMs: 100 }));
    await broker.call('echo', { word: 'a' });
    const slow = broker.call('echo', { word: 'b' });
    const intervals = await startedCalls(broker, 2);
    expect(intervals.map((interval) => 'endMs' in interval)).toEqual([true, false]);
    await slow;
  });

  it('says which request failed and why', async () => {
    const broker = await startBroker();
    broker.send({ type: 'trial-open', token: 'w', trialId: 1, tools: ['read_mind'], attachments: [], keepResults: false });
    expect(await broker.next('failed')).toMatchObject({ request: 'trial-open', code: 'UNKNOWN_TOOL', trialId: 1 });
    broker.send({ type: 'trial-close', token: 'w', trialId: 9 });
    expect(await broker.next('failed')).toMatchObject({ request: 'trial-close', code: 'TRIAL_UNKNOWN', trialId: 9 });
    broker.send({ type: 'trial-open', token: 'nobody', trialId: 1, tools: [], attachments: [], keepResults: false });
    expect(await broker.next('failed')).toMatchObject({ code: 'WORKER_UNKNOWN' });
  });
});

async function startedCalls(broker: Awaited<ReturnType<typeof startBroker>>, count: number) {
  for (;;) {
    broker.send({ type: 'trial-status', token: 'w', trialId: 1 });
    const { intervals } = await broker.next('trial-status');
    if (intervals.length >= count) return intervals;
  }
}

describe('the broker process', () => {
  it('leaves when its host is gone', async () => {
    const broker = await startBroker();
    broker.child.disconnect();
    const [code] = await once(broker.child, 'exit');
    expect(code).toBe(0);
  });

  it('leaves when it is told to stop', async () => {
    const broker = await startBroker();
    broker.send({ type: 'stop' });
    const [code] = await once(broker.child, 'exit');
    expect(code).toBe(0);
  });
});
