// What a connector gave, and where a run keeps what it has shown a handle of. A prompt never holds a result that nobody asked for: its summary stands there.
import { createHash } from 'node:crypto';
import type { Held, Shelf } from '../connector.ts';

/** Characters of a result that its summary shows. */
const SHOWN_CHARS = 280;

export class HeldResult<Value> implements Held<Value> {
  readonly connector: string;
  readonly value: Value;
  readonly #request: string;
  readonly #textOf: (value: Value) => string;
  #text: string | undefined;
  #handle: string | undefined;

  constructor(connector: string, request: string, value: Value, textOf: (value: Value) => string) {
    this.connector = connector;
    this.value = value;
    this.#request = request;
    this.#textOf = textOf;
  }

  get text(): string {
    this.#text ??= this.#textOf(this.value);
    return this.#text;
  }

  get handle(): string {
    this.#handle ??= `${this.connector}:${createHash('sha256').update(`${this.#request}\n${this.text}`).digest('hex').slice(0, 12)}`;
    return this.#handle;
  }

  /** Says to whoever puts it into a text what to do. */
  toString(): string {
    return `[${this.text.length} characters of connector ${this.connector}: take .text or .value of it]`;
  }

  toJSON(): unknown {
    const { text, handle } = this;
    const facts = { handle, request: JSON.parse(this.#request) as unknown, characters: text.length };
    return text.length <= SHOWN_CHARS ? { ...facts, text } : { ...facts, begins: text.slice(0, SHOWN_CHARS).toWellFormed() };
  }
}

export class ResultShelf implements Shelf {
  readonly #results = new Map<string, Held>();
  #bytes = 0;

  show(value: unknown, isWhole: (connector: string) => boolean): unknown {
    if (!(value instanceof HeldResult)) return undefined;
    if (isWhole(value.connector)) return value.text;
    if (!this.#results.has(value.handle)) {
      this.#results.set(value.handle, value);
      this.#bytes += Buffer.byteLength(value.text);
    }
    return value.toJSON();
  }

  find(handle: string): Held | undefined {
    return this.#results.get(handle);
  }

  get bytes(): number {
    return this.#bytes;
  }
}
