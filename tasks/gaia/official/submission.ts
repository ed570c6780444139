// The leaderboard's file: one JSON object a line with `task_id` and `model_answer`. Its server refuses unknown ids and files that lack a question, so both are
// checked here first. Rules: app.py of the Space gaia-benchmark/leaderboard.
import { UsageError } from '../../../base/error.ts';
import type { Level } from '../../task.ts';
import type { Split } from './read-official.ts';

/** How many questions each split has by level, as the leaderboard counts them. */
export const OFFICIAL_COUNTS: Readonly<Record<Split, Readonly<Record<Level, number>>>> = {
  validation: { 1: 53, 2: 86, 3: 26 },
  test: { 1: 93, 2: 159, 3: 49 },
};

export interface SubmissionInput {
  readonly split: Split;
  /** The questions of the run. */
  readonly tasks: readonly { readonly id: string; readonly level: Level }[];
  /** Answers by task id; a trial without one is absent. */
  readonly answers: ReadonlyMap<string, string>;
  /** Write an empty answer where there is none, which counts as wrong. */
  readonly fillMissing: boolean;
}

/** @throws UsageError SUBMISSION_PARTIAL or SUBMISSION_INCOMPLETE, saying what the server would refuse */
export function submissionLines({ split, tasks, answers, fillMissing }: SubmissionInput): string[] {
  for (const level of [1, 2, 3] as const) {
    const found = tasks.filter((task) => task.level === level).length;
    const wanted = OFFICIAL_COUNTS[split][level];
    if (found !== wanted)
      throw new UsageError(
        'SUBMISSION_PARTIAL',
        `the run has ${found} questions of level ${level}, and the split ${split} has ${wanted}: the leaderboard refuses parts`,
        {
          remedy: `Run the whole split: --tasks gaia:DIR --split ${split}, without --select, --ids or --task-types.`,
        },
      );
  }
  const missing = tasks.filter(({ id }) => !answers.has(id));
  if (missing.length > 0 && !fillMissing)
    throw new UsageError('SUBMISSION_INCOMPLETE', `${missing.length} of ${tasks.length} questions have no answer, the first ${missing[0]?.id}`, {
      remedy: 'Run them with --resume RUN, or hand them in empty with --fill-missing.',
    });
  return tasks.map(({ id }) => JSON.stringify({ task_id: id, model_answer: answers.get(id) ?? '' }));
}
