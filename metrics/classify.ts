// What happened in a trial (method M5): one cause, one handling, and the events beside them, decided from gateway, broker, output and exit alone.
// Pure; knows neither scenario nor framework. Whether an answer is right is decided later, by the score: finishVerdict.
import { withoutThoughts } from '../base/thoughts.ts';
import type { ModelCall } from '../base/traffic.ts';
import { causalEnds } from './causal-ends.ts';
import { type Code, PASSED_ON_CODES, sourceOf } from './codes.ts';
import { type Ending, endingOf, HAND_OVER } from './endings.ts';
import { answeredCalls, type TrialEvidence, type Verdict } from './evidence.ts';
import { eventsOf, type Finding, findingAt, inOrder, ending as lastFinding } from './finding.ts';
import { modelFaults } from './model-faults.ts';
import type { Busy } from './overhead.ts';
import type { Handling, Outcome } from './record.ts';
import { causesOf, withToolBorder } from './tool-border.ts';

export type { TrialEvidence, Verdict } from './evidence.ts';

export function classifyTrial(evidence: TrialEvidence): Verdict {
  const end = endingOf(evidence);
  const handedOn = end.findings.filter((finding) => PASSED_ON_CODES.has(finding.code));
  // What was handed on has its own finding: the model's code for that reply would count it twice.
  const faults = withToolBorder(evidence, modelFaults(evidence)).filter(
    (fault) => !handedOn.some((handed) => handed.at === fault.at && REPLY_CODES.has(fault.code)),
  );
  const findings = inOrder([...faults, ...sideFindings(evidence, end), ...end.findings], evidence.traffic.planSteps);
  const events = eventsOf(findings);
  const cut = isCut(evidence, end) ? { cut: true as const } : {};
  if (end.kind === 'cancelled') return { outcome: 'cancelled', stoppedBy: 'host', events, ...cut };

  const cause = findings.find((finding) => finding.code === end.decides) ?? findings.find((finding) => !finding.repaired) ?? findings[0];
  const outcome = outcomeOf(end, cause);
  const handling = handlingOf(evidence, end, findings);
  return {
    outcome,
    ...(cause !== undefined && (outcome === 'failed' || outcome === 'infrastructure')
      ? { failure: { code: cause.code, message: end.message ?? `The trial ended with ${cause.code}` } }
      : {}),
    ...(end.stoppedBy === undefined ? {} : { stoppedBy: end.stoppedBy }),
    ...(handling === undefined ? {} : { handling }),
    ...(cause === undefined ? {} : { code: cause.code }),
    events,
    ...cut,
  };
}

const REPLY_CODES: ReadonlySet<Code> = new Set(['empty-reply', 'reasoning-only', 'truncated']);

/** What is seen beside replies, tools and the end. */
function sideFindings(evidence: TrialEvidence, end: Ending): Finding[] {
  const { traffic, toolCalls, strayRequests = 0, output, instruction } = evidence;
  const last = answeredCalls(evidence).at(-1);
  const found: Finding[] = [];
  for (const _ of traffic.harnessErrors.slice(0, 1)) found.push(lastFinding('harness-error'));
  if (strayRequests > 0 || traffic.calls.some((call) => call.stray) || toolCalls.some((call) => call.stray)) found.push(lastFinding('stray-work'));
  // Only the request that gets the last reply must carry it: subtask agents answer another question, and a trial that broke off at one had not come to the answer.
  // With a real model parts are not known, so a trial that broke off says nothing.
  const isWhole = last?.call.role !== undefined && last.call.role !== 'planner' && last.call.role !== 'subtask-worker';
  if (end.kind !== 'limit' && (end.kind === 'answered' || isWhole) && last?.reply.kind === 'text' && !last.call.instructionSeen && instruction !== '')
    found.push(findingAt('instruction-lost', last.at, undefined));
  if (end.kind === 'answered' && REFUSAL.test(withoutThoughts(output ?? '').trim()) && !/final\s+answer\s*[:：]/i.test(output ?? ''))
    found.push(findingAt('refusal', last?.at ?? 0, last?.call));
  return found;
}

const REFUSAL =
  /^(?:i(?:['’]m| am) (?:very |really )?sorry[,.]? (?:but )?i (?:can(?:no|['’])t|am (?:unable|not able)|won['’]t)|i (?:can(?:no|['’])t|won['’]t|am not able to|am unable to) (?:help|assist|comply|do that|provide)|as an ai\b)/i;

function outcomeOf(end: Ending, cause: Finding | undefined): Outcome {
  switch (end.kind) {
    case 'cancelled':
      return 'cancelled';
    case 'limit':
      return 'limit';
    case 'answered':
      return 'completed';
    case 'timeout':
    case 'died':
    case 'threw':
    case 'nothing':
      return cause !== undefined && sourceOf(cause.code) === 'infrastructure' ? 'infrastructure' : 'failed';
    default:
      return end.kind satisfies never;
  }
}

const LOST: ReadonlySet<Code> = new Set([
  'stray-work',
  'lost-result',
  'instruction-lost',
  'hang',
  'worker-exit',
  'out-of-memory',
  'unhandled-rejection',
  'host-signal',
]);
const CONCEALED: ReadonlySet<Code> = new Set(['silent-empty', 'notice-as-answer', 'altered-arguments', 'empty-passed-on', 'reasoning-only']);
/** Nothing for a framework to handle: the model's own answer, or a mistake of ours. */
const NOT_HANDLED: ReadonlySet<Code> = new Set(['refusal', 'harness-error']);

/** @returns `undefined` for an undisturbed answer only */
function handlingOf({ output }: TrialEvidence, end: Ending, findings: readonly Finding[]): Handling | undefined {
  const open = findings.filter((finding) => !finding.repaired && !NOT_HANDLED.has(finding.code));
  if (open.some(({ code }) => LOST.has(code))) return 'lost';
  switch (end.kind) {
    case 'cancelled':
      return undefined;
    // Ended in time: with an error, or by the host while others were waited for.
    case 'threw':
    case 'timeout':
      return 'reported';
    case 'died':
      return 'lost';
    // Whoever comes back from the cap as from a success conceals it.
    case 'limit':
      return end.stoppedBy === 'framework' && output !== undefined ? 'concealed' : 'reported';
    case 'nothing':
      return 'concealed';
    case 'answered':
      break;
    default:
      return end.kind satisfies never;
  }
  if (open.some(({ code }) => CONCEALED.has(code))) return 'concealed';
  if (open.length > 0) return open.every(({ shown, code }) => shown || code === 'forced-answer') ? 'reported' : 'concealed';
  return findings.some(({ code }) => !NOT_HANDLED.has(code)) ? 'repaired' : undefined;
}

/** How late gateway or broker may stamp a last byte that the worker has read already, on a busy machine. */
const LATE_STAMP_MS = 100;

/**
 * Other branches were at work when the trial ended: what they cost depends on the instant. Gateway and broker are other processes than the worker and may stamp
 * an end late: a tool call whose result came back had ended, so had a model call whose reply asked for a tool that ran, and the one call whose reply ended the
 * trial makes no cut unless a model call was open beside it.
 */
function isCut(evidence: TrialEvidence, end: Ending): boolean {
  const { traffic, toolCalls, endMs } = evidence;
  if (end.kind === 'cancelled' || end.kind === 'timeout') return false;
  const asked = traffic.calls.filter((call) => !call.capped && !call.stray);
  const ours = [...asked, ...toolCalls.filter((call) => !call.stray)];
  // A process that dies takes all branches with it, also one between two calls: wherever several were at work, how far the others came depends on the instant.
  if (end.kind === 'died') return workersBegun(asked) > 1 || asked.some((call, at) => asked.slice(at + 1).some((other) => overlap(call, other)));
  if (ours.some((call) => call.endMs === undefined)) return true;
  if (endMs === undefined) return false;
  const causes = causesOf(evidence);
  const times = causalEnds(evidence);
  const modelCalls = times.modelCalls.filter((_, at) => traffic.calls[at]?.capped !== true && traffic.calls[at]?.stray !== true);
  const tools = times.toolCalls.filter((_, at) => causes[at]?.tool.stray !== true && causes[at]?.broughtBy === undefined);
  const outlived = ({ startMs, endMs: ended = 0 }: Busy) => startMs <= endMs && ended > endMs;
  const [last, ...others] = [...modelCalls.filter(outlived), ...tools.filter(outlived)];
  if (last === undefined) return false;
  if (others.length > 0 || (last.endMs ?? 0) > endMs + LATE_STAMP_MS) return true;
  return modelCalls.some((call) => call !== last && overlap(call, last));
}

/** Told by their first requests: a gateway that answers at once shows no two of them open together. */
function workersBegun(asked: readonly ModelCall[]): number {
  const first = asked.filter(({ role, delivered, step }) => role === 'subtask-worker' && delivered.length === 0 && step?.startsWith(HAND_OVER) === false);
  return new Set(first.map(({ step }) => step)).size;
}

function overlap(one: Busy, other: Busy): boolean {
  return one.startMs < (other.endMs ?? Number.POSITIVE_INFINITY) && other.startMs < (one.endMs ?? Number.POSITIVE_INFINITY);
}

export interface Judged {
  /** Undefined when there was nothing to compare with. */
  readonly correct?: boolean | undefined;
  readonly noMarker: boolean;
}

/** Adds what only the score tells: an answer that is wrong has the model's code, unless an unrepaired event is its cause already. */
export function finishVerdict(verdict: Verdict, { correct, noMarker }: Judged): Verdict {
  if (verdict.outcome !== 'completed' || correct !== false) return verdict;
  const code: Code = noMarker && !isRefused(verdict) ? 'no-marker' : 'wrong-answer';
  const events = isRefused(verdict) ? verdict.events : [...verdict.events, { code, source: sourceOf(code) }];
  const hasCause = verdict.events.some((event) => event.code === verdict.code && event.repaired !== true);
  return { ...verdict, code: hasCause && verdict.code !== undefined ? verdict.code : code, events };
}

function isRefused({ events }: Verdict): boolean {
  return events.some(({ code }) => code === 'refusal');
}

/** Whether there is an answer of the model to score: notices, empties and errors are none. */
export function isScorable({ outcome }: Verdict): boolean {
  return outcome === 'completed';
}
