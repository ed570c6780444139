// Zero caused failures by construction: each guard of the engine's agent loop meets the fault that it is for, in a real trial over gateway and broker, once as the
// engine is and once with the guard taken out of its sources. With it nothing is caused; without it the failure stands under its code of method M5.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { strayWorkOf } from '../base/stray-count.ts';
import { classifyTrial, finishVerdict, type Verdict } from '../metrics/classify.ts';
import { isCaused, isNotRepaired } from '../metrics/rates.ts';
import { trialRecord } from '../metrics/testing-records.ts';
import { type ScriptedServices, startScriptedServices } from '../runners/scripted-services.ts';
import { WorkerHost } from '../runners/worker-host.ts';
import { INSTRUCTION, LOOK_UP, MEASURE, SYSTEM_TEXT, USER_TEXT } from './conformance.ts';
import { AGENT_CAP, ANSWER, GUARDS, type GuardFault } from './fixtures/engine-guards.ts';
import { engineWithout } from './fixtures/engine-without.ts';
import { adapterModule, findAdapter } from './registry.ts';

const TOOLS = [LOOK_UP, MEASURE];
const GATEWAY_CAP = 10;
const CLIENT_TIMEOUT_MS = 1_000;
const DEADLINE_MS = 20_000;
/** The trial whose guard against a silent server is gone waits for this. */
const SILENCE_MS = 3_000;
const NOT_ABORTED = new AbortController().signal;

let services: ScriptedServices;
/** By file, shape and settings; trials of one go one after the other. */
const workers = new Map<string, { host: Promise<WorkerHost>; last: Promise<unknown> }>();
beforeAll(async () => {
  services = await startScriptedServices();
});
afterAll(async () => {
  for (const { host } of workers.values()) await (await host).stop();
  await services.stop();
});

test.concurrent.each(GUARDS)('with its guard nothing is caused, and without it the code appears: $guard', async ({ guard, removals, faults }) => {
  const copy = engineWithout(removals);
  try {
    for (const fault of faults) {
      const seen = { with: await play(fault, adapterModule(findAdapter('engine'))), without: await play(fault, copy.module) };
      expect([fault.fault, seen]).toEqual([fault.fault, { with: fault.with, without: fault.without }]);
      // The cap is not the engine's own: a forced answer counts, however well it was asked for (method M3.4).
      if (guard !== 'the last call has no tools') expect(seen.with).not.toContain('caused');
      expect(seen.without).not.toBe(seen.with);
    }
  } finally {
    copy.remove();
  }
});

test('the README shows every guard with what becomes of its faults', () => {
  const lines = GUARDS.flatMap(({ guard, faults }) => faults.map((one, at) => `| ${at === 0 ? guard : ''} | ${one.fault} | ${one.with} | ${one.without} |`));
  expect(readFileSync(new URL('README.md', import.meta.url), 'utf8')).toContain(lines.join('\n'));
});

function play(fault: GuardFault, module: string): Promise<string> {
  const { shape = 'single', settings = 'default' } = fault;
  const key = [module, shape, settings].join(' ');
  const start = async () =>
    WorkerHost.start({ row: { ...findAdapter('engine'), framework: 'engine', shape, settings, module }, address: await services.openWorker() });
  const worker = workers.get(key) ?? { host: start(), last: Promise.resolve() };
  workers.set(key, worker);
  const played = worker.last.then(async () => playOn(await worker.host, fault));
  worker.last = played.catch(() => {});
  return played;
}

/** @returns code, handling and rates of one trial in the words of the table */
async function playOn(host: WorkerHost, fault: GuardFault): Promise<string> {
  const { token } = host.address;
  const [trialId, after] = [services.nextTrialId(), services.nextTrialId()];
  await open(token, trialId, fault);
  const { end, exit, hostReason } = await host.runTrial(
    {
      type: 'trial-start',
      trialId,
      systemText: SYSTEM_TEXT,
      userText: USER_TEXT,
      tools: TOOLS,
      model: { name: 'gpt-4o-mini', temperature: 1, maxTokens: 2_000, timeoutMs: CLIENT_TIMEOUT_MS },
      agentCap: AGENT_CAP,
    },
    {
      extend: async () => 0,
      timeoutMs: fault.settings === 'hardened' ? SILENCE_MS : DEADLINE_MS,
      signal: NOT_ABORTED,
      capReached: services.capReached(trialId),
    },
  );
  const seen = await close(token, trialId);
  // Requests that came after the end are told when the next trial opens.
  const strayRequests = await open(token, after, fault);
  await close(token, after);
  const output = end?.output;
  const judged = classifyTrial({
    ...seen,
    ...(output === undefined ? {} : { output }),
    ...(end?.error === undefined ? {} : { workerError: end.error }),
    ...(end?.endMs === undefined ? {} : { endMs: end.endMs }),
    ...(exit === undefined ? {} : { exit }),
    ...(hostReason === undefined ? {} : { hostReason }),
    strayRequests,
    cap: GATEWAY_CAP,
    agentCap: AGENT_CAP,
    instruction: INSTRUCTION,
    tools: TOOLS,
    isLive: true,
  });
  return [
    wordsOf(finishVerdict(judged, { correct: output === ANSWER, noMarker: output?.includes('FINAL ANSWER') !== true })),
    toolRuns(fault, seen.toolCalls.length),
  ].join('');
}

function wordsOf(verdict: Verdict): string {
  const { code, handling } = verdict;
  if (code === undefined) return 'nothing';
  const record = trialRecord({ ...verdict, code });
  return `${code}, ${handling ?? 'no handling'}${isCaused(record) ? ', caused' : isNotRepaired(record) ? ', not repaired' : ''}`;
}

/** Of a call that ran although its reply was cut, code and handling say nothing: what was cut off may have been needed or not. So the runs are counted. */
function toolRuns({ counted }: GuardFault, runs: number): string {
  return counted === true ? `; the tool ran ${runs} ×` : '';
}

async function open(token: string, trialId: number, { script, results = [{ kind: 'text', text: 'It says 48.' }] }: GuardFault): Promise<number> {
  const terms = { type: 'trial-open', token, trialId } as const;
  const scripted = TOOLS.map((schema) => ({ schema, results }));
  const [model, tools] = await Promise.all([
    services.gateway.ask({ ...terms, seed: 1, trialIndex: 0, instruction: INSTRUCTION, cap: GATEWAY_CAP, script, keepBodies: false }, 'trial-opened'),
    services.broker.ask({ ...terms, tools: [], attachments: [], keepResults: true, scripted }, 'trial-opened'),
  ]);
  return strayWorkOf(model, tools).strayBefore;
}

async function close(token: string, trialId: number) {
  const [{ traffic }, { calls }] = await Promise.all([
    services.gateway.ask({ type: 'trial-close', token, trialId }, 'trial-closed'),
    services.broker.ask({ type: 'trial-close', token, trialId }, 'trial-closed'),
  ]);
  return { traffic, toolCalls: calls };
}
