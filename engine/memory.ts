// The three memory tiers with switches, for whoever wants to know what each is worth. Off is the other way of doing it, for real: what a prompt holds and what
// stays in memory change. A run without `memory` has all tiers and pays for none of this.
import type { Conversation, ConversationBrief, ConversationScope, Model, ModelReply, ToolResult } from './model.ts';

/**
 * `scratch: false`: an agent's turns outlive it and stand in the prompts of all agents behind it.
 * `state: false`: agents pass free text along: no keys, types or merge rules in what is read.
 * `connectors: false`: what tools and connectors gave goes raw and whole into the context, what tools gave also of all agents behind.
 * `single-tier`: one transcript that all agents share, one after the other.
 */
export type MemoryOptions = 'single-tier' | { readonly scratch?: boolean; readonly state?: boolean; readonly connectors?: boolean };

/** Bytes of text (UTF-8). `Kept`: still held when the run ended. */
export interface MemoryUse {
  /** At most, over all agents at work. */
  readonly scratchPeak: number;
  readonly scratchKept: number;
  readonly stateKept: number;
  /** What stands behind handles that were shown; without the tier, what tools gave. */
  readonly connectorsKept: number;
  readonly transcriptKept: number;
}

type Entry =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'reply'; readonly reply: ModelReply }
  | { readonly kind: 'results'; readonly results: readonly ToolResult[] };

/** What one agent left behind. */
interface Remains {
  readonly node: string;
  readonly turns: readonly Entry[];
}

/** Of a result that is kept elsewhere a note holds the beginning. */
const DIGEST_CHARS = 280;

export class RunMemory {
  readonly shared: boolean;
  readonly scratch: boolean;
  readonly state: boolean;
  readonly connectors: boolean;
  /** By node; a map leaves one entry an item. */
  readonly #remains = new Map<string, Remains>();
  readonly #transcript: Entry[] = [];
  #turn: Promise<void> = Promise.resolve();
  #live = 0;
  #peak = 0;

  constructor(options: MemoryOptions) {
    this.shared = options === 'single-tier';
    const tiers = options === 'single-tier' ? {} : options;
    this.scratch = tiers.scratch ?? true;
    this.state = tiers.state ?? true;
    this.connectors = tiers.connectors ?? true;
  }

  /** Whether tool results go into the context uncut. */
  get raw(): boolean {
    return this.shared || !this.connectors;
  }

  /** What stands in a prompt behind the declared input, because a tier is off. @param before nodes that this one follows, in the order of the graph */
  leftBefore(before: readonly string[]): string {
    const remains = before.flatMap((node) => this.#of(node));
    const turns = this.scratch ? '' : remains.map((one) => turnsText(one)).join('');
    const results = this.connectors ? '' : remains.map((one) => resultsText(one)).join('');
    return turns + results;
  }

  /** Runs an agent under this memory: its model is watched, and what it leaves is kept where a tier says so. */
  async run<Value>(node: string, model: Model | undefined, work: (model: Model | undefined) => Promise<Value>): Promise<Value> {
    if (model === undefined) return work(undefined);
    const release = this.shared ? await this.#takeTurn() : undefined;
    const turns: Entry[] = [];
    const track = (entry: Entry) => {
      turns.push(entry);
      this.#live += bytesOf(entry);
      this.#peak = Math.max(this.#peak, this.#live);
    };
    const watched = new WatchedModel(model, this.shared ? [...this.#transcript] : [], track);
    try {
      return await work(watched);
    } finally {
      this.#live -= sum(turns);
      const last = watched.lastReply;
      if (this.shared) this.#transcript.push(...whole(last === undefined || last.calls.length > 0 ? turns : [...turns, { kind: 'reply', reply: last }]));
      else if (!this.scratch) this.#remains.set(node, { node, turns });
      else if (!this.connectors) this.#remains.set(node, { node, turns: turns.filter(({ kind }) => kind === 'results') });
      release?.();
    }
  }

  /** @param shelfKept what stands behind handles that prompts have shown */
  use(stateKept: number, shelfKept: number): MemoryUse {
    const remains = [...this.#remains.values()].flatMap(({ turns }) => turns);
    const results = remains.filter(({ kind }) => kind === 'results');
    return {
      scratchPeak: this.#peak,
      scratchKept: this.scratch ? 0 : sum(remains),
      stateKept,
      // Where the turns are kept, results are counted with them.
      connectorsKept: shelfKept + (this.scratch && !this.connectors ? sum(results) : 0),
      transcriptKept: sum(this.#transcript),
    };
  }

  /** In the order of a map's list, not in that of its items' ends. */
  #of(node: string): Remains[] {
    const single = this.#remains.get(node);
    if (single !== undefined) return [single];
    const items = [...this.#remains.values()].filter((one) => one.node.startsWith(`${node}[`));
    return items.sort((a, b) => itemOf(a.node, node) - itemOf(b.node, node));
  }

  /** One transcript has one writer: agents take turns in the order in which they became ready. */
  async #takeTurn(): Promise<() => void> {
    const before = this.#turn;
    let release = () => {};
    this.#turn = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }
}

/** Hands all through and notes it. */
class WatchedModel implements Model {
  readonly name: string;
  lastReply: ModelReply | undefined;
  readonly #model: Model;
  readonly #before: readonly Entry[];
  readonly #track: (entry: Entry) => void;

  constructor(model: Model, before: readonly Entry[], track: (entry: Entry) => void) {
    this.name = model.name;
    this.#model = model;
    this.#before = before;
    this.#track = track;
  }

  open(brief: ConversationBrief, scope: ConversationScope): Conversation {
    const inner = this.#model.open(brief, scope);
    for (const entry of this.#before) enter(inner, entry);
    const note = (entry: Entry) => {
      enter(inner, entry);
      this.#track(entry);
    };
    return {
      addUser: (text) => note({ kind: 'user', text }),
      addReply: (reply) => note({ kind: 'reply', reply }),
      addResults: (results) => note({ kind: 'results', results }),
      ask: async (withTools) => {
        const reply = await inner.ask(withTools);
        this.lastReply = reply;
        return reply;
      },
      close: () => inner.close(),
    };
  }
}

function enter(conversation: Conversation, entry: Entry): void {
  switch (entry.kind) {
    case 'user':
      return conversation.addUser(entry.text);
    case 'reply':
      return conversation.addReply(entry.reply);
    case 'results':
      return conversation.addResults(entry.results);
    default:
      return entry satisfies never;
  }
}

/** A turn whose calls have no results has no place in a history. */
function whole(turns: readonly Entry[]): readonly Entry[] {
  const last = turns.at(-1);
  return last?.kind === 'reply' && last.reply.calls.length > 0 ? turns.slice(0, -1) : turns;
}

/** Its own words between input and answer: calls, what came of them in short, and whatever was asked again. */
function turnsText({ node, turns }: Remains): string {
  const lines = turns.flatMap((entry, at) => {
    if (entry.kind === 'reply')
      return [
        ...(entry.reply.text === '' ? [] : [`said: ${entry.reply.text}`]),
        ...entry.reply.calls.map(({ name, arguments: given }) => `called ${name} with ${argumentText(given)}`),
      ];
    if (entry.kind === 'results') return entry.results.map(({ name, text }) => `${name} gave ${text.length} characters: ${digest(text)}`);
    return at === 0 ? [] : [`was told: ${entry.text}`];
  });
  return lines.length === 0 ? '' : `\n\nearlier turns of ${node}:\n${lines.join('\n')}`;
}

function resultsText({ node, turns }: Remains): string {
  const results = turns.flatMap((entry) => (entry.kind === 'results' ? entry.results.map(({ name, text }) => `Result of ${name}:\n${text}`) : []));
  return results.length === 0 ? '' : `\n\nresults of ${node}:\n${results.join('\n')}`;
}

function digest(text: string): string {
  const line = text.replaceAll('\n', ' ');
  return line.length <= DIGEST_CHARS ? line : `${line.slice(0, DIGEST_CHARS).toWellFormed()}…`;
}

function argumentText(given: unknown): string {
  return typeof given === 'string' ? given : (JSON.stringify(given) ?? '');
}

function itemOf(id: string, node: string): number {
  return Number.parseInt(id.slice(node.length + 1), 10);
}

const encoder = new TextEncoder();

/** Bytes of a text, or of the JSON of anything else; what has no JSON form counts nothing. */
export function textBytes(value: unknown): number {
  try {
    return encoder.encode(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).length;
  } catch {
    return 0; // A cycle or a bigint: nothing that a prompt could hold.
  }
}

function bytesOf(entry: Entry): number {
  switch (entry.kind) {
    case 'user':
      return textBytes(entry.text);
    case 'reply':
      return textBytes(entry.reply.text) + entry.reply.calls.reduce((total, { name, arguments: given }) => total + textBytes(name) + textBytes(given), 0);
    case 'results':
      return entry.results.reduce((total, { text }) => total + textBytes(text), 0);
    default:
      return entry satisfies never;
  }
}

function sum(entries: readonly Entry[]): number {
  return entries.reduce((total, entry) => total + bytesOf(entry), 0);
}
