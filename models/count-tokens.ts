// Counts o200k tokens, each distinct text once a run: frameworks replay their history, so most texts of a request were counted before.
// Not a bill: no provider publishes how it renders tools and roles, so the frame around a message is the usual estimate (three tokens each).
import { hash } from 'node:crypto';
import { remembering } from '../base/remembering.ts';
import type { ModelRequest } from './read-request.ts';
import type { AssistantMessage } from './reply-source.ts';

export interface TokenCounter {
  /** Tokens of one text. */
  count(text: string): number;
  /** Tokens of a request: message texts, calls, tools as sent, and three a message. */
  request(request: ModelRequest): number;
  /** Tokens of a reply: text, reasoning, and name and arguments of each call. */
  reply(message: AssistantMessage): number;
}

/** The tokenizer takes 160 ms and 70 MB to load, so only a process that counts loads it. */
export async function loadTokenCounter(): Promise<TokenCounter> {
  const { countTokens } = await import('openai-tokenizer/encoding/o200k_base');
  return tokenCounter((text) => countTokens(text, ORDINARY));
}

/** Text that looks like a control token is text. */
const ORDINARY = { disallowedSpecial: new Set<string>() };
/** Merging a run without a break costs the square of its length; a cut run is counted in parts. */
const RUN = 2_000;
/** Beyond this the rest is estimated from the head. */
const MEASURED = 1_000_000;
/** A longer text is remembered by its digest, so that the memory of a long run does not hold every page. */
const KEPT = 200;
const TOKENS_PER_MESSAGE = 3;

/** @param encode counts one text that is neither huge nor one long run */
export function tokenCounter(encode: (text: string) => number): TokenCounter {
  const known = new Map<string, number>();
  const count = remembering((text) => {
    if (text === '') return 0;
    const key = text.length <= KEPT ? text : hash('sha256', text, 'base64');
    const before = known.get(key);
    if (before !== undefined) return before;
    const tokens = countSafely(text, encode);
    known.set(key, tokens);
    return tokens;
  }, 500);
  return {
    count,
    request: (request) => {
      let tokens = TOKENS_PER_MESSAGE + count(request.toolsText);
      for (const message of request.messages) {
        tokens += TOKENS_PER_MESSAGE + count(message.text);
        for (const call of message.calls) tokens += count(call.name) + count(call.arguments);
      }
      return tokens;
    },
    reply: (message) => {
      let tokens = count(message.text ?? '') + count(message.reasoning ?? '');
      for (const call of message.calls) tokens += count(call.name) + count(call.arguments);
      return tokens;
    },
  };
}

function countSafely(text: string, encode: (text: string) => number): number {
  if (text.length > MEASURED) return Math.round(countSafely(text.slice(0, MEASURED), encode) * (text.length / MEASURED));
  if (text.length <= RUN) return encode(text);
  let tokens = 0;
  let from = 0;
  for (const run of text.matchAll(LONG_RUN)) {
    const end = run.index + run[0].length;
    tokens += encode(text.slice(from, end));
    from = end;
  }
  return tokens + encode(text.slice(from));
}

const LONG_RUN = new RegExp(`\\S{${RUN}}(?=\\S)|\\s{${RUN}}(?=\\s)`, 'g');
