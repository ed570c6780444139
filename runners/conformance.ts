// Plays the conformance cases of adapters/conformance.ts on real processes: gateway with scripted model, broker with scripted tools, one worker that serves
// all cases and is replaced when one of them ends it. What must hold is said there; what happened is seen here.
import { randomBytes } from 'node:crypto';
import type { SettingsName, ShapeName } from '../adapters/adapter.ts';
import { CONFORMANCE_SKIPS, type ConformanceCase, INSTRUCTION, SYSTEM_TEXT, USER_TEXT } from '../adapters/conformance.ts';
import type { Seen } from '../adapters/conformance-checks.ts';
import { casesOf } from '../adapters/conformance-divided.ts';
import type { TrialStartMessage } from '../adapters/protocol.ts';
import { systemClock } from '../base/clock.ts';
import { strayWorkOf } from '../base/stray-count.ts';
import type { RunnableRow } from './rows.ts';
import { type ScriptedServices, startScriptedServices } from './scripted-services.ts';
import { WorkerHost, type WorkerTrial } from './worker-host.ts';
import { howItEnded, lastWords } from './worker-process.ts';

export type CaseOutcome =
  | { readonly id: string; readonly sentence: string; readonly outcome: 'pass' }
  | { readonly id: string; readonly sentence: string; readonly outcome: 'fail' | 'skip'; readonly reason: string };

export interface ConformanceReport {
  readonly adapter: string;
  readonly shape: ShapeName;
  readonly settings: SettingsName;
  readonly versions: Readonly<Record<string, string>>;
  readonly cases: readonly CaseOutcome[];
}

export interface ConformanceOptions {
  readonly row: RunnableRow;
  /** @default all of the row's shape */
  readonly cases?: readonly ConformanceCase[];
  readonly signal: AbortSignal;
  /** Of which several runs may share one; they stay the caller's. @default started for this run alone */
  readonly services?: ScriptedServices;
  readonly onCase?: (outcome: CaseOutcome) => void;
}

/** A scripted model answers at once; what has not ended by then hangs. */
const TIMEOUT_MS = 15_000;
/** Far above every agent cap of the cases: a case sees what the framework does, not what the gateway stops. */
const GATEWAY_CAP = 20;
const CANCEL_POLL_MS = 5;
const MORE_RUNS = 100;

/** @throws GaugeError when the adapter cannot be loaded at all: MISSING_PACKAGE, LOAD_FAILED, NO_SHAPE, WORKER_START_FAILED */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const services = options.services ?? (await startScriptedServices());
  const canary = `canary-${randomBytes(12).toString('hex')}`;
  const stage: Stage = { services, row: options.row, canary, signal: options.signal, worker: undefined };
  try {
    const { versions } = (await worker(stage)).ready;
    const cases: CaseOutcome[] = [];
    for (const each of options.cases ?? casesOf(options.row.framework, options.row.shape)) {
      if (options.signal.aborted) break;
      const outcome = await play(stage, each);
      cases.push(outcome);
      options.onCase?.(outcome);
    }
    const { framework, shape, settings } = options.row;
    return { adapter: framework, shape, settings, versions, cases };
  } finally {
    await stage.worker?.stop();
    if (options.services === undefined) await services.stop();
  }
}

interface Stage {
  readonly services: ScriptedServices;
  readonly row: RunnableRow;
  readonly canary: string;
  readonly signal: AbortSignal;
  worker: WorkerHost | undefined;
}

async function play(stage: Stage, each: ConformanceCase): Promise<CaseOutcome> {
  const { id, sentence } = each;
  const { framework, shape } = stage.row;
  const skipped = CONFORMANCE_SKIPS[`${framework}/${shape}`]?.[id] ?? CONFORMANCE_SKIPS[framework]?.[id];
  if (skipped !== undefined) return { id, sentence, outcome: 'skip', reason: skipped };
  const seen: Seen[] = [];
  const { runs = 1, mostRuns = runs } = each;
  let fault: string | undefined;
  for (let until = runs; until <= mostRuns; until += MORE_RUNS) {
    for (let run = seen.length; run < until; run++) {
      const one = await runOnce(stage, run === 0 ? each : { ...each, kill: false, script: each.scriptAfter ?? each.script });
      seen.push(one);
      if (one.died !== undefined && each.kill !== true) break;
    }
    fault = each.fault(seen);
    if (fault === undefined || seen.length < until) break;
  }
  return fault === undefined ? { id, sentence, outcome: 'pass' } : { id, sentence, outcome: 'fail', reason: fault };
}

async function runOnce(stage: Stage, each: ConformanceCase): Promise<Seen> {
  const host = await worker(stage);
  const token = host.address.token;
  const trialId = stage.services.nextTrialId();
  const start = trialStart(trialId, each);
  await open(stage, token, trialId, each);
  const cancel = new AbortController();
  const signal = AbortSignal.any([stage.signal, cancel.signal]);
  const running = host.runTrial(start, { extend: async () => 0, timeoutMs: TIMEOUT_MS, signal, capReached: stage.services.capReached(trialId) });
  let cancelledMs: number | undefined;
  if (each.kill && host.pid !== undefined) {
    await whenAsked(stage, token, trialId, running);
    process.kill(host.pid, 'SIGKILL');
  }
  if (each.cancel) {
    await whenAsked(stage, token, trialId, running);
    cancelledMs = systemClock.nowMs();
    cancel.abort();
  }
  const ran = await running;
  const { traffic, toolCalls } = await close(stage, token, trialId);
  const died = ran.exit === undefined ? undefined : `${howItEnded(ran.exit)}: ${reasonIn(ran.exit.stderr)}`;
  return {
    start,
    ...(ran.end === undefined ? {} : { end: ran.end }),
    ...(died === undefined ? {} : { died }),
    ...(ran.hostReason === undefined ? {} : { stoppedFor: ran.hostReason }),
    traffic,
    toolCalls,
    strayRequests: await strayAfter(stage, token, each),
    ...(cancelledMs === undefined ? {} : { cancelMs: ran.endedMs - cancelledMs }),
    canary: stage.canary,
  };
}

/** The worker of this stage, a new one when the last is gone. The host's environment holds the canary while it starts: none of it may pass. */
async function worker(stage: Stage): Promise<WorkerHost> {
  if (stage.worker?.alive) return stage.worker;
  await stage.worker?.stop();
  const address = await stage.services.openWorker();
  process.env[CANARY_VARIABLE] = stage.canary;
  try {
    stage.worker = await WorkerHost.start({ row: stage.row, address });
  } finally {
    delete process.env[CANARY_VARIABLE];
  }
  return stage.worker;
}

const CANARY_VARIABLE = 'AGENTGAUGE_CANARY';

function trialStart(trialId: number, each: ConformanceCase): TrialStartMessage {
  return {
    type: 'trial-start',
    trialId,
    systemText: SYSTEM_TEXT,
    userText: USER_TEXT,
    tools: each.tools.map(({ schema }) => schema),
    model: { name: 'gpt-4o-mini', temperature: 1, maxTokens: 2_000, timeoutMs: 10_000 },
    agentCap: each.agentCap ?? 10,
    ...(each.capLiteral === undefined ? {} : { capLiteral: each.capLiteral }),
  };
}

/** @returns requests and tool calls that came since the worker's last trial was closed */
async function open({ services }: Stage, token: string, trialId: number, each: ConformanceCase): Promise<number> {
  const [model, tools] = await Promise.all([
    services.gateway.ask(
      {
        type: 'trial-open',
        token,
        trialId,
        seed: 1,
        trialIndex: 0,
        instruction: INSTRUCTION,
        cap: GATEWAY_CAP,
        script: each.script,
        keepBodies: true,
      },
      'trial-opened',
    ),
    services.broker.ask({ type: 'trial-open', token, trialId, tools: [], attachments: [], keepResults: false, scripted: each.tools }, 'trial-opened'),
  ]);
  return strayWorkOf(model, tools).strayBefore;
}

/** What came after the end: an empty trial is opened a while later, only to be told. */
async function strayAfter(stage: Stage, token: string, each: ConformanceCase): Promise<number> {
  if (each.watchAfterMs === undefined) return 0;
  await new Promise((resolve) => setTimeout(resolve, each.watchAfterMs));
  const trialId = stage.services.nextTrialId();
  const stray = await open(stage, token, trialId, each);
  await close(stage, token, trialId);
  return stray;
}

async function close({ services }: Stage, token: string, trialId: number) {
  const [{ traffic }, { calls }] = await Promise.all([
    services.gateway.ask({ type: 'trial-close', token, trialId }, 'trial-closed'),
    services.broker.ask({ type: 'trial-close', token, trialId }, 'trial-closed'),
  ]);
  return { traffic, toolCalls: calls };
}

/** Resolves when the first model request is in flight, or the trial has ended without one. */
async function whenAsked({ services }: Stage, token: string, trialId: number, running: Promise<WorkerTrial>): Promise<void> {
  let ended = false;
  void running.then(() => {
    ended = true;
  });
  while (!ended) {
    const { intervals } = await services.gateway.ask({ type: 'trial-status', token, trialId }, 'trial-status');
    if (intervals.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, CANCEL_POLL_MS));
  }
}

/** The line in which Node names an error that nobody caught; it stands above the stack. Else the last lines. */
function reasonIn(stderr: string): string {
  return stderr.split('\n').findLast((line) => /^(Uncaught )?[A-Za-z]*(Error|Exception)\b/.test(line)) ?? lastWords(stderr);
}
