// From what a user types to a set of questions that nobody generated: `jsonl:FILE` and `gaia:DIR`, with the choices that go with them.
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { UsageError } from '../../base/error.ts';
import { readOfficial, type Split } from '../gaia/official/read-official.ts';
import { selectIds, selectionHash, selectPaperShape } from '../gaia/official/select.ts';
import type { OwnSet } from './own-set.ts';
import type { Question } from './question.ts';
import { readQuestions } from './read-jsonl.ts';

export interface OwnSetChoices {
  /** Where relative paths start. */
  readonly baseDirectory: string;
  /** Of the selection. */
  readonly seed: number;
  /** Of `gaia:DIR`. @default validation */
  readonly split?: Split | undefined;
  /** The paper's composition, drawn by the stated rule. */
  readonly select?: 'paper-shape' | undefined;
  /** A file with one id a line, in the order to run them. */
  readonly ids?: string | undefined;
}

export function isOwnSetName(text: string): boolean {
  return /^(?:jsonl|gaia):/.test(text);
}

/** @throws UsageError naming what cannot be read, found or chosen */
export async function namedOwnSet(text: string, choices: OwnSetChoices): Promise<OwnSet> {
  const { baseDirectory, seed, split = 'validation', select, ids } = choices;
  const [kind = '', ...rest] = text.split(':');
  const path = rest.join(':');
  if (path === '')
    throw new UsageError('BAD_TASK_SET', `the task set ${JSON.stringify(text)} names no ${kind === 'gaia' ? 'folder' : 'file'}`, {
      remedy: kind === 'gaia' ? 'For example: gaia:data/GAIA' : 'For example: jsonl:questions.jsonl',
    });
  if (select !== undefined && ids !== undefined) throw new UsageError('OPTIONS_EXCLUDE', '--select and --ids exclude each other', { remedy: 'Choose one.' });
  const full = resolve(baseDirectory, path);
  const all = kind === 'gaia' ? await readOfficial(full, split) : readQuestions(full);
  const questions = ids !== undefined ? selectIds(all, idsOf(resolve(baseDirectory, ids)), ids) : select === undefined ? all : selectPaperShape(all, seed);
  const source = kind === 'gaia' ? `gaia:${split}` : `jsonl:${basename(full)}`;
  return { name: `${source}${chosenName(all, questions)}`, seed, questions, ...(kind === 'gaia' ? { gated: true as const } : {}) };
}

/** Says that not all questions ran, and names which by a hash that others can compare. */
function chosenName(all: readonly Question[], chosen: readonly Question[]): string {
  return chosen.length === all.length ? '' : ` (${chosen.length} of ${all.length}, ${selectionHash(chosen.map(({ id }) => id))})`;
}

function idsOf(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8')
      .replace(/^\ufeff/, '')
      .split('\n');
    return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  } catch (cause) {
    throw new UsageError('IDS_UNREADABLE', `${file} cannot be read: ${(cause as NodeJS.ErrnoException).code ?? String(cause)}`, {
      remedy: 'Name a file with one task_id a line.',
      cause,
    });
  }
}
