// `jsonl:FILE`: a user's own questions, one JSON object a line. Every problem of the file is told at once, by line.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { UsageError } from '../../base/error.ts';
import { type Level, SCORER_NAMES, type ScorerName, TASK_TYPES, type TaskType } from '../task.ts';
import type { Question } from './question.ts';

export const JSONL_FORM =
  '{"question": TEXT, "answer": TEXT, "files": [PATH…], "type": "zero-tool"|"document"|"web", "level": 1|2|3, "scorer": NAME, "id": TEXT}';

const KEYS = new Set(['id', 'question', 'answer', 'files', 'type', 'level', 'scorer']);
/** Ids become parts of file names. */
const ID = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,79}$/;
const MOST_PROBLEMS = 12;

/**
 * @param file questions; paths of files in it start at its folder
 * @throws UsageError QUESTIONS_UNREADABLE or QUESTIONS_INVALID, the latter with every bad line
 */
export function readQuestions(file: string): Question[] {
  const problems: string[] = [];
  const questions: Question[] = [];
  const seen = new Map<string, number>();
  for (const [index, line] of textOf(file)
    .replace(/^\ufeff/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue;
    const place = `line ${index + 1}`;
    const problem = (what: string) => void problems.push(`${place}: ${what}`);
    const question = questionOf(line, { file, number: index + 1, problem });
    if (question === undefined) continue;
    const twin = seen.get(question.id);
    if (twin !== undefined) problem(`id ${JSON.stringify(question.id)} stands on line ${twin} too`);
    seen.set(question.id, index + 1);
    questions.push(question);
  }
  if (problems.length === 0 && questions.length === 0) problems.push('no line holds a question');
  if (problems.length > 0) throw invalid(file, problems);
  return questions;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError('QUESTIONS_UNREADABLE', `${file} cannot be read: ${(cause as NodeJS.ErrnoException).code ?? String(cause)}`, {
      remedy: 'Name a file of JSON Lines that exists: --tasks jsonl:questions.jsonl',
      cause,
    });
  }
}

function invalid(file: string, problems: readonly string[]): UsageError {
  const shown = problems.slice(0, MOST_PROBLEMS).map((problem) => `  ${problem}`);
  const more = problems.length > MOST_PROBLEMS ? `\n  … and ${problems.length - MOST_PROBLEMS} more` : '';
  return new UsageError('QUESTIONS_INVALID', `${file} cannot be used:\n${shown.join('\n')}${more}`, {
    remedy: `Each line is ${JSONL_FORM}; all but question and answer may be left out.`,
  });
}

interface LineContext {
  readonly file: string;
  readonly number: number;
  problem(what: string): void;
}

function questionOf(line: string, { file, number, problem }: LineContext): Question | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    problem('it is no JSON');
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    problem('it is no JSON object');
    return undefined;
  }
  const given = new Map(Object.entries(parsed));
  for (const key of given.keys()) if (!KEYS.has(key)) problem(`there is no field ${JSON.stringify(key)}`);
  const question = textField(given.get('question'));
  if (question === undefined) problem('"question" must be text that is not empty');
  const answer = answerField(given.get('answer'));
  if (answer === undefined) problem('"answer" must be text that is not empty, or a number');
  const files = filesField(given.get('files'), file, problem);
  const type = given.get('type') ?? (files.length > 0 ? 'document' : 'zero-tool');
  if (!TASK_TYPES.includes(type as TaskType)) problem(`"type" must be one of ${TASK_TYPES.join(', ')}`);
  const level = given.get('level') ?? 1;
  if (level !== 1 && level !== 2 && level !== 3) problem('"level" must be 1, 2 or 3');
  const scorer = given.get('scorer') ?? 'gaia';
  if (!SCORER_NAMES.includes(scorer as ScorerName)) problem(`"scorer" must be one of ${SCORER_NAMES.join(', ')}`);
  const id = given.get('id') === undefined ? `q${String(number).padStart(3, '0')}` : textField(given.get('id'));
  if (id === undefined || !ID.test(id)) problem('"id" must be 1 to 80 letters, digits and . _ -');
  if (id === undefined || question === undefined || answer === undefined) return undefined;
  return {
    id,
    question,
    type: type as TaskType,
    level: level as Level,
    truth: answer,
    scorer: scorer as ScorerName,
    files,
    place: `${basename(file)}, line ${number}`,
  };
}

function textField(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function answerField(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : textField(value);
}

function filesField(value: unknown, file: string, problem: (what: string) => void): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string' && entry !== '')) {
    problem('"files" must be a list of paths');
    return [];
  }
  return (value as string[]).flatMap((path) => {
    const full = resolve(dirname(file), path);
    if (existsSync(full) && statSync(full).isFile()) return [full];
    problem(`there is no file ${path} (looked for ${full})`);
    return [];
  });
}
