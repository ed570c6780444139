// What a request says, apart from how it says it: who asks, which task, the passages in which evidence can stand, and the texts in which a distractor can.
import { normalizeText } from '../tasks/evidence.ts';
import { canonicalText, readings } from './canonical.ts';
import type { FoundTask, TaskFinder } from './find-task.ts';
import { type Segment, segmentsOf } from './history-text.ts';
import { bareToolName } from './offered-tools.ts';
import { type Proposal, proposalIn } from './proposal.ts';
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
  /** Those of them in which somebody else reports: a value stands behind its label there, and not as in its source. */
  readonly reports: ReadonlySet<string>;
  /** How many results and user texts there are: more than at the last reply means that somebody answered it. */
  readonly answers: number;
  /** Whether anybody speaks at all: a history cut down to calls and results has lost its question. */
  readonly hasQuestion: boolean;
  /** The last user text after the first, if nothing follows it: where a framework says that this is the last turn. */
  readonly lastWord: string;
  /** What is said around the question, canonical: system text and user text without question, sentences and values. */
  readonly around: string;
  /** How many of the task's subtask sentences stand in user text. */
  readonly sentences: number;
  /** The first spoken text: haystack where it holds what others found. */
  readonly opening: string;
  /** What was answered last: the last result or user text. */
  readonly latest: string;
  /** System and user text as it was written, without the instruction. */
  readonly told: string;
  /** An answer to the whole question that stands here already. */
  readonly proposal: Proposal | undefined;
}

/** Evidence in a message that is no tool result stands in a line of at most so many characters. */
const LONGEST_LINE = 400;
/** Where a longer line may be parted: behind a sentence, and between the strings of JSON. */
const LINE_BREAKS = /(?<=[.;])\s|(?<=")\s*[\]}]*\s*,\s*(?=[{["])|(?<=")\s*:\s*(?=")/;

/** Reads requests of one trial: histories are replayed, so what was read once is kept until the trial ends. */
export function conversationReader(finder: TaskFinder, instruction: string): (request: ModelRequest) => Conversation {
  const tasks = new Map<string, FoundTask | undefined>();
  const forms = new Map<string, readonly string[]>();
  const find = (text: string) => remembered(tasks, text, () => finder.find(text));
  return (request) => {
    const segments = segmentsOf(request.messages);
    const spoken = segments.filter((segment) => segment.speaker !== 'system');
    const whole = findTask(spoken, segments, find);
    const task = whole && !whole.chain ? (subtaskOfLast(spoken, whole, request.tools.length > 0, find) ?? whole) : whole;
    const asked = task ? [task.plan.question, ...task.plan.chains.map((chain) => chain.sentence)].map(canonicalText).filter((text) => text !== '') : [];
    const labels = task ? task.plan.steps.flatMap((step) => step.reads.map((read) => saidLabel(read.label))) : [];
    const origins = originsOf(request);
    const originOf = (callId: string | undefined) => (callId === undefined ? undefined : origins.get(callId));
    const reports = new Set<string>();
    const passages = spoken.flatMap((segment): Passage[] => {
      if (segment.speaker !== 'tool')
        return lines(segment.text, asked, labels).map((line) => ({ kind: 'line', forms: remembered(forms, line, () => formsOf(line)) }));
      const origin = originOf(segment.callId);
      const result: Passage = { kind: 'result', forms: remembered(forms, segment.text, () => formsOf(segment.text)), ...(origin ? { origin } : {}) };
      // What somebody else reports through a tool is a report: no tool of the plan brought it.
      const isReport =
        task !== undefined &&
        (isForeign(origin?.name, task) || wasAsked(origin?.arguments, asked)) &&
        labels.some((label) => result.forms.some((form) => form.toLowerCase().includes(label)));
      if (!isReport) return [result];
      reports.add(segment.text);
      const told = lines(segment.text, asked, labels).map((line): Passage => ({ kind: 'line', forms: remembered(forms, line, () => formsOf(line)) }));
      return [result, ...told];
    });
    const last = segments.at(-1);
    const told = segments.filter(({ speaker }) => speaker === 'system' || speaker === 'user').map(({ text }) => canonicalText(readings(text)[0] ?? ''));
    const userText = segments.filter(({ speaker }) => speaker === 'user').map(({ text }) => readings(text).map(canonicalText).join('\n'));
    return {
      asker: canonicalText(spoken[0]?.text ?? ''),
      task,
      passages,
      haystack: spoken.slice(1).map((segment) => segment.text),
      reports,
      answers: spoken.filter((segment) => segment.speaker !== 'assistant').length,
      hasQuestion: spoken.some((segment) => segment.speaker === 'user'),
      lastWord: last?.speaker === 'user' && spoken.length > 1 && find(last.text) === undefined ? last.text : '',
      around: asked.reduce((text, known) => text.replaceAll(known, ' '), told.join('\n')),
      sentences: asked.slice(1).filter((sentence) => userText.some((text) => text.includes(sentence))).length,
      opening: spoken[0]?.text ?? '',
      latest: spoken.findLast(({ speaker }) => speaker !== 'assistant')?.text ?? '',
      told: segments
        .filter(({ speaker }) => speaker === 'system' || speaker === 'user')
        .map(({ text }) => text.replaceAll(instruction, ' '))
        .join('\n'),
      // A page that speaks of an answer is no answer of anybody's.
      proposal: proposalIn(spoken.filter(({ speaker, callId }) => speaker !== 'tool' || task === undefined || isForeign(originOf(callId)?.name, task))),
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

/**
 * In one conversation that many share, who asks last is asking: a user text behind the question that holds the sentence of one subtask, and none of its values,
 * hands out that subtask, as long as there are tools to do it with.
 */
function subtaskOfLast(spoken: readonly Segment[], whole: FoundTask, hasTools: boolean, find: (text: string) => FoundTask | undefined): FoundTask | undefined {
  if (!hasTools) return undefined;
  for (const segment of spoken.filter(({ speaker }) => speaker === 'user').reverse()) {
    const found = find(segment.text);
    if (found === undefined) continue;
    if (!found.chain || found.plan !== whole.plan) return undefined;
    const { steps } = found.chain;
    const text = normalizeText(segment.text).toLowerCase();
    const labels = whole.plan.steps.filter(({ id }) => steps.includes(id)).flatMap(({ reads }) => reads.map(({ label }) => saidLabel(label)));
    return labels.some((label) => text.includes(label)) ? undefined : found;
  }
  return undefined;
}

function isForeign(name: string | undefined, { plan }: FoundTask): boolean {
  if (name === undefined) return true;
  const known = plan.steps.flatMap(({ call }) => (call ? [call.tool] : []));
  return !known.includes(bareToolName(name, known));
}

/** A tool of the plan that was given a subtask in words beside its arguments reports on it. */
function wasAsked(given: Readonly<Record<string, unknown>> = {}, asked: readonly string[]): boolean {
  return Object.values(given).some((value) => typeof value === 'string' && asked.some((sentence) => canonicalText(value).includes(sentence)));
}

/** A label as a report says it, with a value to come. */
function saidLabel(label: string): string {
  return `${normalizeText(label).toLowerCase()}:`;
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

/** Lines of a message, without those that ask: what a question says of its subject is no evidence. A line that goes on with a label does more than ask. */
function lines(text: string, asked: readonly string[], labels: readonly string[]): string[] {
  return readings(text)
    .flatMap((reading) => reading.split('\n'))
    .flatMap((line) => (line.length <= LONGEST_LINE ? [line] : line.split(LINE_BREAKS)))
    .filter((line) => line.length <= LONGEST_LINE)
    .filter((line) => line.trim().length > 2)
    .filter((line) => {
      const canonical = canonicalText(line);
      if (labels.some((label) => canonical.includes(label))) return true;
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
