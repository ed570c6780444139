// Kinds of fault from outside the repository (method M5.4): whoever tunes an engine, an adapter or this model has not seen them. A folder holds `faults.ts`
// (or .js, .mjs) whose export `faults` is a list of these. Not for kinds of our own: those stand in rates.ts.
import { pathToFileURL } from 'node:url';
import { messageOf, UsageError } from '../base/error.ts';
import { heldOutFile } from '../tasks/held-out-folder.ts';
import type { AssistantMessage } from './reply-source.ts';

export interface HeldOutFault {
  /** Letters, digits and dashes; results show it as `own:NAME`. */
  readonly name: string;
  /** Where it can happen: at the call of a plan step, or where an answer (or a subtask's findings) is given. */
  readonly at: 'call' | 'answer';
  /** How often, each ask, in [0, 1]. */
  readonly rate: number;
  /**
   * What the model says in place of what it would have said.
   * @param draw in [0, 1), seeded: chooses among forms, so that a run can be repeated
   */
  readonly spoil: (right: AssistantMessage, draw: number) => AssistantMessage;
}

/** @returns an empty list for a folder that holds templates alone. @throws UsageError HELD_OUT_MISSING, HELD_OUT_INVALID */
export async function loadHeldOutFaults(folder: string): Promise<readonly HeldOutFault[]> {
  const file = heldOutFile(folder, 'faults');
  if (file === undefined) return [];
  let faults: unknown;
  try {
    faults = ((await import(pathToFileURL(file).href)) as { faults?: unknown }).faults;
  } catch (cause) {
    throw new UsageError('HELD_OUT_INVALID', `${file} cannot be loaded: ${messageOf(cause)}`, { cause, remedy: 'It is imported as it stands by Node.' });
  }
  if (!Array.isArray(faults)) throw new UsageError('HELD_OUT_INVALID', `${file} exports no list named faults`, { remedy: REMEDY });
  const problem = faults.map((fault, at) => problemOf(fault, at)).find((found) => found !== undefined);
  if (problem !== undefined) throw new UsageError('HELD_OUT_INVALID', `${file}: ${problem}`, { remedy: REMEDY });
  const names = (faults as readonly HeldOutFault[]).map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new UsageError('HELD_OUT_INVALID', `${file}: two faults are named ${twice}`, { remedy: REMEDY });
  return faults as readonly HeldOutFault[];
}

const REMEDY = 'Each fault is { name, at: "call" | "answer", rate, spoil(right, draw) }, as in examples/held-out/faults.ts.';

function problemOf(fault: unknown, at: number): string | undefined {
  const { name, at: place, rate, spoil } = (typeof fault === 'object' && fault !== null ? fault : {}) as Partial<Record<keyof HeldOutFault, unknown>>;
  const where = `faults[${at}]`;
  if (typeof name !== 'string' || !/^[a-z0-9][a-z0-9-]{0,39}$/.test(name)) return `${where}.name is ${JSON.stringify(name)}, not letters, digits and dashes`;
  if (place !== 'call' && place !== 'answer') return `${where}.at is ${JSON.stringify(place)}, not "call" or "answer"`;
  if (typeof rate !== 'number' || !(rate >= 0 && rate <= 1)) return `${where}.rate is ${JSON.stringify(rate)}, not a number from 0 to 1`;
  return typeof spoil === 'function' ? undefined : `${where}.spoil is no function`;
}
