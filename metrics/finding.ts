// What was found in a trial before it is put in order: an event with its place, and what became of it. Shared by the readers of model and tool traffic.
import type { CallStep, ModelCall } from '../base/traffic.ts';
import { type Code, sourceOf } from './codes.ts';
import { type Answered, answeredCalls, isBlank, type TrialEvidence } from './evidence.ts';
import type { CauseSource, TrialEvent } from './record.ts';
import { isMalformed, parseArguments } from './tool-arguments.ts';

export interface Finding {
  readonly code: Code;
  /** Where it is not what the code says. */
  readonly source?: CauseSource;
  /** Place of the request among all requests of the trial; Infinity for how the trial ended. */
  readonly at: number;
  readonly step?: string;
  readonly ask?: number;
  /** Place of the faulty call among those of its reply. Ids do not tell calls apart: models leave them out and give them twice. */
  readonly place?: number;
  readonly repaired: boolean;
  /** Whether a later request shows the fault to the model. */
  readonly shown: boolean;
}

export function findingAt(
  code: Code,
  at: number,
  about: CallStep | undefined,
  rest: Partial<Pick<Finding, 'place' | 'repaired' | 'shown' | 'source'>> = {},
): Finding {
  return {
    code,
    at,
    ...(about?.step === undefined ? {} : { step: about.step }),
    ...(about?.ask === undefined ? {} : { ask: about.ask }),
    repaired: false,
    shown: false,
    ...rest,
  };
}

export function ending(code: Code): Finding {
  return { code, at: Number.POSITIVE_INFINITY, repaired: false, shown: false };
}

/**
 * By plan step and ask; then steps of no plan (planning, handing over, answering) by name and ask; then what has no step, by request; how the trial ended, last.
 * Never by arrival where steps are known: of parallel branches either may come first.
 */
export function inOrder(findings: readonly Finding[], planSteps: readonly string[] = []): Finding[] {
  const rank = ({ step, at }: Finding) => {
    if (at === Number.POSITIVE_INFINITY) return planSteps.length + 2;
    if (step === undefined || planSteps.length === 0) return planSteps.length + 1;
    const index = planSteps.indexOf(step);
    return index < 0 ? planSteps.length : index;
  };
  const order = (a: Finding, b: Finding): number => {
    if (rank(a) !== rank(b)) return rank(a) - rank(b);
    const stepped = rank(a) <= planSteps.length;
    if (stepped && a.step !== b.step) return (a.step ?? '') < (b.step ?? '') ? -1 : 1;
    if (stepped && (a.ask ?? 0) !== (b.ask ?? 0)) return (a.ask ?? 0) - (b.ask ?? 0);
    if (!stepped && a.at !== b.at) return a.at - b.at;
    return a.code < b.code ? -1 : a.code > b.code ? 1 : 0;
  };
  return [...findings].sort(order);
}

/** As they lie in a record: what is the same in all fields stands once, unrepaired if one of them is. */
export function eventsOf(findings: readonly Finding[]): TrialEvent[] {
  const byKey = new Map<string, { event: TrialEvent; repaired: boolean }>();
  for (const { code, source = sourceOf(code), step, ask, repaired } of findings) {
    const key = JSON.stringify([code, step, ask]);
    const known = byKey.get(key);
    const event = { code, source, ...(step === undefined ? {} : { step }), ...(ask === undefined ? {} : { ask }) };
    byKey.set(key, { event, repaired: repaired && (known?.repaired ?? true) });
  }
  return [...byKey.values()].map(({ event, repaired }) => (repaired ? { ...event, repaired: true as const } : event));
}

/**
 * Whether a fault of request `at` was repaired: the step was asked for again and its evidence came in (method M5.1). Without steps (real and scripted models):
 * a later valid call of an offered tool was followed by its result, or, where the fault was an empty or cut text, by a whole one.
 * @param failed what the faulty call or text was for
 */
export function wasRepaired(evidence: TrialEvidence, at: number, kind: 'call' | 'text', failed: CallStep): boolean {
  const later = answeredCalls(evidence).filter((answered) => answered.at > at);
  if (!evidence.isLive && failed.step !== undefined) {
    const again = later.filter(({ call }) => stepsOf(call).some(({ step, ask = 0 }) => step === failed.step && ask > (failed.ask ?? 0)));
    const first = again[0];
    if (first === undefined) return false;
    if (kind === 'text' && again.some(isWholeText)) return true;
    return evidence.traffic.calls.some((call, index) => index >= first.at && call.stepsDone?.includes(failed.step as string));
  }
  return later.some((answered) => (kind === 'text' && isWholeText(answered)) || hasResult(evidence, answered));
}

function isWholeText({ call, reply }: Answered): boolean {
  return reply.kind === 'text' && !call.truncated && !isBlank(reply.text);
}

function hasResult({ traffic, toolCalls }: TrialEvidence, { at, call, reply }: Answered): boolean {
  if (reply.kind !== 'calls' || call.truncated) return false;
  const behind = traffic.calls.slice(at + 1);
  return reply.calls.some(({ id, name, arguments: text }) => {
    if (!call.offeredTools.includes(name) || isMalformed(text, undefined) || parseArguments(text) === undefined) return false;
    const ran = toolCalls.some((tool) => tool.name === name && tool.status === 200 && tool.startMs >= call.startMs);
    // A history replayed as text delivers no results under ids: a request that came after the tool ran must do.
    return ran && (traffic.calls.some((request) => request.delivered.length > 0) ? behind.some((request) => delivers(request, id)) : behind.length > 0);
  });
}

/** All that a reply is about: each of several calls has a step of its own. */
export function stepsOf(call: ModelCall): readonly CallStep[] {
  return call.callSteps ?? [call];
}

/** What the call at this place of a reply is for. */
export function stepAt(call: ModelCall, place: number): CallStep {
  return call.callSteps?.[place] ?? call;
}

/** Whether a later request answers this call; where a history replays as text, whether there is a later request at all. */
export function isShown({ traffic }: TrialEvidence, at: number, place: number): boolean {
  const later = traffic.calls.slice(at + 1);
  const asking = traffic.calls[at];
  if (asking?.reply.kind !== 'calls' || !traffic.calls.some((request) => request.delivered.length > 0)) return later.length > 0;
  const id = asking.reply.calls[place]?.id;
  const count = (of: readonly { readonly id?: string; readonly callId?: string }[]) => of.filter((one) => (one.id ?? one.callId) === id).length;
  // Of calls that share an id each is answered only when all are.
  const wanted = count(asking.delivered) + count(asking.reply.calls);
  return later.some(({ delivered }) => count(delivered) >= wanted);
}

export function delivers(request: ModelCall, callId: string): boolean {
  return request.delivered.some((result) => result.callId === callId);
}
