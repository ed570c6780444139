// Opens a run's directory for reading: the manifest at once, the JSON Lines files as streams. Checks that they are there, whole and of our version.
// Does not judge what the records say.
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { GaugeError, messageOf, UsageError } from '../base/error.ts';
import type { Manifest, TrialRecord, WireRecord, WorkerRecord } from '../metrics/record.ts';
import { parseManifest, parseTrialRecord, parseWireRecord, parseWorkerRecord } from '../metrics/record-schema.ts';
import { readLines } from './read-lines.ts';

export interface StoredRun {
  readonly directory: string;
  readonly manifest: Manifest;
  trials(): AsyncGenerator<TrialRecord>;
  workers(): AsyncGenerator<WorkerRecord>;
  wires(): AsyncGenerator<WireRecord>;
  /** Last lines that a killed writer left half-written, by file name; known after the files were read. */
  readonly setAside: ReadonlySet<string>;
}

/** @throws UsageError `RUN_MISSING`, `RUN_UNREADABLE`, `RUN_BROKEN`; DataError `RECORD_VERSION`, `RECORD_BROKEN`; each with file, line and remedy */
export async function readRun(directory: string): Promise<StoredRun> {
  await assertDirectory(directory);
  const manifest = await readManifest(join(directory, 'manifest.json'));
  const setAside = new Set<string>();
  const lines = <T>(file: string, parse: Parse<T>, optional = false) => readRecords(join(directory, file), parse, setAside, optional);
  return {
    directory,
    manifest,
    trials: () => lines('trials.jsonl', parseTrialRecord),
    workers: () => lines('workers.jsonl', parseWorkerRecord, true),
    wires: () => lines('wires.jsonl', parseWireRecord, true),
    setAside,
  };
}

type Parse<T> = (value: unknown, place: string) => T;

async function assertDirectory(directory: string): Promise<void> {
  const facts = await stat(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw unreadable(directory, error);
  });
  if (facts === undefined) {
    throw new UsageError('RUN_MISSING', `there is no run at ${directory}`, {
      remedy: 'Name a directory that `agentgauge reproduce` or `agentgauge run` made, such as one in runs/.',
    });
  }
  if (!facts.isDirectory()) {
    throw new UsageError('RUN_MISSING', `${directory} is a file, not the directory of a run`, {
      remedy: 'Name the directory that holds manifest.json and trials.jsonl.',
    });
  }
}

async function readManifest(path: string): Promise<Manifest> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw missing(path);
    throw unreadable(path, error);
  });
  return parseManifest(parseJson(text, path), path);
}

async function* readRecords<T>(path: string, parse: Parse<T>, setAside: Set<string>, optional: boolean): AsyncGenerator<T> {
  try {
    for await (const lines of readLines(path)) {
      for (const { text, number, ended } of lines) {
        if (text.trim() === '') continue;
        if (!ended && !isWhole(text)) {
          setAside.add(basename(path));
          continue;
        }
        const place = `${path}:${number}`;
        yield parse(parseJson(text, place), place);
      }
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && optional) return;
    if (code === 'ENOENT') throw missing(path);
    if (error instanceof GaugeError || code === undefined) throw error;
    throw unreadable(path, error);
  }
}

/** No proper prefix of a JSON object is JSON, so a last line that parses was written whole. */
function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Not an error here: the caller sets the fragment aside and says so.
    return false;
  }
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError('RUN_BROKEN', `${place} is no JSON: ${messageOf(error)}`, {
      remedy: 'Only a last line may be incomplete; restore the file, or move the broken line away.',
      cause: error,
    });
  }
}

function missing(path: string): UsageError {
  return new UsageError('RUN_MISSING', `there is no ${path}`, { remedy: 'Name the directory of a run: it holds manifest.json and trials.jsonl.' });
}

function unreadable(path: string, error: unknown): UsageError {
  return new UsageError('RUN_UNREADABLE', `${path} cannot be read: ${messageOf(error)}`, {
    remedy: 'Check that it is there and that you may read it.',
    cause: error,
  });
}
