// A cassette on disk: JSON Lines, appended to and never rewritten. A line is a header (one a recording session), a text that later lines name by its hash,
// an exchange, or the facts of a trial at its end. Histories are replayed with each request, so each distinct text stands there once.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { GaugeError, messageOf, UsageError } from '../base/error.ts';
import { redactedText, redactedValue } from '../base/redacted.ts';
import { keyOf, type RequestPart } from './cassette-key.ts';
import type { SourceAnswer, TrialFacts } from './reply-source.ts';

/** An answer that can be written down: without what only the process knows. */
export type RecordedAnswer =
  | Omit<Extract<SourceAnswer, { kind: 'message' }>, 'settled'>
  | Exclude<SourceAnswer, { kind: 'message' | 'relay' }>
  | { readonly kind: 'relay'; readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };

export interface RecordedExchange {
  /** Session and trial in which it was recorded. */
  readonly trial: string;
  readonly trialIndex: number;
  readonly key: string;
  readonly parts: readonly RequestPart[];
  readonly answer: RecordedAnswer;
}

type Line =
  | { readonly cassette: 1; readonly redacted?: true }
  | { readonly text: string; readonly hash: string }
  | {
      readonly trial: number;
      readonly index: number;
      readonly key: string;
      readonly parts: readonly (readonly [name: string, hash: string])[];
      readonly answer: RecordedAnswer;
    }
  | { readonly trial: number; readonly facts: TrialFacts };

export class CassetteWriter {
  readonly #file: string;
  readonly #salt: Uint8Array | undefined;
  readonly #known = new Set<string>();

  /**
   * @param salt in hexadecimal digits; given, every text is written as a hash that it salts, so that the cassette shows what was asked how often and says none of it
   * @throws GaugeError CASSETTE_UNWRITABLE; UsageError CASSETTE_INVALID when the file is something else
   */
  constructor(file: string, salt?: string) {
    this.#file = file;
    this.#salt = salt === undefined ? undefined : Buffer.from(salt, 'hex');
    if (existsSync(file)) readCassette(file);
    this.#append([{ cassette: 1, ...(salt === undefined ? {} : { redacted: true }) }]);
  }

  exchange(trial: number, index: number, parts: readonly RequestPart[], answer: RecordedAnswer): void {
    const named = parts.map(({ name, text }) => ({ name, text: this.#written(text) })).map(({ name, text }) => ({ name, text, hash: shortHash(text) }));
    const fresh = named.filter(({ hash }) => !this.#known.has(hash));
    for (const { hash } of fresh) this.#known.add(hash);
    const texts = [...new Map(fresh.map(({ hash, text }) => [hash, text]))].map(([hash, text]): Line => ({ text, hash }));
    this.#append([
      ...texts,
      { trial, index, key: this.#written(keyOf(parts)), parts: named.map(({ name, hash }) => [name, hash] as const), answer: this.#writtenValue(answer) },
    ]);
  }

  facts(trial: number, facts: TrialFacts): void {
    this.#append([{ trial, facts: this.#writtenValue(facts) }]);
  }

  #written(text: string): string {
    return this.#salt === undefined ? text : redactedText(this.#salt, text);
  }

  #writtenValue<T>(value: T): T {
    return this.#salt === undefined ? value : (redactedValue(this.#salt, value) as T);
  }

  #append(lines: readonly Line[]): void {
    try {
      appendFileSync(this.#file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    } catch (cause) {
      throw new GaugeError('CASSETTE_UNWRITABLE', `cannot write to the cassette ${this.#file}: ${messageOf(cause)}`, {
        cause,
        remedy: 'Make its folder, or name another file.',
      });
    }
  }
}

export interface Cassette {
  /** It holds hashes in place of words, so nobody can say them again. */
  readonly isRedacted: boolean;
  readonly exchanges: readonly RecordedExchange[];
  readonly facts: ReadonlyMap<string, TrialFacts>;
}

/** A half-written last line is what a kill leaves behind, and is passed over. @throws UsageError CASSETTE_MISSING, CASSETTE_INVALID */
export function readCassette(file: string): Cassette {
  if (!existsSync(file)) throw new UsageError('CASSETTE_MISSING', `there is no cassette ${file}`, { remedy: 'Record one first: --record FILE.' });
  if (statSync(file).isDirectory()) throw new UsageError('CASSETTE_INVALID', `${file} is a folder, not a cassette`, { remedy: 'Name a file in it.' });
  const lines = readFileSync(file, 'utf8').split('\n');
  const texts = new Map<string, string>();
  const exchanges: RecordedExchange[] = [];
  const facts = new Map<string, TrialFacts>();
  let session = 0;
  let isRedacted = false;
  lines.forEach((text, at) => {
    if (text === '') return;
    const line = lineOf(text);
    if (line === undefined || (at === 0 && !('cassette' in line))) {
      if (at > 0 && at === lines.length - 1) return;
      throw new UsageError('CASSETTE_INVALID', `${file}: line ${at + 1} is no line of a cassette`, {
        remedy: 'Record anew; a cassette is written by --record alone.',
      });
    }
    if ('cassette' in line) {
      session++;
      isRedacted ||= line.redacted === true;
    } else if ('text' in line) texts.set(line.hash, line.text);
    else if ('facts' in line) facts.set(`${session}:${line.trial}`, line.facts);
    else {
      const parts = line.parts.map(([name, hash]) => ({ name, text: texts.get(hash) ?? '' }));
      exchanges.push({ trial: `${session}:${line.trial}`, trialIndex: line.index, key: line.key, parts, answer: line.answer });
    }
  });
  return { isRedacted, exchanges, facts };
}

function lineOf(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const known = 'cassette' in value || ('text' in value && 'hash' in value) || ('trial' in value && ('facts' in value || 'key' in value));
    return known ? (value as Line) : undefined;
  } catch {
    return undefined; // The caller knows whether a broken line may stand there.
  }
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
