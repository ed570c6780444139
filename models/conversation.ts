// What a request says, apart from how it says it: who asks, which task, the passages in which evidence can stand, and the texts in which a distractor can.
import { normalizeText } from '../tasks/evidence.ts';
import { canonicalText, readings } from './canonical.ts';
import type { FoundTask, TaskFinder } from './find-task.ts';
import { type Segment, segmentsOf } from './history-text.ts';
import type { ModelRequest } from './read-request.ts';

/** One tool result, or a short message: a unit in which a value and its label can stand together. */
export interface Passage {
  readonly kind: 'result' | 'line';
  /** The call that brought a result, where the history keeps both. */
  readonly origin?: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
  /** Normalized, with wrappings and escapes undone; the likeliest first. */
  readonly forms: readonly string[];
}

export interface Conversation {
  /** The first text that is not system text: one asker keeps it through all its requests. */
  readonly asker: string;
  readonly task: FoundTask | undefined;
  readonly passages: readonly Passage[];
  /** Texts that are haystack: tool results, other agents' words, replayed turns; neither system text nor the message with the question. */
  readonly haystack: readonly string[];
  /** How many results and user texts there are: more than at the last reply means that somebody answered it. */
  readonly answers: number;
  /** Whether anybody speaks at all: a history cut down to calls and results has lost its question. */
  readonly hasQuestion: boolean;
  /** The last user text after the first, if nothing follows it: where a framework says that this is the last turn. */
  readonly lastWord: string;
}

/** Evidence in a message that is no tool result stands in a line of at most so many characters. */
const LONGEST_LINE = 400;

/** Reads requests of one trial: histories are replayed, so what was read once is kept until the trial ends. */
export function conversationReader(finder: TaskFinder): (request: ModelRequest) => Conversation {
  const tasks = new Map<string, FoundTask | undefined>();
  const forms = new Map<string, readonly string[]>();
  const find = (text: string) => remembered(tasks, text, () => finder.find(text));
  return (request) => {
    const segments = segmentsOf(request.messages);
    const spoken = segments.filter((segment) => segment.speaker !== 'system');
    const task = findTask(spoken, segments, find);
    const asked = task ? [task.plan.question, ...task.plan.chains.map((chain) => chain.sentence)].map(canonicalText).filter((text) => text !== '') : [];
    const origins = originsOf(request);
    const passages = spoken.flatMap((segment): Passage[] => {
      if (segment.speaker !== 'tool') return lines(segment.text, asked).map((line) => ({ kind: 'line', forms: remembered(forms, line, () => formsOf(line)) }));
      const origin = segment.callId === undefined ? undefined : origins.get(segment.callId);
      return [{ kind: 'result', forms: remembered(forms, segment.text, () => formsOf(segment.text)), ...(origin ? { origin } : {}) }];
    });
    const last = segments.at(-1);
    return {
      asker: canonicalText(spoken[0]?.text ?? ''),
      task,
      passages,
      haystack: spoken.slice(1).map((segment) => segment.text),
      answers: spoken.filter((segment) => segment.speaker !== 'assistant').length,
      hasQuestion: spoken.some((segment) => segment.speaker === 'user'),
      lastWord: last?.speaker === 'user' && spoken.length > 1 && find(last.text) === undefined ? last.text : '',
    };
  };
}

/** A question counts for more than the sentence of a subtask, spoken text for more than system text, what came first for more than what followed. */
function findTask(spoken: readonly Segment[], all: readonly Segment[], find: (text: string) => FoundTask | undefined): FoundTask | undefined {
  const asking = [...spoken.filter((segment) => segment.speaker === 'user'), ...all.filter((segment) => segment.speaker === 'system')];
  let chain: FoundTask | undefined;
  for (const segment of asking) {
    const found = find(segment.text);
    if (found && !found.chain) return found;
    chain ??= found;
  }
  return chain;
}

function originsOf(request: ModelRequest): Map<string, { name: string; arguments: Readonly<Record<string, unknown>> }> {
  const origins = new Map<string, { name: string; arguments: Readonly<Record<string, unknown>> }>();
  for (const message of request.messages) {
    for (const call of message.calls) {
      const given = parsed(call.arguments);
      if (call.id !== '' && typeof given === 'object' && given !== null) origins.set(call.id, { name: call.name, arguments: given as Record<string, unknown> });
    }
  }
  return origins;
}

/** Lines of a message, without those that ask: what a question says of its subject is no evidence. */
function lines(text: string, asked: readonly string[]): string[] {
  return readings(text)
    .flatMap((reading) => reading.split('\n'))
    .flatMap((line) => (line.length <= LONGEST_LINE ? [line] : line.split(/(?<=[.;])\s/)))
    .filter((line) => line.length <= LONGEST_LINE)
    .filter((line) => line.trim().length > 2)
    .filter((line) => {
      const canonical = canonicalText(line);
      return !asked.some((question) => question.includes(canonical) || canonical.includes(question));
    });
}

/** A result as it stands; as the string that it quotes; as the strings inside the JSON that it is; with one and two levels of escapes undone. */
function formsOf(text: string): string[] {
  const whole = /^\s*["[{]/.test(text) ? parsed(text) : undefined;
  const inner = typeof whole === 'string' ? whole : undefined;
  const leaves = typeof whole === 'object' && whole !== null ? stringsIn(whole).join('\n') : undefined;
  const all = [...(inner === undefined ? [] : readings(inner)), ...readings(text), ...(leaves === undefined ? [] : [leaves])];
  return [...new Set(all.map(normalizeText))];
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Broken arguments and plain results are common, and mean only that there is no JSON here.
  }
}

function remembered<T>(known: Map<string, T>, key: string, work: () => T): T {
  if (known.has(key)) return known.get(key) as T;
  const made = work();
  known.set(key, made);
  return made;
}
