// `gaia:DIR`: the official data, from a folder that the user has. Reads both layouts that the data had (metadata.parquet since October 2025, metadata.jsonl
// before), and changes or copies nothing there. Layout and its odd places: the dataset card of gaia-benchmark/GAIA.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { messageOf, UsageError } from '../../../base/error.ts';
import type { Question } from '../../own/question.ts';
import type { Level } from '../../task.ts';
import { typeOfOfficial } from './task-type.ts';

export const SPLITS = ['validation', 'test'] as const;
export type Split = (typeof SPLITS)[number];

/** One row as it stands in either layout; every field is looked at before it is believed. */
type Row = Readonly<Record<string, unknown>>;

interface SplitPlace {
  /** The folder with the metadata. */
  readonly folder: string;
  /** Where `file_path` of a row starts. */
  readonly root: string;
  readonly metadata: string;
}

/**
 * @param directory the dataset's root, its year folder, or the folder of the split
 * @returns questions in the order of the file; without truths for the split `test`, whose answers are not public
 * @throws UsageError GAIA_NOT_FOUND, GAIA_UNREADABLE or GAIA_INVALID, the latter with every bad row
 */
export async function readOfficial(directory: string, split: Split): Promise<Question[]> {
  const place = placeOf(resolve(directory), split);
  const rows = place.metadata.endsWith('.parquet') ? await readParquet(place.metadata) : readLines(place.metadata);
  const problems: string[] = [];
  const seen = new Set<string>();
  const questions = rows.flatMap((row, index) => {
    const question = questionOf(row, { index, split, place, problems });
    if (question === undefined) return [];
    if (seen.has(question.id)) problems.push(`row ${index + 1}: task_id ${question.id} stands there twice`);
    seen.add(question.id);
    return [question];
  });
  if (rows.length === 0) problems.push('it has no rows');
  if (problems.length > 0) {
    const shown = problems.slice(0, 12).map((problem) => `  ${problem}`);
    if (problems.length > 12) shown.push(`  … and ${problems.length - 12} more`);
    throw new UsageError('GAIA_INVALID', `${place.metadata} cannot be used:\n${shown.join('\n')}`, {
      remedy: `Fetch the dataset again, whole: huggingface-cli download gaia-benchmark/GAIA --repo-type dataset --local-dir DIR. ${GATED}`,
    });
  }
  return questions;
}

/** What a hub that answers 401 or 403 wants. */
const GATED = "The data is gated: accept its terms of access on the hub first, and fetch it with that account's own token.";

function placeOf(directory: string, split: Split): SplitPlace {
  const candidates = [
    { folder: join(directory, '2023', split), root: directory },
    { folder: join(directory, split), root: join(directory, '..') },
    ...(basename(directory) === split ? [{ folder: directory, root: join(directory, '..', '..') }] : []),
  ];
  for (const { folder, root } of candidates) {
    for (const name of ['metadata.parquet', 'metadata.jsonl']) {
      if (existsSync(join(folder, name))) return { folder, root, metadata: join(folder, name) };
    }
  }
  throw new UsageError('GAIA_NOT_FOUND', `${directory} has no split ${split} of GAIA`, {
    remedy: `Expected 2023/${split}/metadata.parquet or metadata.jsonl below it. ${GATED}`,
  });
}

async function readParquet(file: string): Promise<Row[]> {
  let library: typeof import('hyparquet');
  try {
    library = await import('hyparquet');
  } catch (cause) {
    throw new UsageError('PACKAGE_MISSING', 'reading Parquet needs the package hyparquet', { remedy: 'npm install hyparquet', cause });
  }
  try {
    const bytes = readFileSync(file);
    return (await library.parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer })) as Row[];
  } catch (cause) {
    throw unreadable(file, messageOf(cause), cause);
  }
}

function readLines(file: string): Row[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return [];
      try {
        return [JSON.parse(line) as Row];
      } catch (cause) {
        throw unreadable(file, `line ${index + 1} is no JSON`, cause);
      }
    });
}

function unreadable(file: string, why: string, cause: unknown): UsageError {
  return new UsageError('GAIA_UNREADABLE', `${file} cannot be read: ${why}`, {
    remedy: `Fetch the file again: a Git LFS pointer in its place is no data, nor is a page that refuses it. ${GATED}`,
    cause,
  });
}

interface RowContext {
  readonly index: number;
  readonly split: Split;
  readonly place: SplitPlace;
  readonly problems: string[];
}

function questionOf(row: Row, { index, split, place, problems }: RowContext): Question | undefined {
  const where = `row ${index + 1}`;
  const problem = (what: string) => void problems.push(`${where}: ${what}`);
  if (typeof row !== 'object' || row === null) {
    problem('it is no object');
    return undefined;
  }
  const id = textOf(row.task_id);
  const question = textOf(row.Question);
  const level = Number(row.Level);
  if (id === undefined) problem('task_id is missing');
  if (question === undefined) problem('Question is missing');
  if (level !== 1 && level !== 2 && level !== 3) problem(`Level is ${JSON.stringify(String(row.Level))}, not 1, 2 or 3`);
  const files = filesOf(row, place, problem);
  const truth = split === 'test' ? undefined : textOf(row['Final answer']);
  // An empty truth, or one of punctuation alone, is equal to an empty answer: the official rule would call silence right.
  if (split === 'validation' && (truth === undefined || !/[\p{L}\p{N}]/u.test(truth))) problem('"Final answer" is empty');
  if (id === undefined || question === undefined) return undefined;
  return {
    id,
    question,
    type: typeOfOfficial({ hasFile: files.length > 0, tools: toolsOf(row) }),
    level: level as Level,
    ...(truth === undefined ? {} : { truth, scorer: 'gaia' as const }),
    files,
    place: `${basename(place.metadata)}, ${where}`,
  };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** What the annotators say they used: one text, a tool a line. Absent in the split `test`. */
function toolsOf(row: Row): string | undefined {
  const annotator = row['Annotator Metadata'];
  return typeof annotator === 'object' && annotator !== null ? textOf((annotator as Row).Tools) : undefined;
}

function filesOf(row: Row, { folder, root }: SplitPlace, problem: (what: string) => void): string[] {
  const name = textOf(row.file_name);
  if (name === undefined) return [];
  const path = textOf(row.file_path);
  const candidates = [join(folder, basename(name)), ...(path === undefined ? [] : [resolve(root, path)])];
  const inside = `${resolve(root)}${sep}`;
  const file = candidates.find((candidate) => candidate.startsWith(inside) && existsSync(candidate) && statSync(candidate).isFile());
  if (file === undefined) problem(`its file ${name} is not there`);
  return file === undefined ? [] : [file];
}
