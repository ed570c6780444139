// What a provider enforces whatever the model wanted (method M4.5). A slip that it prevents becomes no slip, so that draws stay paired between rows.

import type { SlipKind } from './rates.ts';
import type { JsonSchema, ModelRequest, OfferedTool } from './read-request.ts';
import type { AssistantMessage } from './reply-source.ts';

export type Enforcement = 'honoured' | 'ignored';

/** @param tool the offered tool that the call would go to; absent when the turn is no call */
export function prevents(kind: SlipKind, request: ModelRequest, tool: OfferedTool | undefined): boolean {
  const { toolChoice, responseFormat } = request;
  const mustCall = toolChoice.kind === 'required' || toolChoice.kind === 'named';
  // What somebody brought along is theirs to word: nothing says which promise of a provider it would break.
  if (isOwn(kind)) return false;
  switch (kind) {
    case 'malformed-arguments':
    case 'schema-violation':
      return tool?.strict === true && isClosed(tool.schema);
    case 'unknown-tool':
      return toolChoice.kind === 'named';
    case 'repeated-call':
      return false;
    case 'missing-subtask':
    case 'missing-value':
      return false;
    // A schema that is enforced is fulfilled, and JSON is JSON; a call that takes the plan is as strict as its schema.
    case 'malformed-plan':
      return responseFormat.kind !== 'text' || (tool?.strict === true && isClosed(tool.schema));
    // A strict list of names is kept to; a name of its own can be made up unless the tool is prescribed.
    case 'unknown-route':
      return toolChoice.kind === 'named' || (tool?.strict === true && isClosed(tool.schema) && JSON.stringify(tool.schema).includes('"enum"'));
    // The most tokens cut a strict call like any other.
    case 'cut-reply':
    case 'no-marker':
      return false;
    case 'refusal':
    case 'prose':
      return mustCall;
    case 'reasoning-only':
    case 'empty-reply':
      return mustCall || responseFormat.kind !== 'text';
    case 'early-answer':
      return mustCall;
    default:
      return kind satisfies never;
  }
}

function isOwn(kind: SlipKind): kind is `own:${string}` {
  return kind.startsWith('own:');
}

/** A closed object whose properties are all required: what strict mode demands. */
function isClosed(schema: JsonSchema): boolean {
  const names = Object.keys(schema.properties ?? {});
  return schema.additionalProperties === false && names.every((name) => schema.required?.includes(name));
}

/** Cuts at the first stop sequence, and at the most tokens asked for. */
export function withinLimits(message: AssistantMessage, request: ModelRequest, countReply: (message: AssistantMessage) => number): AssistantMessage {
  const stopped = { ...message, text: cutAtStop(message.text, request.stop) };
  const { maxTokens } = request;
  if (maxTokens === undefined || countReply(stopped) <= maxTokens) return stopped;
  const [call] = stopped.calls;
  let cut: AssistantMessage = { ...stopped, finishReason: 'length' };
  for (let share = 0.9; share > 0.05 && countReply(cut) > maxTokens; share -= 0.1) {
    const text = stopped.text === null ? null : stopped.text.slice(0, Math.floor(stopped.text.length * share));
    const calls = call ? [{ ...call, arguments: call.arguments.slice(0, Math.floor(call.arguments.length * share)) }] : [];
    cut = { ...cut, text, calls };
  }
  return cut;
}

function cutAtStop(text: string | null, stop: readonly string[]): string | null {
  if (text === null) return null;
  const ends = stop.map((mark) => (mark === '' ? -1 : text.indexOf(mark))).filter((at) => at >= 0);
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends));
}
