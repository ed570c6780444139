// A run's directory: the only writer of its files. Each line is whole on disk before the next trial starts; a torn last line is set aside on resume.

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { GaugeError, messageOf, UsageError } from '../base/error.ts';
import { type Manifest, RECORD_VERSION, type TrialRecord, type WireRecord, type WorkerRecord } from '../metrics/record.ts';
import type { Redaction } from './redaction.ts';

type LineFile = 'trials.jsonl' | 'workers.jsonl' | 'wires.jsonl';
const LINE_FILES: readonly LineFile[] = ['trials.jsonl', 'workers.jsonl', 'wires.jsonl'];
const LOCK = 'run.lock';

interface LockFacts {
  readonly pid: number;
  readonly startedAt: string;
  readonly startTicks?: string;
}

/** Makes a new directory below `parent`; two runs started in the same second get two. */
export function createRunDirectory(parent: string, name: string, nowIso: string): string {
  const stamp = nowIso.slice(0, 19).replaceAll(':', '-');
  try {
    mkdirSync(parent, { recursive: true });
  } catch (error) {
    throw cannotWrite(parent, error);
  }
  for (;;) {
    const directory = join(parent, `${stamp}-${name}-${randomBytes(2).toString('hex')}`);
    try {
      mkdirSync(directory);
      return directory;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw cannotWrite(directory, error);
    }
  }
}

export class RunDirectory {
  readonly path: string;
  readonly #open = new Map<LineFile, number>();
  #syncing: Promise<void> | undefined;
  #nextSync: Promise<void> | undefined;
  #redaction: Redaction | undefined;
  #hasTranscripts = false;

  private constructor(path: string) {
    this.path = path;
  }

  /** Takes the directory for this process. @throws UsageError RUN_IN_USE naming pid and start when another process works on it */
  static take(path: string, nowIso: string): RunDirectory {
    const lock = join(path, LOCK);
    const facts: LockFacts = { pid: process.pid, startedAt: nowIso, ...startTicksOf(process.pid) };
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        writeFileSync(lock, JSON.stringify(facts), { flag: 'wx' });
        return new RunDirectory(path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw cannotWrite(lock, error);
      }
      const holder = readLock(lock);
      if (holder && isAlive(holder))
        throw new UsageError('RUN_IN_USE', `${path} is in use by process ${holder.pid}, started at ${holder.startedAt}`, {
          remedy: 'Wait for it, or stop it with Ctrl-C and resume.',
        });
      rmSync(lock, { force: true });
    }
    throw new GaugeError('RUN_IN_USE', `${path} is being taken by another process right now`, { remedy: 'Try again in a moment.' });
  }

  /** From here on nothing is written but what may be passed on; set before the first record. */
  redactWith(redaction: Redaction): void {
    this.#redaction = redaction;
  }

  /** A run with a manifest has a file of trials, also when none of them could run. */
  writeManifest(manifest: Manifest): void {
    this.#append('trials.jsonl');
    this.#write('manifest.json', `${JSON.stringify(manifest, null, 1)}\n`);
  }

  /** The plan as its author wrote it, to go on from without its options. */
  writePlan(plan: { readonly spec: unknown; readonly baseDirectory: string }): void {
    this.#write('plan.json', `${JSON.stringify(plan, null, 1)}\n`);
  }

  /** Writes the line; it is safe from a kill at once, and from a power cut when `trialsOnDisk` resolves. */
  appendTrial(record: TrialRecord): void {
    this.#redaction?.keepAnswer(record);
    this.#append('trials.jsonl', this.#redaction?.trial(record) ?? record);
  }

  /**
   * Resolves when every record appended so far is on the disk itself. One flush is under way at a time and who comes meanwhile shares the next one,
   * so that rows at work side by side do not queue for the disk.
   */
  trialsOnDisk(): Promise<void> {
    this.#nextSync ??= (this.#syncing ?? Promise.resolve()).then(() => {
      this.#syncing = this.#nextSync;
      this.#nextSync = undefined;
      return this.#sync('trials.jsonl');
    });
    return this.#nextSync;
  }

  appendWorker(record: WorkerRecord): void {
    fdatasyncSync(this.#append('workers.jsonl', this.#redaction?.worker(record) ?? record));
  }

  appendWire(record: WireRecord): void {
    fdatasyncSync(this.#append('wires.jsonl', this.#redaction?.wire(record) ?? record));
  }

  /** Where texts are hashed, the addresses of the live web that a trial asked for are kept in the private folder; elsewhere its transcript has them. */
  keepUrls(record: TrialRecord, urls: readonly string[]): void {
    if (urls.length > 0) this.#redaction?.keepUrls(record, urls);
  }

  /** Before the record of its trial: a transcript torn by a kill has none, so its trial runs again and writes it anew. @param transcript as JSON */
  writeTranscript(name: string, transcript: string): void {
    const folder = join(this.path, 'transcripts');
    const file = join(folder, name);
    try {
      if (!this.#hasTranscripts) mkdirSync(folder, { recursive: true });
      this.#hasTranscripts = true;
      const text = this.#redaction === undefined ? transcript : JSON.stringify(this.#redaction.deep(JSON.parse(transcript)));
      writeFileSync(file, `${text}\n`);
    } catch (error) {
      rmSync(file, { force: true });
      throw cannotWrite(file, error);
    }
  }

  /** Cuts off what a kill left behind of a last line, and keeps it beside the file. @returns how many fragments were set aside */
  setFragmentsAside(): number {
    let fragments = 0;
    for (const name of LINE_FILES) {
      const file = join(this.path, name);
      if (!existsSync(file)) continue;
      const bytes = readFileSync(file);
      const end = bytes.lastIndexOf(0x0a) + 1;
      if (end === bytes.length) continue;
      fragments += 1;
      writeFileSync(`${file}.fragment`, bytes.subarray(end));
      const descriptor = openSync(file, 'r+');
      ftruncateSync(descriptor, end);
      closeSync(descriptor);
    }
    return fragments;
  }

  /** Lines of a file, in order. A file that is not there has none. */
  lines(name: LineFile): unknown[] {
    const file = join(this.path, name);
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line, i) => {
        try {
          return JSON.parse(line) as unknown;
        } catch (cause) {
          throw new GaugeError('RECORD_DAMAGED', `${file} line ${i + 1} is not JSON`, { cause, remedy: 'Remove that line and resume: its trial runs again.' });
        }
      });
  }

  /** Lets go of the directory; may be called twice. */
  release(): void {
    for (const descriptor of this.#open.values()) closeSync(descriptor);
    this.#open.clear();
    rmSync(join(this.path, LOCK), { force: true });
  }

  #sync(name: LineFile): Promise<void> {
    const descriptor = this.#open.get(name);
    if (descriptor === undefined) return Promise.resolve();
    return new Promise((resolve, reject) => {
      fdatasync(descriptor, (error) => (error ? reject(cannotWrite(join(this.path, name), error)) : resolve()));
    });
  }

  #append(name: LineFile, record?: unknown): number {
    const file = join(this.path, name);
    let descriptor = this.#open.get(name);
    let before: number | undefined;
    try {
      if (descriptor === undefined) {
        descriptor = openSync(file, 'a');
        this.#open.set(name, descriptor);
      }
      before = fstatSync(descriptor).size;
      const line = Buffer.from(record === undefined ? '' : `${JSON.stringify(record)}\n`);
      for (let written = 0; written < line.length; ) written += writeSync(descriptor, line, written);
      return descriptor;
    } catch (error) {
      if (descriptor !== undefined && before !== undefined) cutBack(descriptor, before);
      throw cannotWrite(file, error);
    }
  }

  #write(name: string, text: string): void {
    const file = join(this.path, name);
    try {
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
    } catch (error) {
      rmSync(`${file}.new`, { force: true });
      throw cannotWrite(file, error);
    }
  }
}

/** @throws UsageError when there is no run, or one of another record version */
export function readManifest(directory: string): Manifest {
  const file = join(directory, 'manifest.json');
  if (!existsSync(file))
    throw new UsageError('NO_RUN', `${directory} holds no run: there is no manifest.json`, {
      remedy: 'Name a directory below runs/, or start a run with `reproduce`.',
    });
  const manifest = readStored<Manifest>(file);
  if (manifest.recordVersion !== RECORD_VERSION)
    throw new UsageError('RUN_VERSION', `${directory} has record version ${manifest.recordVersion}; this program reads ${RECORD_VERSION}`, {
      remedy: `Use the AgentGauge that wrote it (${manifest.agentgauge}), or run the study again.`,
    });
  return manifest;
}

/** One JSON document of ours. @throws UsageError RUN_BROKEN when it is no JSON, such as after a full disk or an edit */
export function readStored<T>(file: string): T {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch (cause) {
    throw new UsageError('RUN_BROKEN', `${file} cannot be read: ${messageOf(cause)}`, { cause, remedy: 'Restore the file, or start a new run.' });
  }
}

/** All recorded trials, in order. */
export function readTrials(directory: string): TrialRecord[] {
  const file = join(directory, 'trials.jsonl');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as TrialRecord);
}

/** Whether another living process holds the directory. */
export function isRunHeld(directory: string): boolean {
  const lock = join(directory, LOCK);
  const holder = existsSync(lock) ? readLock(lock) : undefined;
  return holder !== undefined && isAlive(holder);
}

function readLock(file: string): LockFacts | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LockFacts;
  } catch {
    // A lock torn by a kill holds nobody.
    return undefined;
  }
}

/** Alive, and still the process that took the lock: a process id is used again after a while. */
function isAlive(holder: LockFacts): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const { startTicks } = startTicksOf(holder.pid);
  return holder.startTicks === undefined || startTicks === undefined || startTicks === holder.startTicks;
}

/** When a process began, in kernel ticks since boot; absent without procfs. */
function startTicksOf(pid: number): { startTicks?: string } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const startTicks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return startTicks === undefined ? {} : { startTicks };
  } catch {
    // No procfs here: the process id alone must do.
    return {};
  }
}

/** A full disk can take half a line; the lines before it stay whole. */
function cutBack(descriptor: number, size: number): void {
  try {
    ftruncateSync(descriptor, size);
  } catch {
    // Then resume sets the fragment aside; the error worth telling is the one of the write.
  }
}

function cannotWrite(file: string, cause: unknown): GaugeError {
  const code = (cause as NodeJS.ErrnoException).code;
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  return new GaugeError(full ? 'DISK_FULL' : 'CANNOT_WRITE', full ? `No space left for ${file}` : `Cannot write ${file}: ${(cause as Error).message}`, {
    cause,
    remedy: full
      ? 'Free some space; everything finished so far is kept, and --resume goes on from there.'
      : 'Check that the folder exists and that you may write to it; --out names another.',
  });
}
