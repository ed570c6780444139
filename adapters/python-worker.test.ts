// The Python worker as a real process, with adapters that need no framework: it keeps the promises of the Node worker. Skipped where there is no Python 3.11.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import type { ToolSchema } from '../base/tool-schema.ts';
import { driveWorker, hasPython, startMessage, trialStart, type WorkerDriver } from './fixtures/worker-driver.ts';
import type { StartMessage } from './protocol.ts';
import { pythonFile } from './registry.ts';
import { PYTHON_FLAGS } from './worker-environment.ts';

const LAUNCH = { language: 'python', command: 'python3', args: [...PYTHON_FLAGS, pythonFile('worker.py')] } as const;

const started: WorkerDriver[] = [];
afterEach(async () => {
  for (const worker of started.splice(0)) await worker.stop();
});

function drive(exportName: string, given: Partial<StartMessage> = {}): WorkerDriver {
  const worker = driveWorker(LAUNCH);
  started.push(worker);
  worker.send(startMessage({ adapterModule: fileURLToPath(new URL('./fixtures/python/fixtures.py', import.meta.url)), exportName, ...given }));
  return worker;
}

async function startWorker(exportName: string, given: Partial<StartMessage> = {}): Promise<WorkerDriver> {
  const worker = drive(exportName, given);
  expect(await worker.next()).toMatchObject({ type: 'worker-ready' });
  return worker;
}

describe.skipIf(!hasPython())('the Python worker', () => {
  test('reports import time, memory and runtime', async () => {
    const ready = await drive('echoes_terms').next();
    expect(ready).toMatchObject({ type: 'worker-ready', protocolVersion: 1, runtime: expect.stringMatching(/^python 3\.\d+\.\d+/), versions: {} });
    expect(ready).toSatisfy((message: { importMs: number; rssAfterImportBytes: number }) => message.importMs > 0 && message.rssAfterImportBytes > 5 * 2 ** 20);
  });

  test('names the package that is missing, a file that does not exist, and the shapes that an adapter has', async () => {
    const beside = (name: string) => fileURLToPath(new URL(`./fixtures/python/${name}.py`, import.meta.url));
    expect(await drive('adapter', { adapterModule: beside('needs_missing') }).next()).toEqual({
      type: 'worker-failed',
      code: 'MISSING_PACKAGE',
      message: 'package agentgauge_no_such_framework is not installed',
      package: 'agentgauge_no_such_framework',
    });
    expect(await drive('adapter', { adapterModule: beside('no_such_file') }).next()).toMatchObject({
      type: 'worker-failed',
      code: 'LOAD_FAILED',
      message: expect.stringContaining('no_such_file.py'),
    });
    expect(await drive('echoes_terms', { shape: 'dag' }).next()).toMatchObject({
      code: 'NO_SHAPE',
      message: "echoes_terms has no shape 'dag'; it has: single",
    });
    expect(await drive('other').next()).toMatchObject({ code: 'NO_SHAPE', message: expect.stringContaining("no export 'other'") });
  });

  test('hands over the terms as the host gave them, and the model at one address with a key of each trial', async () => {
    const worker = await startWorker('echoes_terms', { settings: 'hardened', modelUrl: 'http://127.0.0.1:9/w/T/v1' });
    const end = await worker.trial({ capLiteral: 3, userText: 'naïve \ud800 🚪' });
    expect(JSON.parse(end.output ?? '')).toEqual({
      settings: 'hardened',
      systemText: 'You answer questions.',
      userText: 'naïve \ud800 🚪',
      model: {
        base_url: 'http://127.0.0.1:9/w/T/v1',
        api_key: `key-of-trial-${end.trialId}`,
        name: 'gpt-4o-mini',
        temperature: 1,
        max_tokens: 2_000,
        timeout_s: 10,
      },
      agentCap: 10,
      capLiteral: 3,
    });
  });

  test('measures wall, CPU, set-up and peak memory of its own, on the clock of the host', async () => {
    const worker = await startWorker('echoes_terms');
    const before = Number(process.hrtime.bigint()) / 1e6;
    const end = await worker.trial();
    expect(end.startMs).toBeGreaterThan(before);
    expect(end.endMs).toBeGreaterThan(end.startMs ?? Number.NaN);
    expect(end.endMs).toBeLessThan(Number(process.hrtime.bigint()) / 1e6);
    expect(end.cpuMs).toBeGreaterThan(0);
    expect(end.setupMs).toBeGreaterThan(0);
    expect(end.peakRssBytes).toBeGreaterThan(5 * 2 ** 20);
    expect(end.rssMethod).toBe(process.platform === 'linux' ? 'vm-hwm' : 'max-rss');
  });

  test('reports what the adapter raised, with its causes and the phase', async () => {
    const prepared = await (await startWorker('raises_in_prepare')).trial();
    expect(prepared.error).toEqual({ name: 'TypeError', message: 'no agent today; cause: the moon is full', phase: 'prepare' });
    expect(prepared).not.toHaveProperty('startMs');
    expect((await (await startWorker('raises_in_run')).trial()).error).toMatchObject({ name: 'LookupError', message: 'nothing there', phase: 'run' });
    expect((await (await startWorker('gives_number')).trial()).error).toMatchObject({ code: 'OUTPUT_NOT_TEXT', message: 'run gave int instead of text' });
  });

  test.each(['waits', 'waits_in_thread'])('%s is ended by trial-cancel and can run again', async (name) => {
    const worker = await startWorker(name);
    for (const trialId of [7, 8]) {
      worker.send(trialStart({ trialId }));
      worker.send({ type: 'trial-cancel', trialId: 6, reason: 'not this one' });
      worker.send({ type: 'trial-cancel', trialId, reason: 'deadline' });
      expect(await worker.next()).toMatchObject({ type: 'trial-end', trialId, error: { name: 'CancelledError', phase: 'run' } });
    }
  });

  test('runs one trial at a time: the second ends at once with an error', async () => {
    const worker = await startWorker('waits');
    worker.send(trialStart({ trialId: 1 }));
    expect(await worker.trial({ trialId: 2 })).toMatchObject({ trialId: 2, error: { code: 'TRIAL_RUNNING' } });
  });

  test('keeps what is printed out of the answer and of the protocol', async () => {
    const worker = await startWorker('prints_garbage');
    expect(await worker.trial()).toMatchObject({ output: 'the answer' });
    await worker.trial();
    expect(worker.stdout()).toContain('forged');
    expect(worker.stdout()).toContain('from below');
    expect(worker.problems).toEqual([]);
  });

  test('ends as the runtime does, when told to, when the channel is lost, and on a frame that is none', async () => {
    const exits = await startWorker('exits_with_42');
    await expect(exits.trial()).rejects.toThrow(/the worker is gone/);
    expect(await exits.exited).toBe(42);
    const stopped = await startWorker('waits');
    stopped.send(trialStart());
    stopped.send({ type: 'stop' });
    expect(await stopped.next()).toEqual({ type: 'worker-stopped' });
    expect(await stopped.exited).toBe(0);
    const lost = await startWorker('waits');
    lost.send(trialStart());
    lost.hangUp();
    expect(await lost.exited).toBe(0);
    const garbled = await startWorker('echoes_terms');
    garbled.write('garbage\n');
    await expect(garbled.next()).rejects.toThrow(/worker: frame should be a JSON object on one line, found garbage/);
    expect(await garbled.exited).toBe(76);
  });

  test('ends a broken trial-start as that trial, naming the field', async () => {
    const worker = await startWorker('echoes_terms');
    worker.write(`${JSON.stringify({ ...trialStart({ trialId: 5 }), agentCap: 'ten' })}\n`);
    expect(await worker.next()).toMatchObject({
      trialId: 5,
      error: { code: 'BAD_MESSAGE', message: 'trial-start: field agentCap should be a whole number from 0, found "ten"' },
    });
    expect(await worker.trial({ trialId: 6 })).toMatchObject({ trialId: 6, output: expect.any(String) });
  });

  const schema: ToolSchema = {
    name: 'echo',
    description: 'Says it again.',
    parameters: {
      type: 'object',
      properties: { text: { type: 'string', description: 'What.' }, times: { type: 'integer', description: 'How often.' } },
      required: ['text'],
      additionalProperties: false,
    },
  };

  test('makes a tool an ordinary function with types and a docstring', async () => {
    const end = await (await startWorker('describes_first_tool')).trial({ tools: [schema] });
    expect(end.output?.split('\n')).toEqual([
      'echo(text: str, times: int | None = None) -> str',
      'Says it again.',
      '',
      'Args:',
      '    text: What.',
      '    times: How often.',
      'Says it again.',
      "typing.Annotated[str, 'What.']",
    ]);
  });

  test('M2.2: gives back the text of a 2xx reply and raises that of a 422 or a 5xx, over kept connections', async () => {
    const sockets = new Set<unknown>();
    const server = http.createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      sockets.add(request.socket);
      const text = `got ${body} ✓`;
      const status = body.includes('bad') ? 422 : body.includes('dead') ? 503 : 200;
      response.writeHead(status, { 'content-length': Buffer.byteLength(text) }).end(request.url === '/w/T/t/1/tools/echo' ? text : '');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const worker = await startWorker('calls_first_tool', { toolUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/w/T` });
    const ask = (args: object) => worker.trial({ tools: [schema], userText: JSON.stringify(args) });
    const good = 'got {"text": "good"} ✓';
    for (let turn = 0; turn < 3; turn++)
      expect(await ask({ text: 'good', times: null })).toMatchObject({ output: [good, good, good].join('; '), stubWallMs: expect.any(Number) });
    expect(sockets.size).toBe(3);
    expect((await ask({ text: 'bad' })).error).toMatchObject({ name: 'RuntimeError', message: 'got {"text": "bad"} ✓', phase: 'run' });
    expect((await ask({ text: 'dead' })).error).toMatchObject({ message: 'got {"text": "dead"} ✓' });
    expect((await ask({})).error).toMatchObject({ name: 'TypeError', message: "echo() missing 1 required positional argument: 'text'" });
    server.closeAllConnections();
    server.close();
  });
});
