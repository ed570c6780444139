// One trial on a ready worker: open it at gateway and broker, let the worker run, close it, and turn what was seen into a record.
// The target never crosses to the worker: it is only looked at here, after the trial has ended.
import { systemClock } from '../base/clock.ts';
import type { Condition, ForcedFault } from '../base/forced-fault.ts';
import { type StrayWork, strayWorkOf } from '../base/stray-count.ts';
import type { ModelCall, ModelTraffic, ToolCall } from '../base/traffic.ts';
import { asksByPlace } from '../metrics/asks-by-place.ts';
import { causalEnds } from '../metrics/causal-ends.ts';
import { classifyTrial, finishVerdict, type TrialEvidence } from '../metrics/classify.ts';
import { unionMs } from '../metrics/intervals.ts';
import { isRealModel } from '../metrics/model-kind.ts';
import { overheadOf } from '../metrics/overhead.ts';
import {
  type CallRow,
  type Part,
  type PartUsage,
  RECORD_VERSION,
  type ReadingRow,
  type ToolCallRow,
  type TrialRecord,
  type WireRecord,
} from '../metrics/record.ts';
import type { PolicyName, ProfileName, SpelledTraffic } from '../models/control.ts';
import type { RoleName } from '../models/roles.ts';
import { extractAnswer } from '../tasks/gaia/extract-answer.ts';
import { gaiaPrompt } from '../tasks/gaia/prompt.ts';
import { obedience } from '../tasks/gaia/web/relay.ts';
import { scoreBy } from '../tasks/own/scorers.ts';
import type { Task } from '../tasks/task.ts';
import { toolSchemas } from '../tools/schemas.ts';
import { toolsForTaskType } from '../tools/toolset.ts';
import { leakOf } from './leak.ts';
import type { ResolvedPlan } from './resolved-plan.ts';
import { LIVE_TIMEOUT_MS } from './resolved-plan.ts';
import type { Services } from './services.ts';
import { wireOf } from './wire-hash.ts';
import type { WorkerHost, WorkerTrial } from './worker-host.ts';

export interface TrialContext {
  readonly plan: ResolvedPlan;
  readonly services: Services;
  readonly hostName: string;
  readonly caps: CapSignals;
  readonly signal: AbortSignal;
}

/** Who waits for which trial's cap: the gateway tells the host, the host stops the row. */
export class CapSignals {
  readonly #waiting = new Map<number, () => void>();

  of(trialId: number): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(trialId, resolve));
  }

  reached(trialId: number): void {
    this.#waiting.get(trialId)?.();
  }

  forget(trialId: number): void {
    this.#waiting.delete(trialId);
  }
}

export interface TrialRequest {
  readonly task: Task;
  readonly trialIndex: number;
  /** Place in the interleaved order: the unit of intervals for times. */
  readonly block?: number;
  /** Unique in this process: what gateway, broker and worker call the trial. */
  readonly trialId: number;
  /** Another profile than the plan's: warm-ups and cold starts run `clean`. */
  readonly profile?: ProfileName;
}

/** A trial that has ended, before it is known whether its framework went on working afterwards. */
export interface EndedTrial {
  readonly worker: WorkerTrial;
  readonly traffic: ModelTraffic;
  readonly wire: WireRecord;
  /** As JSON; absent where none are kept. */
  readonly transcript?: string;
  /** Addresses of the live web that it asked for. */
  readonly urls: readonly string[];
  /** @param strayRequests model requests and tool calls that came after the trial was closed */
  record(strayRequests: number): TrialRecord;
}

/** Opens the trial. @returns model requests and tool calls of the worker that came since the last one, and no trial took */
export async function openTrial({ plan, services }: TrialContext, worker: WorkerHost, request: TrialRequest): Promise<Required<StrayWork>> {
  const { task, trialId, trialIndex } = request;
  const token = worker.address.token;
  const prompt = promptOf(plan, task);
  const [model, tools] = await Promise.all([
    services.gateway.ask(
      {
        type: 'trial-open',
        token,
        trialId,
        seed: plan.faultSeed,
        trialIndex,
        instruction: prompt.instruction,
        systemText: prompt.systemText,
        cap: plan.cap,
        ...termsOf(conditionOf(plan, request)),
        ...(request.profile === undefined ? {} : { profile: request.profile }),
        keepBodies: plan.spec.transcripts,
      },
      'trial-opened',
    ),
    services.broker.ask(
      {
        type: 'trial-open',
        token,
        trialId,
        tools: toolsForTaskType(task.type),
        attachments: task.attachments,
        keepResults: plan.spec.transcripts || isRealModel(plan.modelKind),
      },
      'trial-opened',
    ),
  ]);
  return strayWorkOf(model, tools);
}

export async function closeTrial(
  { services }: TrialContext,
  worker: WorkerHost,
  trialId: number,
): Promise<{ traffic: ModelTraffic; spelled: SpelledTraffic; toolCalls: readonly ToolCall[] }> {
  const token = worker.address.token;
  const [model, tools] = await Promise.all([
    services.gateway.ask({ type: 'trial-close', token, trialId, spelled: true }, 'trial-closed'),
    services.broker.ask({ type: 'trial-close', token, trialId }, 'trial-closed'),
  ]);
  return { traffic: model.traffic, spelled: model.spelled as SpelledTraffic, toolCalls: tools.calls };
}

/** Runs an opened trial to its end and closes it. */
export async function runTrial(context: TrialContext, worker: WorkerHost, request: TrialRequest): Promise<EndedTrial> {
  const { plan, caps } = context;
  const { task, trialId } = request;
  const prompt = promptOf(plan, task);
  const ran = await worker.runTrial(
    {
      type: 'trial-start',
      trialId,
      systemText: prompt.systemText,
      userText: prompt.userText,
      tools: toolSchemas(toolsForTaskType(task.type)),
      model: { name: plan.modelName, temperature: plan.manifest.temperature, maxTokens: plan.manifest.maxTokens, timeoutMs: clientTimeoutMs(plan) },
      agentCap: plan.agentCap,
      ...(plan.spec.capLiteral === undefined ? {} : { capLiteral: plan.spec.capLiteral }),
    },
    { timeoutMs: plan.timeoutMs, extend: (elapsedMs) => timeLeft(context, worker, trialId, elapsedMs), signal: context.signal, capReached: caps.of(trialId) },
  );
  caps.forget(trialId);
  const { traffic, spelled, toolCalls } = await closeTrial(context, worker, trialId);
  const { framework, shape, settings, configuration } = worker.row;
  const configured = configuration === undefined ? {} : { configuration };
  const { hash, facts } = wireOf(spelled.wire);
  return {
    worker: ran,
    traffic,
    wire: { wire: hash, framework, shape, settings, ...configured, facts },
    ...(plan.spec.transcripts
      ? {
          transcript: spelledTranscript({ framework, shape, settings, ...configured, taskId: task.id, trialIndex: request.trialIndex }, spelled.calls, {
            toolCalls,
            worker: ran,
            noise: worker.noise,
          }),
        }
      : {}),
    urls: toolCalls.flatMap(({ urls }) => urls ?? []),
    record: (strayRequests) => recordOf({ context, worker, request, ran, traffic, toolCalls, wire: hash, strayRequests }),
  };
}

/** The model's calls stand in the middle as the gateway spelled them: with their bodies they are most of it, and nobody here reads them. */
function spelledTranscript(before: object, modelCalls: string, behind: object): string {
  return `${JSON.stringify(before).slice(0, -1)},"modelCalls":${modelCalls},${JSON.stringify(behind).slice(1)}`;
}

/** What this trial of a run of conditions is to meet; warm-ups and cold starts meet nothing. */
function conditionOf({ manifest }: ResolvedPlan, { profile, trialIndex }: TrialRequest): Condition | undefined {
  return profile === undefined ? manifest.conditions?.[trialIndex] : undefined;
}

function termsOf(condition: Condition | undefined): { readonly profile?: ProfileName; readonly policy?: PolicyName; readonly forced?: ForcedFault } {
  switch (condition?.what) {
    case undefined:
    case 'drawn':
      return {};
    case 'twin':
      return { profile: 'clean', ...(condition.policy && { policy: condition.policy }) };
    case 'forced': {
      const { what: _, ...forced } = condition;
      return { profile: 'clean', forced, ...(forced.place === 'parallel-call' && { policy: 'impatient' }) };
    }
    default:
      return condition satisfies never;
  }
}

function metOf(condition: Condition | undefined, calls: readonly ModelCall[]): Pick<TrialRecord, 'forced' | 'asks'> {
  if (condition === undefined) return {};
  const said = condition.what === 'forced' ? calls.filter(({ slip, status }) => slip === condition.kind && status === 200).length : undefined;
  return { ...(said === undefined ? {} : { forced: said }), asks: asksByPlace(calls) };
}

/** Client time-out of a hardened row (method M1.5). */
function clientTimeoutMs({ modelKind, spec }: ResolvedPlan): number {
  if (modelKind === 'local') return LIVE_TIMEOUT_MS;
  return modelKind === 'simulated' && spec.latency === 'zero' ? 10_000 : 30_000;
}

function promptOf(plan: ResolvedPlan, task: Task) {
  return gaiaPrompt({ question: task.question, attachments: task.attachments, instruction: plan.spec.instruction });
}

/** The deadline counts what is neither model nor tool time (method M3.5), and 600 s in all. @returns milliseconds that are left, 0 at the end */
export async function timeLeft({ plan, services }: TrialContext, worker: WorkerHost, trialId: number, elapsedMs: number): Promise<number> {
  const token = worker.address.token;
  const [model, tools] = await Promise.all([
    services.gateway.ask({ type: 'trial-status', token, trialId }, 'trial-status'),
    services.broker.ask({ type: 'trial-status', token, trialId }, 'trial-status'),
  ]);
  const now = systemClock.nowMs();
  const busyMs = unionMs([...model.intervals, ...tools.intervals].map(({ startMs, endMs }) => ({ startMs, endMs: endMs ?? now })));
  const left = Math.min(plan.timeoutMs - (elapsedMs - busyMs), LIVE_TIMEOUT_MS - elapsedMs);
  return left < 1 ? 0 : left;
}

function recordOf(seen: {
  readonly context: TrialContext;
  readonly worker: WorkerHost;
  readonly request: TrialRequest;
  readonly ran: WorkerTrial;
  readonly traffic: ModelTraffic;
  readonly toolCalls: readonly ToolCall[];
  readonly wire: string;
  readonly strayRequests: number;
}): TrialRecord {
  const { context, worker, request, ran, traffic, toolCalls } = seen;
  const { plan, hostName } = context;
  const { task } = request;
  const end = ran.end;
  const evidence: TrialEvidence = {
    traffic,
    toolCalls,
    ...(end?.output === undefined ? {} : { output: end.output }),
    ...(end?.error === undefined ? {} : { workerError: end.error }),
    ...(ran.exit === undefined ? {} : { exit: ran.exit }),
    ...(ran.hostReason === undefined ? {} : { hostReason: ran.hostReason }),
    ...(ran.problem === undefined ? {} : { protocolProblem: ran.problem }),
    ...(seen.strayRequests === 0 ? {} : { strayRequests: seen.strayRequests }),
    cap: plan.cap,
    agentCap: plan.agentCap,
    ...(plan.spec.capLiteral === undefined ? {} : { capLiteral: plan.spec.capLiteral }),
    instruction: promptOf(plan, task).instruction,
    tools: toolSchemas(toolsForTaskType(task.type)),
    ...(end?.endMs === undefined ? {} : { endMs: end.endMs }),
    isLive: plan.modelKind !== 'simulated',
  };
  const extracted = extractAnswer(end?.output);
  const injection = obedience(toolCalls, end?.output);
  const target = plan.targets.get(task.id);
  const leak = isRealModel(plan.modelKind) ? leakOf(toolCalls, task.question, target) : undefined;
  const python = toolCalls.find(({ ranBy }) => ranBy !== undefined)?.ranBy;
  const judged = classifyTrial(evidence);
  const scored =
    judged.outcome === 'completed' && target !== undefined ? scoreBy(plan.scorers?.get(task.id) ?? 'gaia', extracted.answer ?? null, target) : undefined;
  const verdict = finishVerdict(judged, { correct: scored?.correct, noMarker: extracted.noMarker });
  const startMs = end?.startMs ?? ran.startedMs;
  const endMs = end?.endMs ?? ran.endedMs;
  const times = overheadOf({ startMs, endMs, ...causalEnds(evidence), waits: [] });
  const clockShared = worker.clockBracketMs !== undefined;
  const closedCalls = traffic.calls.filter((call) => !call.stray);
  return {
    recordVersion: RECORD_VERSION,
    framework: worker.row.framework,
    shape: worker.row.shape,
    settings: worker.row.settings,
    ...(worker.row.configuration === undefined ? {} : { configuration: worker.row.configuration }),
    taskId: task.id,
    taskType: task.type,
    level: task.level,
    template: task.template,
    width: task.width,
    trialIndex: request.trialIndex,
    seed: plan.spec.seed,
    ...(request.block === undefined ? {} : { block: request.block }),
    modelKind: plan.modelKind,
    model: plan.modelName,
    ...(plan.manifest.profile === undefined ? {} : { profile: plan.manifest.profile }),
    host: hostName,
    outcome: verdict.outcome,
    ...(verdict.failure === undefined ? {} : { failure: verdict.failure }),
    ...(verdict.stoppedBy === undefined ? {} : { stoppedBy: verdict.stoppedBy }),
    ...(end?.output === undefined ? {} : { output: end.output }),
    ...(verdict.outcome !== 'completed' || extracted.answer === undefined ? {} : { answer: extracted.answer }),
    ...(verdict.outcome === 'completed' && extracted.noMarker ? { noMarker: true as const } : {}),
    ...(scored === undefined ? {} : { score: { rule: scored.rule, correct: scored.correct } }),
    ...(verdict.handling === undefined ? {} : { handling: verdict.handling }),
    ...(verdict.code === undefined ? {} : { code: verdict.code }),
    events: verdict.events,
    ...(verdict.cut === undefined ? {} : { cut: verdict.cut }),
    usage: {
      modelCalls: closedCalls.filter((call) => !call.capped).length,
      toolCalls: toolCalls.length,
      inputTokens: sum(closedCalls, (call) => call.inputTokens),
      outputTokens: sum(closedCalls, (call) => call.outputTokens),
    },
    calls: closedCalls.map((call) => callRow(call, startMs)),
    toolCalls: toolCalls.map(
      (call): ToolCallRow => [call.name, since(call.startMs, startMs), call.endMs === undefined ? null : since(call.endMs, startMs), call.status],
    ),
    ...partsOf(traffic),
    ...metOf(conditionOf(plan, request), closedCalls),
    ...(end?.tierBytes === undefined ? {} : { tierBytes: end.tierBytes }),
    ...(injection === undefined ? {} : { injection }),
    ...(leak === undefined ? {} : { leak }),
    ...(python === undefined ? {} : { python }),
    wire: seen.wire,
    ...(traffic.undisturbed === undefined ? {} : { undisturbed: traffic.undisturbed }),
    wallMs: times.wallMs,
    ...(clockShared && end?.startMs !== undefined ? { overheadMs: times.overheadMs, modelMs: times.modelMs, toolMs: times.toolMs } : {}),
    ...(clockShared && times.overheadUpperMs !== undefined ? { overheadUpperMs: times.overheadUpperMs } : {}),
    ...(end?.stubWallMs === undefined ? {} : { stubMs: round(Math.max(0, end.stubWallMs - toolTime(toolCalls))) }),
    ...(end?.cpuMs === undefined ? {} : { cpuMs: round(end.cpuMs) }),
    ...(end === undefined ? {} : { setupMs: round(end.setupMs) }),
    ...(end?.peakRssBytes === undefined ? {} : { peakRssBytes: end.peakRssBytes, baselineRssBytes: worker.ready.rssAfterImportBytes }),
    ...(end?.rssMethod === undefined ? {} : { rssMethod: end.rssMethod }),
  };
}

/** What the broker saw of all tool calls; the rest of a stub's wall time is its own. */
function toolTime(toolCalls: readonly ToolCall[]): number {
  return sum(toolCalls, (call) => (call.endMs === undefined ? 0 : call.endMs - call.startMs));
}

function callRow(call: ModelCall, startMs: number): CallRow {
  return [since(call.startMs, startMs), call.endMs === undefined ? null : since(call.endMs, startMs), call.inputTokens, call.outputTokens, call.status];
}

function since(ms: number, startMs: number): number {
  return round(ms - startMs);
}

/** Microseconds: finer is noise, and lines stay short. */
function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

function sum<T>(of: readonly T[], value: (entry: T) => number): number {
  return of.reduce((total, entry) => total + value(entry), 0);
}

/** Requests by part, and how each step was read, of a trial that was divided: what an undivided one says of them stands in its usage. */
function partsOf({ calls, readings }: ModelTraffic): Pick<TrialRecord, 'parts' | 'readings'> {
  const answered = calls.filter((call) => !call.stray && !call.capped && call.role !== undefined);
  // A role that a record has no place for does not compile.
  const byPart = Map.groupBy(answered, ({ role }): Part => role as RoleName);
  if (byPart.size < 2) return {};
  const parts = [...byPart]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([part, requests]): [Part, PartUsage] => {
      const tokens = requests.map(({ inputTokens }) => inputTokens);
      const answers = requests.filter(({ reply }) => reply.kind === 'text' && reply.text.trim() !== '').length;
      return [part, { modelCalls: requests.length, inputTokens: sum(tokens, (count) => count), largestInputTokens: Math.max(...tokens), answers }];
    });
  return {
    parts: Object.fromEntries(parts),
    ...(readings === undefined ? {} : { readings: readings.map(({ step, tokens, how }): ReadingRow => [step, tokens, how]) }),
  };
}
