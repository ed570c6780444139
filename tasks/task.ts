// What is asked and what is right. The two never travel together: a Task has no target, and only the host loads targets.

/** Scorers that a question may name; what each does: own/scorers.ts. */
export const SCORER_NAMES = ['gaia', 'exact', 'words'] as const;
export type ScorerName = (typeof SCORER_NAMES)[number];

export type TaskType = 'zero-tool' | 'document' | 'web';
export const TASK_TYPES: readonly TaskType[] = ['zero-tool', 'document', 'web'];
export type Level = 1 | 2 | 3;

export interface Attachment {
  /** Neutral name that the agent sees, such as `attachment-1.pdf`. */
  readonly name: string;
  /** Where the built set keeps it, relative to the set's directory. */
  readonly path: string;
}

export interface Task {
  readonly id: string;
  readonly type: TaskType;
  readonly level: Level;
  readonly question: string;
  readonly attachments: readonly Attachment[];
  /** The template that wrote the question: tasks of one template are a cluster. */
  readonly template: string;
  /** Number of independent chains in the plan: 1, 2, 3 … */
  readonly width: number;
  /** Number of steps of the plan. */
  readonly steps: number;
}

export interface Target {
  readonly taskId: string;
  readonly truth: string;
  /** Absent: the official GAIA scorer. */
  readonly scorer?: ScorerName;
}

/** Natural voices that may speak the recordings of a set, once the user has brought them: gaia/documents/natural-voice.ts. */
export const VOICES = ['joe'] as const;
export type VoiceName = (typeof VOICES)[number];

/** Which set: open68, or one of n tasks in the same mix. A seed gives the world. */
export interface SetName {
  readonly kind: 'open68' | 'generated';
  readonly seed: number;
  /** How many tasks; 68 for open68. */
  readonly n: number;
  /** Who speaks its recordings. Absent: Flite, the same bytes on every machine. */
  readonly voice?: VoiceName;
}

/** A built set on disk. `tasks.json`, `targets.json`, `plans.json`, `files/`, `web/`; each reader opens only what it may see. */
export interface TaskSetFacts {
  /** `open68`, `open68:voice=joe`, … */
  readonly name: string;
  readonly seed: number;
  /** Hash over tasks, targets, plans, files and pages. */
  readonly hash: string;
  readonly tasks: number;
  readonly pages: number;
  /** Version of the generator: a change of any byte raises it. */
  readonly generator: number;
  /** Questions and truths that may not be passed on: redaction is on. */
  readonly gated?: true;
}

/** `open68` of `open68:voice=joe`: what its questions are, whoever speaks its recordings. */
export function kindOf({ name }: TaskSetFacts): string {
  return name.split(':')[0] as string;
}
