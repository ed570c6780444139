// A set of questions that nobody generated, put where every reader of sets finds it. It has truths where its source gives them, and neither plans nor pages:
// the simulated model cannot answer it, and its web is the live one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOfFiles, isPlaced, placeSet, type SetContents, setJson } from '../place-set.ts';
import type { Target, Task, TaskSetFacts } from '../task.ts';
import { GENERATOR_VERSION } from '../task-set-files.ts';
import { extensionOf } from './file-kind.ts';
import type { Question } from './question.ts';

export interface OwnSet {
  /** As captions call it: `gaia:validation`, `jsonl:questions.jsonl`. Names no place of the machine. */
  readonly name: string;
  /** Of the selection, where one was drawn. */
  readonly seed: number;
  readonly questions: readonly Question[];
  /** What may not leave the machine: redaction is on, and the copy is for the user's eyes alone. */
  readonly gated?: true;
}

/** @returns the directory, `CACHE/own-HASH`: files are copied by content, so that a run goes on with what it began with */
export function ensureOwnSet({ name, seed, questions, gated }: OwnSet, cacheDirectory: string): string {
  const contents = contentsOf(questions);
  const hash = hashOfFiles(contents);
  const facts: TaskSetFacts = {
    name,
    seed,
    hash,
    tasks: questions.length,
    pages: 0,
    generator: GENERATOR_VERSION,
    ...(gated === undefined ? {} : { gated }),
  };
  const directory = join(cacheDirectory, `own-${hash}`);
  const placed = () => isPlaced(directory, (found) => found.hash === hash && found.name === name && found.seed === seed);
  if (!placed()) placeSet(new Map([...contents, ['set.json', setJson(facts)]]), directory, placed, { isPrivate: gated === true });
  return directory;
}

function contentsOf(questions: readonly Question[]): SetContents {
  const files = new Map<string, Uint8Array>();
  const tasks = questions.map((question, index): Task => {
    const attachments = question.files.map((file, position) => {
      const name = `attachment-${position + 1}${extensionOf(file)}`;
      const path = `files/${index + 1}/${name}`;
      files.set(path, readFileSync(file));
      return { name, path };
    });
    const { id, type, level } = question;
    // Nobody knows which of these questions are alike, so each is a cluster of its own.
    return { id, type, level, question: question.question, attachments, template: id, width: 1, steps: 0 };
  });
  const targets = questions.flatMap(({ id, truth, scorer }): Target[] =>
    truth === undefined ? [] : [{ taskId: id, truth, ...(scorer === undefined || scorer === 'gaia' ? {} : { scorer }) }],
  );
  return new Map([['tasks.json', setJson(tasks)], ['warm-ups.json', setJson([])], ['targets.json', setJson(targets)], ['plans.json', setJson([])], ...files]);
}
