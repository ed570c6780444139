// What the framework did between a reply and a tool, and between a tool and the next request (method M2.4): calls that nobody asked for, calls that were let
// through, results that got lost, dead back ends.
import type { ModelCall, RequestedCall, ToolCall } from '../base/traffic.ts';
import { answeredCalls, isBlank, type TrialEvidence } from './evidence.ts';
import { delivers, type Finding, findingAt, isShown, stepAt, wasRepaired } from './finding.ts';
import { isMalformed, parseArguments, sameArguments } from './tool-arguments.ts';

/** A call that the model asked for, with the request whose reply held it, and its place in that reply. */
interface Asked {
  readonly at: number;
  readonly place: number;
  readonly call: ModelCall;
  readonly requested: RequestedCall;
}

/** @param faults what the model did wrong; @returns the same list, with what the framework made of it in the place of what it made it of */
export function withToolBorder(evidence: TrialEvidence, faults: readonly Finding[]): Finding[] {
  const asked = askedCalls(evidence);
  const found: Finding[] = [];
  const used = new Set<Asked>();
  const ran = new Set<string>();
  for (const tool of evidence.toolCalls.filter((call) => !call.stray)) {
    const match = matching(evidence, asked, used, tool);
    if (match === undefined) found.push(altered(evidence, asked, used, tool));
    else {
      used.add(match);
      if (tool.status === 200) ran.add(`${match.at} ${match.place}`);
      found.push(...executed(evidence, match, tool));
    }
  }
  const replaced = (fault: Finding) =>
    found.some((made) => made.at === fault.at && made.place === fault.place && REPLACES[made.code]?.includes(fault.code)) ||
    // Coerced without loss, or run as it was by a lenient broker: nothing came of it.
    (fault.code === 'invalid-arguments' && ran.has(`${fault.at} ${fault.place}`));
  return [...faults.filter((fault) => !replaced(fault)), ...found];
}

/** For each tool call the request whose reply asked for it, its place in that reply, and the first later request that brought its result back. */
export function causesOf(
  evidence: Pick<TrialEvidence, 'traffic' | 'toolCalls' | 'tools'>,
): { readonly tool: ToolCall; readonly askedBy?: number; readonly place?: number; readonly broughtBy?: number }[] {
  const asked = askedCalls(evidence);
  const used = new Set<Asked>();
  return evidence.toolCalls.map((tool) => {
    const from = matching(evidence, asked, used, tool);
    if (from === undefined) return { tool };
    used.add(from);
    const broughtBy = evidence.traffic.calls.findIndex((request, index) => index > from.at && delivers(request, from.requested.id));
    return { tool, askedBy: from.at, place: from.place, ...(broughtBy < 0 ? {} : { broughtBy }) };
  });
}

function askedCalls(evidence: Pick<TrialEvidence, 'traffic'>): Asked[] {
  return answeredCalls(evidence).flatMap(({ at, call, reply }) =>
    reply.kind === 'calls' ? reply.calls.map((requested, place): Asked => ({ at, place, call, requested })) : [],
  );
}

const REPLACES: Readonly<Partial<Record<Finding['code'], readonly string[]>>> = {
  'altered-arguments': ['malformed-arguments', 'invalid-arguments', 'unknown-tool'],
  'invalid-arguments-executed': ['malformed-arguments', 'invalid-arguments'],
};

/** The latest equal call that was not run yet: a call of an earlier reply that never ran was dropped, not put off. */
function matching({ tools }: Pick<TrialEvidence, 'tools'>, asked: readonly Asked[], used: ReadonlySet<Asked>, tool: ToolCall): Asked | undefined {
  const schema = tools?.find(({ name }) => name === tool.name);
  const equal = asked.filter(({ call, requested }) => {
    const given = parseArguments(requested.arguments);
    return requested.name === tool.name && call.startMs <= tool.startMs && given !== undefined && sameArguments(tool.arguments, given, schema);
  });
  return equal.findLast((candidate) => !used.has(candidate)) ?? equal.at(-1);
}

/** Laid at the door of the latest earlier reply that asked for this tool, a broken call of it first; of several at the door of one that nothing was laid at yet. */
function altered({ tools }: TrialEvidence, asked: readonly Asked[], used: Set<Asked>, tool: ToolCall): Finding {
  const schema = tools?.find(({ name }) => name === tool.name);
  const earlier = asked.filter(({ call }) => call.startMs <= tool.startMs);
  const ofTool = earlier.filter(({ requested }) => requested.name === tool.name);
  const broken = ofTool.filter(({ requested }) => isMalformed(requested.arguments, schema));
  const isFree = (candidate: Asked) => !used.has(candidate);
  const from = broken.findLast(isFree) ?? broken.at(-1) ?? ofTool.findLast(isFree) ?? ofTool.at(-1) ?? earlier.at(-1);
  if (from === undefined) return findingAt('altered-arguments', 0, undefined);
  used.add(from);
  return findingAt('altered-arguments', from.at, stepAt(from.call, from.place), { place: from.place });
}

function executed(evidence: TrialEvidence, match: Asked, tool: ToolCall): Finding[] {
  const { at, place, call } = match;
  const about = stepAt(call, place);
  const shown = isShown(evidence, at, place);
  if (tool.status === 422) return [findingAt('invalid-arguments-executed', at, about, { place, shown, repaired: wasRepaired(evidence, at, 'call', about) })];
  if (tool.status >= 500) return [findingAt('tool-backend-down', at, about, { place, shown, repaired: ranAgain(evidence, at, tool) })];
  return tool.status === 200 && isLost(evidence, match, tool) ? [findingAt('lost-result', at, about, { place })] : [];
}

/** The tool answered later: to this very call, or to one that was asked for afterwards. Another call of the same reply says nothing of this one. */
function ranAgain(evidence: TrialEvidence, at: number, dead: ToolCall): boolean {
  return causesOf(evidence).some(
    ({ tool, askedBy = Number.POSITIVE_INFINITY }) =>
      tool.name === dead.name &&
      tool.status === 200 &&
      tool.startMs >= (dead.endMs ?? dead.startMs) &&
      (askedBy > at || sameArguments(tool.arguments, Object(dead.arguments))),
  );
}

/** A result came to the stub and stands in no later request, although there was one. A history replayed as text holds results under no id: it is given the benefit. */
function isLost({ traffic }: TrialEvidence, { at, place, call, requested }: Asked, tool: ToolCall): boolean {
  const { step } = stepAt(call, place);
  const behind = traffic.calls.filter((request, index) => index > at && !request.stray);
  const later = behind.filter((request) => request.startMs >= (tool.endMs ?? Number.POSITIVE_INFINITY));
  if (later.length === 0 || tool.resultBytes === 0 || !traffic.calls.some((request) => request.delivered.length > 0)) return false;
  if (step !== undefined && later.some((request) => request.stepsDone?.includes(step))) return false;
  const words = wordsOf(tool.result ?? '');
  const holds = (text: string) => (words.length === 0 ? !isBlank(text) : words.every((word) => text.includes(word)));
  // The broker may stamp an end after the worker has sent the result on: what any request behind the call holds was not lost.
  return !behind.some((request) => request.delivered.some((result) => (result.callId === requested.id || words.length > 0) && holds(result.text)));
}

/** Words survive wrapping and escaping; early ones survive a limit on the text. */
function wordsOf(result: string): string[] {
  return (
    result
      .slice(0, 200)
      .match(/[A-Za-z0-9]+/g)
      ?.slice(0, 20) ?? []
  );
}
