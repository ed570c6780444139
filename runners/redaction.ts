// What may leave the machine of a run over gated questions: ids, counts, times and verdicts. Every text that could hold a question, an answer or a file's content
// is replaced by a salted hash; the answers themselves lie in `private/`, for the leaderboard's file alone.
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GaugeError } from '../base/error.ts';
import { redactedText, redactedValue } from '../base/redacted.ts';
import type { TrialRecord, WireRecord, WorkerRecord } from '../metrics/record.ts';

export const PRIVATE_FOLDER = 'private';
const ANSWERS = 'answers.jsonl';
const URLS = 'urls.jsonl';
const CASSETTE = 'cassette.jsonl';

/** A line of `private/answers.jsonl`. */
export interface PrivateAnswer {
  readonly framework: string;
  readonly shape: string;
  readonly settings: string;
  readonly configuration?: string;
  readonly taskId: string;
  readonly trialIndex: number;
  readonly answer?: string;
}

export class Redaction {
  readonly #salt: Buffer;
  readonly #folder: string;

  private constructor(folder: string, salt: Buffer) {
    this.#folder = folder;
    this.#salt = salt;
  }

  /** @param run the run's directory: salt and answers are kept in its private folder, which only this user may open and no repository takes up */
  static of(run: string): Redaction {
    const folder = join(run, PRIVATE_FOLDER);
    const saltFile = join(folder, 'salt');
    if (!existsSync(saltFile)) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, '.gitignore'), '*\n');
      writeFileSync(saltFile, randomBytes(32).toString('hex'), { mode: 0o600 });
    }
    return new Redaction(folder, Buffer.from(readFileSync(saltFile, 'utf8'), 'hex'));
  }

  text(text: string): string {
    return redactedText(this.#salt, text);
  }

  trial(record: TrialRecord): TrialRecord {
    return {
      ...record,
      ...(record.output === undefined ? {} : { output: this.text(record.output) }),
      ...(record.answer === undefined ? {} : { answer: this.text(record.answer) }),
      ...(record.failure === undefined ? {} : { failure: { ...record.failure, message: this.text(record.failure.message) } }),
    };
  }

  wire(record: WireRecord): WireRecord {
    const facts = record.facts as { readonly addedSystemText?: string };
    return facts.addedSystemText === undefined ? record : { ...record, facts: { ...facts, addedSystemText: this.text(facts.addedSystemText) } };
  }

  worker(record: WorkerRecord): WorkerRecord {
    const { ended } = record;
    return ended?.stderr === undefined ? record : { ...record, ended: { ...ended, stderr: this.text(ended.stderr) } };
  }

  deep(value: unknown): unknown {
    return redactedValue(this.#salt, value);
  }

  /** For a cassette: by which its hashes are salted, and where its words lie whole. */
  forCassette(): { readonly salt: string; readonly wholeFile: string } {
    return { salt: this.#salt.toString('hex'), wholeFile: join(this.#folder, CASSETTE) };
  }

  /** Keeps which places of the live web a trial asked for: in every other artefact they are hashes. */
  keepUrls({ framework, shape, settings, configuration, taskId, trialIndex }: TrialRecord, urls: readonly string[]): void {
    const line = { framework, shape, settings, ...(configuration === undefined ? {} : { configuration }), taskId, trialIndex, urls };
    appendFileSync(join(this.#folder, URLS), `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }

  /** Keeps what the leaderboard's file needs. */
  keepAnswer({ framework, shape, settings, configuration, taskId, trialIndex, answer }: TrialRecord): void {
    const line: PrivateAnswer = {
      framework,
      shape,
      settings,
      ...(configuration === undefined ? {} : { configuration }),
      taskId,
      trialIndex,
      ...(answer === undefined ? {} : { answer }),
    };
    appendFileSync(join(this.#folder, ANSWERS), `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }
}

/** @returns the answers of a run over gated questions, the last one where a trial ran again; none for any other run */
export function privateAnswers(run: string): PrivateAnswer[] {
  const file = join(run, PRIVATE_FOLDER, ANSWERS);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const byTrial = new Map<string, PrivateAnswer>();
  for (const line of lines) {
    try {
      const answer = JSON.parse(line) as PrivateAnswer;
      byTrial.set([answer.framework, answer.shape, answer.settings, answer.configuration, answer.taskId, answer.trialIndex].join(' '), answer);
    } catch {
      // Half a line of a killed run: its trial runs again and is written anew.
    }
  }
  return [...byTrial.values()];
}

/** What no artefact may hold: parts of questions and long truths, squeezed to letters and digits, so that no escape or line break hides them. */
export class Canaries {
  /** Each stretch of `WINDOW` signs, and whose it is. */
  readonly #windows = new Map<string, string>();

  /** @param secrets those with fewer than `WINDOW` letters and digits are passed over: they stand anywhere by chance */
  constructor(secrets: Iterable<{ readonly taskId: string; readonly text: string }>) {
    for (const { taskId, text } of secrets) for (const window of windowsOf(squeezed(text))) this.#windows.set(window, taskId);
  }

  /** @throws GaugeError CANARY_FOUND naming file and task when any file below the directory holds protected text; its private folder aside; @param more files elsewhere */
  check(directory: string, ...more: readonly string[]): void {
    for (const file of [...filesBelow(directory), ...more]) {
      const found = this.find(readFileSync(file, 'utf8'));
      if (found !== undefined)
        throw new GaugeError('CANARY_FOUND', `${file} holds text of the protected task ${found}`, {
          remedy: 'Do not publish this run. Delete the file, and please report how it came there.',
        });
    }
  }

  /** @returns the task whose text stands there, if any */
  find(text: string): string | undefined {
    // Escapes of JSON, also within a JSON text within another, would leave letters behind.
    for (const window of windowsOf(squeezed(text.replace(/\\+(?:u[0-9a-f]{4}|[nrtbf])/gi, ' ')))) {
      const taskId = this.#windows.get(window);
      if (taskId !== undefined) return taskId;
    }
    return undefined;
  }
}

const WINDOW = 32;

function* windowsOf(text: string): Generator<string> {
  for (let start = 0; start + WINDOW <= text.length; start++) yield text.slice(start, start + WINDOW);
}

/** Letters and digits alone: no escape, line break or sign of layout hides a text from a comparison. */
export function squeezed(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !file.startsWith(join(directory, PRIVATE_FOLDER)));
}
