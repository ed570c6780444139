// A model that is a function: for tests, examples and replay. It sees the conversation as plain messages.

import type { JsonSchema } from './json-schema-check.ts';
import type { Conversation, ConversationBrief, ConversationScope, Model, ModelReply, RawCall, TokenUsage, ToolResult, ToolSpec } from './model.ts';

export type FunctionModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly RawCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly name: string; readonly text: string };

export interface FunctionModelRequest {
  readonly system: string | undefined;
  readonly messages: readonly FunctionModelMessage[];
  /** Empty where the engine asks for an answer without tools. */
  readonly tools: readonly ToolSpec[];
  readonly output: JsonSchema | undefined;
  /** Requests of this conversation before this one. */
  readonly turn: number;
  readonly signal: AbortSignal;
}

/** Text, or what else a reply may hold. A call without id gets one. */
export type FunctionModelReply =
  | string
  | {
      readonly text?: string;
      readonly calls?: readonly { readonly id?: string; readonly name: string; readonly arguments: unknown }[];
      readonly truncated?: boolean;
      readonly refusal?: string;
      readonly usage?: TokenUsage;
    };

/** Wraps a function as a model. What it throws fails the node. */
export function functionModel(reply: (request: FunctionModelRequest) => FunctionModelReply | Promise<FunctionModelReply>): Model {
  return { name: 'function', open: (brief, scope) => openConversation(brief, scope, reply) };
}

function openConversation(
  brief: ConversationBrief,
  scope: ConversationScope,
  reply: (request: FunctionModelRequest) => FunctionModelReply | Promise<FunctionModelReply>,
): Conversation {
  const messages: FunctionModelMessage[] = [];
  let turn = 0;
  return {
    addUser: (text) => void messages.push({ role: 'user', text }),
    addReply: ({ text, calls }) => void messages.push({ role: 'assistant', text, calls }),
    addResults: (results: readonly ToolResult[]) => {
      for (const result of results) messages.push({ role: 'tool', ...result });
    },
    ask: async (withTools): Promise<ModelReply> => {
      scope.signal.throwIfAborted();
      const request = {
        system: brief.system,
        messages: [...messages],
        tools: withTools ? brief.tools : [],
        output: brief.output,
        turn: turn++,
        signal: scope.signal,
      };
      const given = await reply(request);
      if (typeof given === 'string') return { text: given, calls: [], truncated: false };
      const calls = (given.calls ?? []).map((call, i) => ({ id: call.id ?? `call-${turn}-${i + 1}`, name: call.name, arguments: call.arguments }));
      return {
        text: given.text ?? '',
        calls,
        truncated: given.truncated ?? false,
        ...(given.refusal === undefined ? {} : { refusal: given.refusal }),
        ...(given.usage === undefined ? {} : { usage: given.usage }),
      };
    },
    close: () => {},
  };
}
