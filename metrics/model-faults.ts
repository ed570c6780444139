// What the model did wrong on the wire, reply by reply, and what providers and back ends did. What frameworks made of it: tool-border.ts and classify.ts.
import { canonicalJson } from '../base/canonical-json.ts';
import { withoutThoughts } from '../base/thoughts.ts';
import type { CallStep, ModelCall, RequestedCall } from '../base/traffic.ts';
import type { Code } from './codes.ts';
import { type Answered, answeredCalls, isBlank, type TrialEvidence } from './evidence.ts';
import { type Finding, findingAt, isShown, stepAt, stepsOf, wasRepaired } from './finding.ts';
import { breaksSchema, isMalformed, parseArguments } from './tool-arguments.ts';

export function modelFaults(evidence: TrialEvidence): Finding[] {
  const answered = answeredCalls(evidence);
  return [...answered.flatMap((reply) => faultsOf(evidence, reply)), ...loops(answered), ...providerFaults(evidence)];
}

function faultsOf(evidence: TrialEvidence, { at, call, reply }: Answered): Finding[] {
  const textFault = (code: Code) =>
    findingAt(code, at, call, {
      repaired: stepsOf(call).every((about) => wasRepaired(evidence, at, 'text', about)),
      shown: isAskedAgain(evidence, at, call),
    });
  const found: Finding[] = call.truncated ? [textFault('truncated')] : [];
  if (reply.kind === 'text') {
    const thoughtOnly = isBlank(reply.text) ? call.reasoning === true : isBlank(withoutThoughts(reply.text));
    if (thoughtOnly) found.push(textFault('reasoning-only'));
    else if (isBlank(reply.text) && !call.truncated) found.push(textFault('empty-reply'));
    else if (call.slip === UNKNOWN_ROUTE) found.push({ ...textFault(UNKNOWN_ROUTE), source: 'model', repaired: isRoutedAgain(evidence, at, call) });
    else if (call.slip === 'malformed-plan') found.push({ ...textFault('malformed-plan'), repaired: hasWholePlan(evidence, at) });
    return found;
  }
  for (const [place, requested] of reply.calls.entries()) {
    const about = stepAt(call, place);
    const code = callFault(evidence, call.offeredTools, about, requested);
    if (code === undefined) continue;
    const shown = isShown(evidence, at, place);
    if (code === UNKNOWN_ROUTE) found.push(findingAt(code, at, about, { place, source: 'model', repaired: isRoutedAgain(evidence, at, about), shown }));
    else found.push(findingAt(code, at, about, { place, repaired: wasRepaired(evidence, at, 'call', about), shown }));
  }
  return found;
}

/** A later request that could show it: where steps are known one about the same step, since others may be at work beside it. */
function isAskedAgain({ traffic, isLive }: TrialEvidence, at: number, { step, role }: ModelCall): boolean {
  const later = traffic.calls.slice(at + 1);
  return isLive || step === undefined ? later.length > 0 : later.some((call) => call.role === role && stepsOf(call).some((about) => about.step === step));
}

/** Planned once more, and rightly. */
function hasWholePlan(evidence: TrialEvidence, at: number): boolean {
  const again = answeredCalls(evidence).filter((answered) => answered.at > at && answered.call.role === 'planner');
  return again.some(({ call, reply }) => reply.kind === 'text' && call.slip === undefined && !isBlank(reply.text));
}

function callFault({ tools }: TrialEvidence, offeredTools: readonly string[], { slip }: CallStep, { name, arguments: text }: RequestedCall): Code | undefined {
  if (slip === UNKNOWN_ROUTE || isUnknownRoute(name, offeredTools)) return UNKNOWN_ROUTE;
  if (!offeredTools.includes(name)) return 'unknown-tool';
  const schema = tools?.find((tool) => tool.name === name);
  if (isMalformed(text, schema)) return 'malformed-arguments';
  const given = parseArguments(text);
  return schema !== undefined && given !== undefined && breaksSchema(given, schema) ? 'invalid-arguments' : undefined;
}

/** Handing on to somebody who does not exist (method M4.6): the model named them, and what follows is the framework's. */
const UNKNOWN_ROUTE = 'unknown-route';

/** A name like those of the tools that hand on, and none of them: the same beginning, up to the word that says to whom. */
function isUnknownRoute(name: string, offered: readonly string[]): boolean {
  const stem = /^(?:transfer|hand_?off|hand_?over|delegate|route)_?(?:back_)?to_/i.exec(name)?.[0];
  return stem !== undefined && !offered.includes(name) && offered.some((other) => other.startsWith(stem));
}

/** Somebody was handed the task after all: the route was asked for again and no slip was drawn, or others went to work without tools to hand on. */
function isRoutedAgain(evidence: TrialEvidence, at: number, failed: CallStep): boolean {
  const role = evidence.traffic.calls[at]?.role;
  const later = answeredCalls(evidence).filter((answered) => answered.at > at);
  if (failed.step === undefined) return later.some(({ reply }) => reply.kind === 'calls');
  return later.some(({ call }) => call.role === role && stepsOf(call).some(({ step, slip }) => step === failed.step && slip === undefined));
}

/** As many equal calls in a row make a loop: a second try is common sense, a third one is not. */
const LOOP_LENGTH = 3;

/** One finding a loop, at its third call. Whoever got out of it repaired it; a model that was made to repeat itself began it. Another plan step may need the same call. */
function loops(answered: readonly Answered[]): Finding[] {
  const found: Finding[] = [];
  const asks = answered.map(({ call, reply }) =>
    reply.kind === 'calls'
      ? canonicalJson([stepsOf(call).map(({ step }) => step ?? null), reply.calls.map(({ name, arguments: text }) => [name, parseArguments(text) ?? text])])
      : undefined,
  );
  for (let from = 0, to = 0; from < asks.length; from = to) {
    to = from + 1;
    while (asks[from] !== undefined && asks[to] === asks[from]) to++;
    const third = answered[from + LOOP_LENGTH - 1];
    if (to - from < LOOP_LENGTH || third === undefined) continue;
    const isSlip = answered.slice(from, to).some(({ call }) => call.slip !== undefined);
    found.push(findingAt('loop', third.at, third.call, { repaired: to < asks.length, shown: true, ...(isSlip ? { source: 'model' } : {}) }));
  }
  return found;
}

function providerFaults(evidence: TrialEvidence): Finding[] {
  const { calls } = evidence.traffic;
  return calls.flatMap((call, at) => {
    if (call.capped || call.stray || call.reply.kind !== 'error') return [];
    const code = providerCode(call.status, `${call.reply.code} ${call.reply.message}`);
    const isAbout = (later: ModelCall) => call.step === undefined || stepsOf(later).some(({ step }) => step === call.step);
    const repaired = answeredCalls(evidence).some((later) => later.at > at && isAbout(later.call));
    return code === undefined ? [] : [findingAt(code, at, call, { repaired, shown: false })];
  });
}

/** Positive evidence only: what a provider says of a request that it cannot take (400, 422) speaks of the request. */
function providerCode(status: number, said: string): Code | undefined {
  if (/context[_ ](?:length|window)|maximum context|too many tokens/i.test(said)) return 'context-overflow';
  if (status === 429) return 'rate-limit';
  if (status === 408 || status === 504) return 'timeout';
  return status === 400 || status === 413 || status === 422 ? undefined : 'provider-error';
}
