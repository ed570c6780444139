// A question that came from somewhere else than our generator: the user's own, or the official data. What the readers of both give, before it becomes a task.
import type { Level, ScorerName, TaskType } from '../task.ts';

export interface Question {
  /** As its source calls it: the id of an export, or the number of a line. */
  readonly id: string;
  readonly question: string;
  readonly type: TaskType;
  readonly level: Level;
  /** Absent where the source keeps it to itself: such a question is asked and never scored here. */
  readonly truth?: string;
  readonly scorer?: ScorerName;
  /** Absolute paths; each is known to exist. */
  readonly files: readonly string[];
  /** Where the question stands, for error messages: `questions.jsonl, line 3`. */
  readonly place: string;
}
