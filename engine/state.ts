// Structured state: typed keys, each a list of writes with the node that made them. A value is folded from its writes when someone asks.
// `build()` has made sure that every reader is ordered with every writer of its keys, so what a reader sees does not depend on timing.
import type { JsonSchema } from './json-schema-check.ts';
import { isMergeRule, type MergeRule } from './merge.ts';
import { type Check, type Checked, resolvePort } from './schema.ts';

/** A key as declared: a merge rule, or a schema for a key whose writers all follow one another. */
export interface KeyDefinition {
  readonly name: string;
  readonly merge: MergeRule<unknown, unknown> | undefined;
  /** Cheap test first; `check` only where there is a schema. */
  readonly accepts: ((write: unknown) => boolean) | undefined;
  readonly check: Check | undefined;
  /** What a reader gets, as far as the schema tells. */
  readonly json: JsonSchema | undefined;
}

export function defineKey(name: string, declared: unknown): KeyDefinition {
  const rule = isMergeRule(declared) ? declared : undefined;
  const schema = rule === undefined ? declared : rule.schema;
  const port = schema === undefined ? undefined : resolvePort(schema, 'output');
  return { name, merge: rule, accepts: rule?.accepts, check: port?.check, json: rule === undefined ? port?.json : valueSchema(rule, port?.json) };
}

function valueSchema(rule: MergeRule<unknown, unknown>, write: JsonSchema | undefined): JsonSchema | undefined {
  if (rule.gives === 'list') return { type: 'array', ...(write === undefined ? {} : { items: write }) };
  return rule.gives === 'number' ? { type: 'number' } : undefined;
}

/** Who wrote a value, of what, when. */
export interface Provenance {
  readonly node: string;
  readonly attempt: number;
  /** Nodes whose outputs or order the writer waited for. */
  readonly inputs: readonly string[];
  /** Monotonic milliseconds since the run started. */
  readonly atMs: number;
}

export class StateStore {
  readonly #keys: readonly KeyDefinition[];
  /** Position of each node in the order of the graph. */
  readonly #rank: Int32Array;
  readonly #writers: number[][];
  readonly #values: unknown[][];
  /** The tier is off: a key is no more than the words of those who wrote it. */
  readonly #freeText: boolean;

  constructor(keys: readonly KeyDefinition[], rank: Int32Array, freeText = false) {
    this.#freeText = freeText;
    this.#keys = keys;
    this.#rank = rank;
    this.#writers = keys.map(() => []);
    this.#values = keys.map(() => []);
  }

  /** One write of a node that has completed. Whether the value fits was checked before. */
  commit(key: number, node: number, value: unknown): void {
    (this.#writers[key] as number[]).push(node);
    (this.#values[key] as unknown[]).push(this.#freeText ? wordsOf(value) : value);
  }

  /** The value of a key so far; `undefined` when nobody wrote a key without merge rule. */
  read(key: number): unknown {
    this.writersOf(key);
    const values = this.#values[key] as unknown[];
    if (this.#freeText) return values.join('\n\n');
    const rule = this.#keys[key]?.merge;
    if (rule === undefined) return values.at(-1);
    // `writersOf` leaves both lists in the order of the graph.
    let value = rule.initial();
    for (const write of values) value = rule.fold(value, write);
    return value;
  }

  /** Nodes that wrote the key, in the order of the graph. Sorts in place, so that asking twice costs once. */
  writersOf(key: number): readonly number[] {
    const writers = this.#writers[key] as number[];
    const rank = this.#rank;
    for (let i = 1; i < writers.length; i++) {
      if ((rank[writers[i - 1] as number] as number) <= (rank[writers[i] as number] as number)) continue;
      const values = this.#values[key] as unknown[];
      const order = writers.map((_, at) => at).sort((a, b) => (rank[writers[a] as number] as number) - (rank[writers[b] as number] as number) || a - b);
      this.#writers[key] = order.map((at) => writers[at] as number);
      this.#values[key] = order.map((at) => values[at]);
      break;
    }
    return this.#writers[key] as number[];
  }
}

/** Whether a write fits its key. A promise only where the schema's own check is one. */
export function checkWrite(key: KeyDefinition, value: unknown): Checked | Promise<Checked> {
  if (key.accepts !== undefined && !key.accepts(value)) return { ok: false, issues: [`${typeof value} does not fit the merge rule "${key.merge?.name}"`] };
  return key.check === undefined ? { ok: true, value } : key.check(value);
}

/** What of a value a reader without schema would still find in it. */
function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  return Object.values(value).map(wordsOf).join('\n');
}
