// Is the measured overhead right? An adapter with a known amount of its own work minus the same adapter without it, over real processes, interleaved.
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { causalEnds } from '../metrics/causal-ends.ts';
import { overheadOf } from '../metrics/overhead.ts';
import { childEntry } from '../runners/child-entry.ts';
import type { RunnableRow } from '../runners/rows.ts';
import { type ScriptedServices, startScriptedServices } from '../runners/scripted-services.ts';
import { WorkerHost } from '../runners/worker-host.ts';
import { medianInterval, medianOf } from './median.ts';

const ROW: RunnableRow = {
  framework: 'own-work',
  shape: 'single',
  settings: 'default',
  title: 'synthetic adapter',
  language: 'node',
  floor: false,
  module: childEntry('bench/adapters/own-work'),
  exportName: 'ownWork',
  packages: [],
};
const WORK_MS = [2, 5, 20] as const;
const WARM_UPS = 20;

export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { quick: { type: 'boolean' }, format: { type: 'string' } } });
  const trials = values.quick ? 30 : 100;
  const services = await startScriptedServices();
  const address = await services.openWorker();
  const worker = await WorkerHost.start({ row: ROW, address });
  try {
    for (let i = 0; i < WARM_UPS; i++) await overhead(services, worker, 0);
    const measured = new Map<number, number[]>([0, ...WORK_MS].map((workMs) => [workMs, []]));
    for (let i = 0; i < trials; i++) for (const [workMs, samples] of measured) samples.push(await overhead(services, worker, workMs));
    const base = measured.get(0) as number[];
    const rows = WORK_MS.map((workMs) => {
      const differences = (measured.get(workMs) as number[]).map((sample, i) => sample - (base[i] as number));
      const differenceMs = medianOf(differences);
      return { workMs, trials, differenceMs, errorMs: differenceMs - workMs, interval: medianInterval(differences) };
    });
    const [load = 0] = loadavg();
    if (values.format === 'json') process.stdout.write(`${JSON.stringify({ load, baseOverheadMs: medianOf(base), rows })}\n`);
    else {
      // Waiting for a turn on a busy processor is overhead like any other wait, so a loaded machine shows its own.
      if (load > availableParallelism()) process.stdout.write(`load ${load.toFixed(1)} on ${availableParallelism()} cores: too busy to judge by\n`);
      process.stdout.write(`overhead of the adapter without own work: ${medianOf(base).toFixed(2)} ms (median of ${trials})\n`);
      for (const { workMs, differenceMs, errorMs } of rows)
        process.stdout.write(`own work ${workMs} ms: measured ${differenceMs.toFixed(3)} ms, off by ${errorMs.toFixed(3)} ms (aim: 0.5 ms)\n`);
    }
    return rows.every(({ errorMs }) => Math.abs(errorMs) <= 0.5) ? 0 : 1;
  } finally {
    await worker.stop();
    await services.stop();
  }
}

async function overhead(services: ScriptedServices, worker: WorkerHost, workMs: number): Promise<number> {
  const trialId = services.nextTrialId();
  const { token } = worker.address;
  await Promise.all([
    services.gateway.ask(
      {
        type: 'trial-open',
        token,
        trialId,
        seed: 1,
        trialIndex: 0,
        instruction: '',
        cap: 10,
        script: { replies: [{ kind: 'text', text: 'done' }] },
        keepBodies: false,
      },
      'trial-opened',
    ),
    services.broker.ask({ type: 'trial-open', token, trialId, tools: [], attachments: [], keepResults: false }, 'trial-opened'),
  ]);
  const ran = await worker.runTrial(
    {
      type: 'trial-start',
      trialId,
      systemText: '',
      userText: String(workMs),
      tools: [],
      model: { name: 'scripted', temperature: 1, maxTokens: 100, timeoutMs: 10_000 },
      agentCap: 10,
    },
    { timeoutMs: 10_000, extend: async () => 0, signal: new AbortController().signal, capReached: new Promise(() => {}) },
  );
  const [model, tools] = await Promise.all([
    services.gateway.ask({ type: 'trial-close', token, trialId }, 'trial-closed'),
    services.broker.ask({ type: 'trial-close', token, trialId }, 'trial-closed'),
  ]);
  const end = ran.end;
  if (end?.startMs === undefined || end.endMs === undefined) throw new Error(`the synthetic adapter did not end: ${JSON.stringify(ran)}`);
  const ends = causalEnds({ traffic: model.traffic, toolCalls: tools.calls });
  return overheadOf({ startMs: end.startMs, endMs: end.endMs, ...ends, waits: [] }).overheadMs;
}
