// The list of checksums of generated sets: what every machine must write for these seeds. `tasks check` holds a listed set against it, so that a check on
// another processor shows that its bytes are the same. A change of bytes raises GENERATOR_VERSION, and makes the list anew.
import { readFileSync } from 'node:fs';
import type { TaskSetFacts } from '../task.ts';
import type { SetProblem } from './check-questions.ts';

export interface Checksums {
  /** The GENERATOR_VERSION that wrote these sets. */
  readonly generator: number;
  /** Hashes by the set's name as a user types it. */
  readonly sets: Readonly<Record<string, string>>;
}

let loaded: Checksums | undefined;

export function checksums(): Checksums {
  loaded ??= JSON.parse(readFileSync(new URL('./checksums.json', import.meta.url), 'utf8')) as Checksums;
  return loaded;
}

/** @returns nothing for a set that is not listed, or of another generator */
export function checkChecksum({ name, seed, tasks, generator, hash }: TaskSetFacts, { generator: listed, sets } = checksums()): SetProblem[] {
  const wanted = generator === listed ? sets[name === 'generated' ? `generated:seed=${seed},n=${tasks}` : `${name}:seed=${seed}`] : undefined;
  if (wanted === undefined || wanted === hash) return [];
  return [{ code: 'checksum', message: `its hash is ${hash}, and ${wanted} is listed: it was not written byte for byte as elsewhere` }];
}
