// Some frameworks replay calls and results as plain text in a user message. This cuts such text at the usual marks into what was asked, called and found,
// so that a history reads alike however it was written. Marks are those of the ReAct and tool-transcript customs, listed in the README.
import type { DeliveredResult } from '../base/traffic.ts';
import type { Message } from './read-request.ts';

export interface Segment {
  readonly speaker: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** The call that a `tool` segment answers, where ids were kept. */
  readonly callId?: string;
}

const MARKS: readonly { readonly pattern: RegExp; readonly speaker: Segment['speaker'] }[] = [
  {
    pattern:
      /^\s*(?:observation|tool (?:result|output|response)s?|function (?:result|output|response)s?|result of [^\n:]{1,80})\s*(?:\([^)\n]*\)|\[[^\]\n]*\])?\s*:/i,
    speaker: 'tool',
  },
  { pattern: /^\s*<(?:tool_result|tool_response|function_results?|observation)\b[^>]*>/i, speaker: 'tool' },
  { pattern: /^\s*(?:calling tools?|tool calls?|function calls?|action(?: input)?|thought|assistant|ai)\s*:/i, speaker: 'assistant' },
  { pattern: /^\s*(?:user|human)\s*:/i, speaker: 'user' },
];
/** Behind the form that a prompt shows for turns, the question itself begins. */
const BEGINS = /^\s*(?:question|begin!?|task|input)\s*[:!]/i;
const QUICK = /(?:observation|result|output|response|calling tools?|calls?|action|thought|assistant|\bai|user|human)[^\n]{0,90}[:>]/i;

/** Retrieved text, set off by rules from the request to answer from it: it is what was found, and the rest is what is asked. */
const CONTEXT = /^([^\n]*\bcontext\b[^\n]*\n)-{5,}\n([\s\S]*)\n-{5,}(?:\n|$)/im;

/** Messages as segments, in order. Only user and assistant text is cut: a tool message is one result whatever it says. */
export function segmentsOf(messages: readonly Message[]): Segment[] {
  return messages.flatMap((message): Segment[] => {
    const given = message.role === 'user' ? CONTEXT.exec(message.text) : null;
    if (given) {
      const [whole, head = '', text = ''] = given;
      return [
        { speaker: 'user', text: `${message.text.slice(0, given.index)}${head}${message.text.slice(given.index + whole.length)}`.trim() },
        { speaker: 'tool', text },
      ];
    }
    if (message.role === 'tool') return [{ speaker: 'tool', text: message.text, ...(message.callId ? { callId: message.callId } : {}) }];
    if (message.role === 'system' || !QUICK.test(message.text)) return [{ speaker: message.role, text: message.text }];
    return cut(message.text, message.role);
  });
}

/** Results that a request brings back; those in a text history have no id. */
export function deliveredResults(messages: readonly Message[]): DeliveredResult[] {
  return segmentsOf(messages).flatMap((segment) => (segment.speaker === 'tool' ? [{ callId: segment.callId ?? '', text: segment.text }] : []));
}

function cut(text: string, speaker: 'user' | 'assistant'): Segment[] {
  const segments: { speaker: Segment['speaker']; lines: string[] }[] = [{ speaker, lines: [] }];
  for (const line of text.split('\n')) {
    const mark = MARKS.find(({ pattern }) => pattern.test(line));
    const current = segments.at(-1) as (typeof segments)[number];
    if (!mark && current.speaker === 'assistant' && BEGINS.test(line)) segments.push({ speaker: 'user', lines: [line] });
    else if (!mark) current.lines.push(line);
    // "Action:" and "Action Input:" belong to one turn.
    else if (mark.speaker === 'assistant' && current.speaker === 'assistant') current.lines.push(line);
    else segments.push({ speaker: mark.speaker, lines: [line.replace(mark.pattern, '')] });
  }
  return segments
    .map((segment) => ({ speaker: segment.speaker, text: segment.lines.join('\n').trim() }))
    .filter((segment) => segment.text !== '' || segment.speaker === 'tool');
}
