// The worker as a real process: what it says, what it survives, and how it dies. Fixtures are adapters named after what they do.

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ToolSchema } from '../base/tool-schema.ts';
import { driveWorker, fixture, startMessage, trialStart, type WorkerDriver } from './fixtures/worker-driver.ts';
import type { StartMessage } from './protocol.ts';

const started: WorkerDriver[] = [];
afterEach(async () => {
  for (const worker of started.splice(0)) await worker.stop();
});

async function startWorker(name: string, given: Partial<StartMessage> = {}): Promise<WorkerDriver> {
  const worker = driveWorker();
  started.push(worker);
  worker.send(startMessage({ ...fixture(name), ...given }));
  expect(await worker.next()).toMatchObject({ type: 'worker-ready' });
  return worker;
}

async function failureOf(given: Partial<StartMessage> & { name: string }): Promise<unknown> {
  const worker = driveWorker();
  started.push(worker);
  const { name, ...rest } = given;
  worker.send(startMessage({ ...fixture(name), ...rest }));
  return worker.next();
}

describe('start', () => {
  test('reports import time, memory, runtime and the versions of the listed packages', async () => {
    const worker = driveWorker();
    started.push(worker);
    worker.send(startMessage({ ...fixture('echoes-terms'), packages: ['zod'] }));
    const ready = await worker.next();
    expect(ready).toMatchObject({
      type: 'worker-ready',
      protocolVersion: 1,
      runtime: `node ${process.version}`,
      versions: { zod: expect.stringMatching(/^4\./) },
    });
    expect(ready).toSatisfy((message: { importMs: number; rssAfterImportBytes: number }) => message.importMs > 0 && message.rssAfterImportBytes > 10 * 2 ** 20);
  });

  test('names the package that is missing', async () => {
    expect(await failureOf({ name: 'needs-missing-package' })).toEqual({
      type: 'worker-failed',
      code: 'MISSING_PACKAGE',
      message: 'package agentgauge-no-such-framework is not installed',
      package: 'agentgauge-no-such-framework',
    });
  });

  test('tells a module that does not exist from a package that is missing', async () => {
    expect(await failureOf({ name: 'no-such-file' })).toMatchObject({
      type: 'worker-failed',
      code: 'LOAD_FAILED',
      message: expect.stringContaining('no-such-file.ts'),
    });
  });

  test('names the shapes that an adapter has', async () => {
    expect(await failureOf({ name: 'echoes-terms', shape: 'dag' })).toEqual({
      type: 'worker-failed',
      code: 'NO_SHAPE',
      message: "adapter has no shape 'dag'; it has: single",
    });
    expect(await failureOf({ name: 'echoes-terms', exportName: 'other' })).toMatchObject({
      code: 'NO_SHAPE',
      message: expect.stringMatching(/no export 'other'.*it exports: adapter$/),
    });
  });
});

describe('a trial', () => {
  test('hands over the terms as the host gave them, and the model at one address with a key of each trial', async () => {
    const worker = await startWorker('echoes-terms', { settings: 'hardened', modelUrl: 'http://127.0.0.1:9/w/T/v1' });
    const end = await worker.trial({ capLiteral: 3 });
    const { model, ...rest } = trialStart();
    expect(JSON.parse(end.output ?? '')).toEqual({
      settings: 'hardened',
      systemText: rest.systemText,
      userText: rest.userText,
      tools: [],
      model: { ...model, baseUrl: 'http://127.0.0.1:9/w/T/v1', apiKey: `key-of-trial-${end.trialId}` },
      agentCap: 10,
      capLiteral: 3,
    });
  });

  test('measures wall, CPU, set-up and peak memory of its own', async () => {
    const worker = await startWorker('echoes-terms');
    const end = await worker.trial();
    expect(end.endMs).toBeGreaterThan(end.startMs ?? Number.NaN);
    expect(end.cpuMs).toBeGreaterThan(0);
    expect(end.setupMs).toBeGreaterThan(0);
    expect(end.peakRssBytes).toBeGreaterThan(10 * 2 ** 20);
    expect(end.rssMethod).toBe(process.platform === 'linux' ? 'vm-hwm' : 'max-rss');
  });

  test('reports what the adapter threw, with its causes and the phase', async () => {
    const worker = await startWorker('throws-in-prepare');
    const end = await worker.trial();
    expect(end.error).toEqual({ name: 'TypeError', message: 'no agent today; cause: the moon is full', phase: 'prepare' });
    expect(end).not.toHaveProperty('startMs');
    expect(end).not.toHaveProperty('output');
  });

  test('is aborted by trial-cancel, and another cancel of it is nothing', async () => {
    const worker = await startWorker('waits-for-abort');
    worker.send(trialStart({ trialId: 7 }));
    worker.send({ type: 'trial-cancel', trialId: 6, reason: 'not this one' });
    worker.send({ type: 'trial-cancel', trialId: 7, reason: 'deadline' });
    expect(await worker.next()).toMatchObject({ type: 'trial-end', trialId: 7, error: { name: 'AbortError', phase: 'run' } });
    worker.send({ type: 'trial-cancel', trialId: 7, reason: 'deadline' });
    worker.send({ type: 'clock-probe', probe: 1 });
    expect(await worker.next()).toMatchObject({ type: 'clock-reading', probe: 1 });
  });

  test('does not overlap another: the second ends at once with an error', async () => {
    const worker = await startWorker('waits-for-abort');
    worker.send(trialStart({ trialId: 1 }));
    expect(await worker.trial({ trialId: 2 })).toMatchObject({ trialId: 2, error: { code: 'TRIAL_RUNNING' } });
  });

  test('keeps what the framework prints out of the answer and of the protocol', async () => {
    const worker = await startWorker('prints-garbage');
    expect(await worker.trial()).toMatchObject({ output: 'the answer' });
    // Another pipe than the protocol's: it may come a little later.
    await vi.waitFor(() => expect(worker.stdout()).toContain('forged'));
    expect(worker.problems).toEqual([]);
  });

  test('shows a framework that writes to the channel itself as a line that is no frame', async () => {
    const worker = await startWorker('sends-garbage');
    expect(await worker.trial()).toMatchObject({ output: 'the answer' });
    expect(worker.problems).toEqual(['no frame at all']);
  });

  test('survives 64 MiB on standard output', async () => {
    const worker = await startWorker('floods-stdout');
    expect(await worker.trial()).toMatchObject({ output: 'the answer' });
    expect(worker.stdout()).toContain('noise noise');
  });
});

describe('the process', () => {
  test.each([
    ['exits-with-42', 42],
    ['rejects-unhandled', 1],
    ['eats-memory', 'SIGABRT'],
  ])('%s ends it as the runtime does by default (%s)', async (name, how) => {
    const worker = await startWorker(name);
    await expect(worker.trial()).rejects.toThrow(/the worker is gone/);
    expect(await worker.exited).toBe(how);
  });

  test('ends by SIGKILL alone when the framework ignores SIGTERM', async () => {
    const worker = await startWorker('ignores-sigterm');
    worker.send(trialStart());
    worker.send({ type: 'clock-probe', probe: 1 });
    expect(await worker.next()).toMatchObject({ type: 'clock-reading' });
    process.kill(worker.pid, 'SIGTERM');
    worker.send({ type: 'clock-probe', probe: 2 });
    expect(await worker.next()).toMatchObject({ type: 'clock-reading', probe: 2 });
    process.kill(worker.pid, 'SIGKILL');
    expect(await worker.exited).toBe('SIGKILL');
  });

  test('leaves when the channel is lost, even in the middle of a trial', async () => {
    const worker = await startWorker('hangs-forever');
    worker.send(trialStart());
    worker.hangUp();
    expect(await worker.exited).toBe(0);
  });

  test('stops when asked', async () => {
    const worker = await startWorker('echoes-terms');
    worker.send({ type: 'stop' });
    expect(await worker.next()).toEqual({ type: 'worker-stopped' });
    expect(await worker.exited).toBe(0);
  });

  test('ends a broken trial-start as that trial, naming the field', async () => {
    const worker = await startWorker('echoes-terms');
    worker.write(`${JSON.stringify({ ...trialStart({ trialId: 5 }), agentCap: 'ten' })}\n`);
    expect(await worker.next()).toMatchObject({
      trialId: 5,
      error: { code: 'BAD_MESSAGE', message: 'trial-start: field agentCap should be a whole number from 0, found "ten"' },
    });
    expect(await worker.trial({ trialId: 6 })).toMatchObject({ trialId: 6, output: expect.any(String) });
  });

  test('leaves with a line on standard error when a frame is no frame', async () => {
    const worker = await startWorker('echoes-terms');
    worker.write('garbage\n');
    await expect(worker.next()).rejects.toThrow(/worker: frame should be a JSON object on one line, found garbage/);
    expect(await worker.exited).toBe(76);
  });
});

describe('a tool stub', () => {
  const schema: ToolSchema = {
    name: 'echo',
    description: 'Says it again.',
    parameters: { type: 'object', properties: { text: { type: 'string', description: 'What.' } }, required: ['text'], additionalProperties: false },
  };

  async function brokerThat(answer: (body: string) => { status: number; text: string }): Promise<{ url: string; sockets: Set<unknown>; close(): void }> {
    const sockets = new Set<unknown>();
    const server = http.createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      sockets.add(request.socket);
      const { status, text } = answer(body);
      response.writeHead(status).end(request.url === '/w/T/t/1/tools/echo' ? text : `wrong path ${request.url}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/w/T`,
      sockets,
      close: () => {
        server.closeAllConnections();
        server.close();
      },
    };
  }

  test('M2.2: gives back the text of a 2xx reply and throws that of a 422 or a 5xx, over one kept connection', async () => {
    const broker = await brokerThat((body) => ({ status: body.includes('bad') ? 422 : body.includes('dead') ? 503 : 200, text: `got ${body} ✓` }));
    const worker = await startWorker('calls-first-tool', { toolUrl: broker.url });
    const ask = (text: string) => worker.trial({ tools: [schema], userText: JSON.stringify({ text }) });
    expect(await ask('good')).toMatchObject({ output: 'got {"text":"good"} ✓', stubWallMs: expect.any(Number) });
    expect((await ask('bad')).error).toMatchObject({ name: 'Error', message: 'got {"text":"bad"} ✓', phase: 'run' });
    expect((await ask('dead')).error).toMatchObject({ message: 'got {"text":"dead"} ✓' });
    expect(broker.sockets.size).toBe(1);
    broker.close();
  });
});
