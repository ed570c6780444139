// How a trial ended, from what the host, the process and the worker said. The first that applies decides: the user, the process, the deadline, the cap, the error, the output.
import { withoutThoughts } from '../base/thoughts.ts';
import { CLIENT_LEFT, type ModelCall, type ToolCall } from '../base/traffic.ts';
import type { Code } from './codes.ts';
import { type Answered, answeredCalls, isBlank, type TrialEvidence } from './evidence.ts';
import { type Finding, findingAt, ending as lastFinding } from './finding.ts';
import { standsInReply } from './stands-in-reply.ts';
import { steadyText } from './steady-text.ts';

export interface Ending {
  readonly kind: 'cancelled' | 'died' | 'timeout' | 'limit' | 'threw' | 'answered' | 'nothing';
  readonly stoppedBy?: 'framework' | 'gateway' | 'host';
  readonly findings: readonly Finding[];
  /** The code whatever came before (method M3.4 and M5.3): the cap, a forced answer, the death of the process. */
  readonly decides?: Code;
  readonly message?: string;
}

export function endingOf(evidence: TrialEvidence): Ending {
  const { hostReason, workerError, output } = evidence;
  if (hostReason === 'cancelled' || hostReason === 'stopped') return { kind: 'cancelled', stoppedBy: 'host', findings: [] };
  if (hostReason === 'deadline') return deadline(evidence);
  // A process that is ended at the cap, having been told, died of that.
  if (hostReason === 'cap') return limit(evidence, 'gateway');
  const death = deathOf(evidence);
  if (death !== undefined) return { kind: 'died', findings: [lastFinding(death.code)], decides: death.code, message: death.message };
  if (evidence.traffic.calls.some((call) => call.capped)) return limit(evidence, 'gateway');
  if (stoppedAtCap(evidence)) return limit(evidence, 'framework');
  if (workerError !== undefined) return threw(workerError, evidence);
  return isBlank(output) ? nothing(evidence) : answered(evidence, output ?? '');
}

function deadline({ traffic, toolCalls }: TrialEvidence): Ending {
  const waiting = isWaitedFor(traffic.calls.filter((call) => !call.capped)) || isWaitedFor(toolCalls);
  const code = waiting ? 'timeout' : 'hang';
  const message = waiting ? 'The deadline came with a model or tool call in flight' : 'The deadline came with no model or tool call in flight';
  return { kind: waiting ? 'timeout' : 'died', stoppedBy: 'host', findings: [lastFinding(code)], decides: code, message };
}

/** Whether one was in flight when the deadline came. Whoever obeys the host drops it at once: then it is one that its client left, and that nothing followed. */
function isWaitedFor(calls: readonly (ModelCall | ToolCall)[]): boolean {
  const ours = calls.filter((call) => !call.stray);
  return ours.some(({ endMs, status }) => endMs === undefined || (status === CLIENT_LEFT && !ours.some((later) => later.startMs >= endMs)));
}

/** N answered calls, N the cap or the agent's own, of which the last still asked for a tool: whatever exception, notice or text came back. */
function stoppedAtCap(evidence: TrialEvidence): boolean {
  const answered = answeredCalls(evidence);
  if (answered.at(-1)?.reply.kind !== 'calls') return false;
  return evidence.capLiteral !== undefined || answered.length === evidence.agentCap || answered.length >= evidence.cap;
}

function limit(evidence: TrialEvidence, stoppedBy: 'framework' | 'gateway'): Ending {
  const isNotice = evidence.output !== undefined && !isBlank(evidence.output) && !standsInReply(evidence.output, evidence);
  const findings = [lastFinding('iteration-cap'), ...(isNotice ? [lastFinding('notice-as-answer')] : [])];
  return { kind: 'limit', stoppedBy, findings, decides: 'iteration-cap' };
}

function deathOf({ exit, hostReason, protocolProblem, output, workerError }: TrialEvidence): { readonly code: Code; readonly message: string } | undefined {
  if (hostReason === 'memory') return { code: 'out-of-memory', message: 'The worker passed its memory limit' };
  if (hostReason === 'protocol')
    return { code: 'worker-exit', message: `The worker broke the protocol: ${steadyText(protocolProblem ?? 'no readable frame')}` };
  if (exit === undefined || output !== undefined || workerError !== undefined) return undefined;
  const stderr = exit.stderr ?? '';
  const how = exit.signal === undefined ? `code ${exit.code ?? 'unknown'}` : `signal ${exit.signal}`;
  const line = stderr.split('\n').find((candidate) => /^(?:\S*\.)?\w*(?:Error|Exception|Rejection)\b|^FATAL ERROR/.test(candidate));
  const message = `The worker ended with ${how}${line === undefined ? '' : `: ${steadyText(line)}`}`;
  if (exit.oomKilled || exit.overMemory || /heap out of memory|^MemoryError|FATAL ERROR: .*allocation failed/im.test(stderr))
    return { code: 'out-of-memory', message };
  // Node prints no such word for an Error that nobody caught; a worker that watches (uncaughtExceptionMonitor) does.
  if (/unhandled ?(?:promise ?)?rejection|triggerUncaughtException\(err, true/i.test(stderr)) return { code: 'unhandled-rejection', message };
  if (exit.signal !== undefined && OUTSIDE_SIGNALS.has(exit.signal)) return { code: 'host-signal', message };
  return { code: 'worker-exit', message };
}

/** Signals that no runtime raises on itself when it breaks: somebody sent them. */
const OUTSIDE_SIGNALS: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);

function threw(error: NonNullable<TrialEvidence['workerError']>, { traffic }: TrialEvidence): Ending {
  const said = `${error.name}: ${error.message}`;
  let code: Code = 'framework-exception';
  if (/^MemoryError\b/.test(error.name)) code = 'out-of-memory';
  else if (/context[_ ](?:length|window)|maximum context/i.test(said) && !traffic.calls.some((call) => call.reply.kind === 'error')) code = 'context-overflow';
  else if (GAVE_UP.test(said)) code = 'retries-exhausted';
  return { kind: 'threw', findings: [lastFinding(code)], message: steadyText(said) };
}

/** The words in which a stated budget runs out, in whatever library. */
const GAVE_UP =
  /exceeded (?:the )?max(?:imum)?[ _]?(?:number of )?(?:\w+ )?retr|max(?:imum)?[ _]retries|retries (?:were |are )?(?:exhausted|exceeded)|(?:gave|giving) up after/i;

function nothing(evidence: TrialEvidence): Ending {
  const last = answeredCalls(evidence).at(-1);
  if (last === undefined || !isEmptyOrCut(last)) return { kind: 'nothing', findings: [lastFinding('silent-empty')], message: 'The framework returned nothing' };
  return { kind: 'nothing', findings: [passedOn(last)], message: 'The last reply held no answer and was handed on' };
}

function answered(evidence: TrialEvidence, output: string): Ending {
  const last = answeredCalls(evidence).at(-1);
  if (isBlank(withoutThoughts(output)) && last !== undefined)
    return { kind: 'nothing', findings: [passedOn(last)], message: 'The last reply held thoughts alone and was handed on' };
  if (!standsInReply(output, evidence)) {
    return { kind: 'nothing', findings: [lastFinding('notice-as-answer')], message: `The framework returned text of its own: ${steadyText(output)}` };
  }
  if (last?.call.truncated && last.reply.kind === 'text') return { kind: 'answered', findings: [passedOn(last)] };
  return wasForced(evidence, last)
    ? { kind: 'answered', findings: [findingAt('forced-answer', last?.at ?? 0, undefined)], decides: 'forced-answer' }
    : { kind: 'answered', findings: [] };
}

/** A subtask worker from whom the tools were taken away while its subtask was open: what it handed over was forced like an answer. */
function isForcedHandOver({ call, reply }: Answered, answered: readonly Answered[]): boolean {
  if (reply.kind !== 'text' || call.role !== 'subtask-worker' || call.offeredTools.length > 0 || isBlank(reply.text)) return false;
  const last = call.step?.startsWith(HAND_OVER) ? call.step.slice(HAND_OVER.length) : undefined;
  if (last === undefined || call.stepsDone?.includes(last)) return false;
  return answered.some((other) => other.call.role === 'subtask-worker' && other.call.offeredTools.length > 0);
}

/** How the simulated model names the step of handing a subtask over: by the subtask's last step. */
export const HAND_OVER = 'hand-over ';

/** A cut call is none: whoever returns nothing after it has dropped a call, and handed nothing on. */
function isEmptyOrCut({ call, reply }: Answered): boolean {
  return reply.kind === 'text' && (call.truncated || isBlank(withoutThoughts(reply.text)));
}

/** Takes the place of the model's own code for that reply, but where the model only thought: that stays its code. */
function passedOn({ at, call, reply }: Answered): Finding {
  const thoughtOnly = reply.kind === 'text' && isBlank(withoutThoughts(reply.text)) && (call.reasoning === true || !isBlank(reply.text));
  return findingAt(thoughtOnly ? 'reasoning-only' : 'empty-passed-on', at, call);
}

/** An answer in the last call that the agent has, or to a request from which the tools were taken away, while plan steps are open (method M3.4). */
function wasForced(evidence: TrialEvidence, last: Answered | undefined): boolean {
  if (last?.reply.kind !== 'text') return false;
  const { traffic, isLive, agentCap, cap } = evidence;
  const answered = answeredCalls(evidence);
  if (answered.some((one) => isForcedHandOver(one, answered))) return true;
  // Parts are not known with a real model: a synthesis never had tools, so nothing that a tool gave stands in its request.
  const isAgent = last.call.role === 'agent' || (last.call.role === undefined && last.call.delivered.length > 0);
  const toolsTaken = isAgent && last.call.offeredTools.length === 0 && answered.some(({ call }) => call.offeredTools.length > 0);
  if (isLive || traffic.planSteps === undefined || last.call.stepsDone === undefined) return toolsTaken;
  const isOpen = traffic.planSteps.some((step) => !last.call.stepsDone?.includes(step));
  return isOpen && (toolsTaken || answered.length === agentCap || answered.length === cap);
}
