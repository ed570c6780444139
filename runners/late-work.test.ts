// What a framework still does after a trial's end belongs to that trial: real workers of both languages that go on asking the model and calling tools.
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hasPython } from '../adapters/fixtures/worker-driver.ts';
import { strayWorkOf } from '../base/stray-count.ts';
import type { ToolSchema } from '../base/tool-schema.ts';
import { type ScriptedServices, startScriptedServices } from './scripted-services.ts';
import { WorkerHost } from './worker-host.ts';

const SCHEMA: ToolSchema = {
  name: 'next',
  description: 'Says what is next.',
  parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
};
const TOOL = { schema: SCHEMA, results: ['first', 'second'].map((text) => ({ kind: 'text', text }) as const) };
const SCRIPT = { replies: [{ kind: 'text', text: 'Done.' }] } as const;
const REFUSED = 'No trial is open at this address: the call came after its end.';
const WORKERS = [
  { language: 'node', file: 'works-on.ts', inTheNext: 'inTheNext', untilRefused: 'untilRefused' },
  { language: 'python', file: 'python/fixtures.py', inTheNext: 'works_on_in_the_next', untilRefused: 'works_on_until_refused' },
] as const;

let services: ScriptedServices;
let host: WorkerHost | undefined;
beforeAll(async () => {
  services = await startScriptedServices();
});
afterEach(async () => {
  await host?.stop();
  host = undefined;
});
afterAll(() => services.stop());

async function start({ language, file }: (typeof WORKERS)[number], exportName: string): Promise<WorkerHost> {
  const module = fileURLToPath(new URL(`../adapters/fixtures/${file}`, import.meta.url));
  const row = { framework: exportName, title: exportName, shape: 'single', settings: 'default', language, floor: false, module, exportName } as const;
  const interpreter = language === 'python' ? { interpreter: 'python3' } : {};
  host = await WorkerHost.start({ row: { ...row, packages: [], ...interpreter }, address: await services.openWorker() });
  return host;
}

/** @returns requests and calls that came since, and no trial took */
async function open({ address: { token } }: WorkerHost, trialId: number) {
  const terms = { type: 'trial-open', token, trialId } as const;
  const [model, tools] = await Promise.all([
    services.gateway.ask({ ...terms, seed: 1, trialIndex: 0, instruction: '', cap: 9, keepBodies: false, script: SCRIPT }, 'trial-opened'),
    services.broker.ask({ ...terms, tools: [], attachments: [], keepResults: true, scripted: [TOOL] }, 'trial-opened'),
  ]);
  return strayWorkOf(model, tools);
}

async function close({ address: { token } }: WorkerHost, trialId: number) {
  const [{ traffic }, { calls }] = await Promise.all([
    services.gateway.ask({ type: 'trial-close', token, trialId }, 'trial-closed'),
    services.broker.ask({ type: 'trial-close', token, trialId }, 'trial-closed'),
  ]);
  return { requests: traffic.calls.length, results: calls.map(({ result }) => result), stray: calls.filter(({ stray }) => stray).length };
}

async function run(worker: WorkerHost, trialId: number, tools: readonly ToolSchema[] = [SCHEMA]) {
  const model = { name: 'gpt-4o-mini', temperature: 1, maxTokens: 100, timeoutMs: 10_000 };
  const { end } = await worker.runTrial(
    { type: 'trial-start', trialId, systemText: '', userText: 'What now?', tools, model, agentCap: 9 },
    { timeoutMs: 15_000, extend: async () => 0, signal: new AbortController().signal, capReached: services.capReached(trialId) },
  );
  return { output: end?.output, stubWallMs: end?.stubWallMs };
}

describe.each(WORKERS.filter(({ language }) => language === 'node' || hasPython()))('a worker in $language', (its) => {
  test('that asks and calls for the last trial while the next one is open is refused, and takes nothing of the next, nor of its time', async () => {
    const worker = await start(its, its.inTheNext);
    const [one, two, three, probe] = [services.nextTrialId(), services.nextTrialId(), services.nextTrialId(), services.nextTrialId()];
    await open(worker, one);
    expect(await run(worker, one)).toMatchObject({ output: '200\nfirst' });
    expect(await close(worker, one)).toEqual({ requests: 1, results: ['first'], stray: 0 });
    expect(await open(worker, two)).toEqual({ strayBefore: 0, olderBefore: 0 });
    expect(await run(worker, two)).toMatchObject({ output: `409\n${REFUSED}\n200\nfirst` });
    expect(await close(worker, two)).toEqual({ requests: 1, results: ['first'], stray: 0 });
    expect(await open(worker, three)).toEqual({ strayBefore: 0, olderBefore: 2 });
    expect(await run(worker, three, [])).toEqual({ output: `409\n${REFUSED}\n200\nno tool`, stubWallMs: 0 });
    expect(await close(worker, three)).toEqual({ requests: 1, results: [], stray: 0 });
    expect(await open(worker, probe)).toEqual({ strayBefore: 0, olderBefore: 2 });
    await close(worker, probe);
  });

  test('that goes on calling a tool after its answer is refused once its trial is closed, and seen', async () => {
    const worker = await start(its, its.untilRefused);
    const trialId = services.nextTrialId();
    await open(worker, trialId);
    expect(await run(worker, trialId)).toMatchObject({ output: 'The answer.' });
    let { stray: seen } = await close(worker, trialId);
    while (seen === 0) {
      const probe = services.nextTrialId();
      const { strayBefore, olderBefore } = await open(worker, probe);
      seen += strayBefore + olderBefore;
      expect(await close(worker, probe)).toEqual({ requests: 0, results: [], stray: 0 });
    }
    expect(seen).toBe(1);
  });
});
