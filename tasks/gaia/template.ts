// What a template is: one function that writes a task from the world. `compose.ts` says how many tasks each writes.
import type { Random } from '../../base/random.ts';
import type { SolutionPlan } from '../plan.ts';
import type { TaskType } from '../task.ts';
import type { Speaker } from './documents/speech-synthesis.ts';
import type { Web } from './web/build-web.ts';
import type { World } from './world/world.ts';

export interface Setting {
  readonly world: World;
  readonly web: Web;
  /** Differs from task to task, and from attempt to attempt. */
  readonly random: Random;
  /** Which of the template's tasks this is, from 0: each has wording of its own. */
  readonly turn: number;
  /** Who speaks recordings. @default Flite */
  readonly speaker?: Speaker | undefined;
}

export interface TaskDraft {
  readonly question: string;
  readonly truth: string;
  readonly plan: SolutionPlan;
  readonly attachments?: readonly AttachedFile[];
}

export interface AttachedFile {
  /** `pdf`, `xlsx`: the agent sees `attachment-1.pdf`. */
  readonly extension: string;
  readonly bytes: Uint8Array;
}

export interface Template {
  readonly name: string;
  readonly type: TaskType;
  /** How many wordings it has, all of one level: a large set takes turns among them. Left out, only those that open68 draws are known. */
  readonly turns?: number;
  /** `undefined`: nothing suitable among what was drawn; another attempt is made. */
  write(setting: Setting): TaskDraft | undefined | Promise<TaskDraft | undefined>;
}

/** The wording for this task. Each is used once, so a template has one more than it writes tasks when it writes a warm-up too. */
export function worded(turn: number, ...wordings: readonly string[]): string {
  const wording = wordings[turn];
  if (wording === undefined) throw new RangeError(`there are ${wordings.length} wordings, and number ${turn + 1} is asked for`);
  return wording;
}

/** So many different ones. */
export function distinct<T>(random: Random, from: readonly T[], count: number): T[] {
  const picked = random.shuffle(from).slice(0, count);
  if (picked.length < count) throw new RangeError(`${count} different ones are needed, and there are ${from.length}`);
  return picked;
}
