// One row meets one fault: a trial on a warm worker with a scripted model and scripted tools, judged and told as a record like any other.
import { strayWorkOf } from '../base/stray-count.ts';
import type { ModelCall, ModelTraffic, ToolCall } from '../base/traffic.ts';
import { classifyTrial } from '../metrics/classify.ts';
import type { TrialEvidence } from '../metrics/evidence.ts';
import { faultResponse } from '../metrics/fault-response.ts';
import { RECORD_VERSION, type TrialRecord, type WireRecord } from '../metrics/record.ts';
import { ANSWER, type Fault, needsSeveral } from '../models/faults/fault.ts';
import type { ScriptedServices } from './scripted-services.ts';
import { wireOf } from './wire-hash.ts';
import type { WorkerHost, WorkerTrial } from './worker-host.ts';

const INSTRUCTION = 'End with a line FINAL ANSWER: and the number.';
const SYSTEM_TEXT = `Work with the tools at hand. ${INSTRUCTION}`;
const USER_TEXT = `How much is 2 + 3? ${INSTRUCTION}`;
export const MODEL = { name: 'gpt-4o-mini', temperature: 1, maxTokens: 2_000, timeoutMs: 10_000 } as const;
/** What a row is allowed by its framework's own option, and what the gateway answers: beyond that nobody's limit holds. */
export const AGENT_CAP = 10;
export const CAP = 40;
/** How long work may go on behind the back of a trial that did not end with an answer before nobody looks any more. */
const WATCH_MS = 300;

export interface FaultTrial {
  readonly services: ScriptedServices;
  readonly worker: WorkerHost;
  readonly fault: Fault;
  readonly patienceMs: number;
  readonly hostName: string;
  readonly signal: AbortSignal;
}

export interface EndedFaultTrial {
  readonly record: TrialRecord;
  readonly wire: WireRecord;
  readonly transcript: unknown;
  /** Nothing was open, nothing came afterwards: the worker may serve the next fault. */
  readonly clean: boolean;
}

/** @returns nothing when it was interrupted */
export async function runFaultTrial(trial: FaultTrial): Promise<EndedFaultTrial | undefined> {
  const { services, worker, fault, patienceMs, signal } = trial;
  const trialId = services.nextTrialId();
  await open(trial, trialId, fault);
  const ran = await worker.runTrial(
    {
      type: 'trial-start',
      trialId,
      systemText: SYSTEM_TEXT,
      userText: USER_TEXT,
      tools: fault.tools.map(({ schema }) => schema),
      model: MODEL,
      agentCap: AGENT_CAP,
    },
    { timeoutMs: patienceMs, extend: async () => 0, signal, capReached: services.capReached(trialId) },
  );
  const { traffic, toolCalls } = await close(trial, trialId);
  if (ran.hostReason === 'cancelled') return undefined;
  const strayRequests = ran.hostReason === undefined && ran.exit === undefined ? await strayAfter(trial, ran) : 0;
  const evidence = evidenceOf(fault, ran, traffic, toolCalls, strayRequests);
  const wire = wireRecordOf(worker, traffic);
  return {
    record: recordOf(trial, ran, evidence, wire.wire),
    wire,
    transcript: {
      ...named(worker),
      taskId: fault.id,
      modelCalls: traffic.calls.map(shortened),
      toolCalls: toolCalls.map(shortened),
      worker: ran,
      noise: worker.noise,
    },
    clean: worker.alive && ran.hostReason === undefined && strayRequests === 0 && !traffic.calls.some((call) => call.stray),
  };
}

async function open({ services, worker }: FaultTrial, trialId: number, fault: Pick<Fault, 'script' | 'tools'>): Promise<number> {
  const token = worker.address.token;
  // Some frameworks greet the model before they begin.
  const script = { opening: ANSWER, ...fault.script };
  const [model, tools] = await Promise.all([
    services.gateway.ask(
      { type: 'trial-open', token, trialId, seed: 1, trialIndex: 0, instruction: INSTRUCTION, systemText: SYSTEM_TEXT, cap: CAP, script, keepBodies: true },
      'trial-opened',
    ),
    services.broker.ask({ type: 'trial-open', token, trialId, tools: [], attachments: [], keepResults: true, scripted: fault.tools }, 'trial-opened'),
  ]);
  return strayWorkOf(model, tools).strayBefore;
}

async function close({ services, worker }: FaultTrial, trialId: number): Promise<{ traffic: ModelTraffic; toolCalls: readonly ToolCall[] }> {
  const token = worker.address.token;
  const [{ traffic }, { calls }] = await Promise.all([
    services.gateway.ask({ type: 'trial-close', token, trialId }, 'trial-closed'),
    services.broker.ask({ type: 'trial-close', token, trialId }, 'trial-closed'),
  ]);
  return { traffic, toolCalls: calls };
}

/** An empty trial is opened and closed to be told what came since. Whoever broke off may have left something running: that is waited for. */
async function strayAfter(trial: FaultTrial, { end }: WorkerTrial): Promise<number> {
  if (end?.error !== undefined || end?.output === undefined || end.output.trim() === '') await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
  const trialId = trial.services.nextTrialId();
  const stray = await open(trial, trialId, { script: { replies: [ANSWER] }, tools: [] });
  await close(trial, trialId);
  return stray;
}

function evidenceOf(fault: Fault, ran: WorkerTrial, traffic: ModelTraffic, toolCalls: readonly ToolCall[], strayRequests: number): TrialEvidence {
  const { end, exit, hostReason, problem } = ran;
  return {
    traffic,
    toolCalls,
    ...(end?.output === undefined ? {} : { output: end.output }),
    ...(end?.error === undefined ? {} : { workerError: end.error }),
    ...(exit === undefined ? {} : { exit }),
    ...(hostReason === undefined ? {} : { hostReason }),
    ...(problem === undefined ? {} : { protocolProblem: problem }),
    ...(strayRequests === 0 ? {} : { strayRequests }),
    cap: CAP,
    agentCap: AGENT_CAP,
    instruction: INSTRUCTION,
    tools: fault.tools.map(({ schema }) => schema),
    isLive: false,
  };
}

function recordOf({ worker, fault, hostName }: FaultTrial, ran: WorkerTrial, evidence: TrialEvidence, wire: string): TrialRecord {
  const verdict = classifyTrial(evidence);
  const { traffic, toolCalls } = evidence;
  const { end } = ran;
  const startMs = end?.startMs ?? ran.startedMs;
  // Who does not let go of a request when the host stops the trial made it all the same.
  const calls = traffic.calls.filter((call) => !call.stray || call.startMs < (end?.endMs ?? ran.endedMs));
  const since = (ms: number | undefined) => (ms === undefined ? null : Math.round((ms - startMs) * 1000) / 1000);
  const sum = (of: (call: (typeof calls)[number]) => number) => calls.reduce((total, call) => total + of(call), 0);
  return {
    recordVersion: RECORD_VERSION,
    ...named(worker),
    taskId: fault.id,
    taskType: 'document',
    level: 1,
    template: fault.group,
    width: 1,
    trialIndex: 0,
    seed: 1,
    modelKind: 'scripted',
    model: MODEL.name,
    host: hostName,
    outcome: verdict.outcome,
    ...(verdict.failure === undefined ? {} : { failure: verdict.failure }),
    ...(verdict.stoppedBy === undefined ? {} : { stoppedBy: verdict.stoppedBy }),
    ...(end?.output === undefined ? {} : { output: end.output.slice(0, LONGEST_OUTPUT) }),
    ...(verdict.handling === undefined ? {} : { handling: verdict.handling }),
    ...(verdict.code === undefined ? {} : { code: verdict.code }),
    events: verdict.events,
    ...(isExposed(fault, evidence) ? { response: faultResponse(evidence) } : {}),
    usage: {
      modelCalls: calls.filter((call) => !call.capped).length,
      toolCalls: toolCalls.length,
      inputTokens: sum((call) => call.inputTokens),
      outputTokens: sum((call) => call.outputTokens),
    },
    calls: calls.map((call) => [since(call.startMs) as number, since(call.endMs), call.inputTokens, call.outputTokens, call.status]),
    toolCalls: toolCalls.map((call) => [call.name === '' ? '(no name)' : call.name, since(call.startMs) as number, since(call.endMs), call.status]),
    wire,
    wallMs: Math.max(0, (end?.endMs ?? ran.endedMs) - startMs),
  };
}

/** An idiom without a tool that hands on cannot be told to hand on to nobody, nor to and fro: its cell stays empty. */
function isExposed(fault: Fault, { traffic, tools = [] }: TrialEvidence): boolean {
  if (!needsSeveral(fault)) return true;
  const isForeign = (name: string) => !tools.some((own) => own.name === name);
  return traffic.calls.some(
    ({ slip, reply, offeredTools }) =>
      slip !== undefined || (reply.kind === 'calls' && reply.calls.some(({ name }) => isForeign(name) && offeredTools.includes(name) && !ENDS.test(name))),
  );
}

/** Of tools through which a framework takes an answer. */
const ENDS = /final|answer|result/i;

/** A megabyte that came back through a tool and was answered with need not lie in the log. */
const LONGEST_OUTPUT = 2_000;

function wireRecordOf(worker: WorkerHost, traffic: ModelTraffic): WireRecord {
  return { wire: wireOf(JSON.stringify(traffic.wire)).hash, ...named(worker), facts: traffic.wire };
}

function named({ row }: WorkerHost) {
  const { framework, shape, settings } = row;
  return { framework, shape, settings };
}

/** Of megabytes in a transcript their number is enough. */
function shortened<Call extends ModelCall | ToolCall>(call: Call): Call {
  const long = (text: unknown) => typeof text === 'string' && text.length > LONGEST_TEXT;
  return JSON.parse(JSON.stringify(call), (_, value: unknown) =>
    long(value) ? `${String(value).slice(0, LONGEST_OUTPUT)}… (${String(value).length} characters)` : value,
  ) as Call;
}

const LONGEST_TEXT = 50_000;
