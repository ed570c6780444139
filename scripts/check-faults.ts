// `npm run check:long -- faults`: the classifier of responses to faults against rows whose responses are known apart from it, on the faults that it was made
// with, on ten that were made afterwards, and on ten that were made after its rules for several calls of one turn. Prints the confusion matrix; a cell off its diagonal is a failure.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import type { Fault } from '../models/faults/fault.ts';
import { FAULTS } from '../models/faults/faults.ts';
import { BESIDE_FAULTS, LATER_FAULTS } from '../models/faults/later-faults.ts';
import { faultsFor, runFaults } from '../runners/faults.ts';
import { confusionLines, type Judged, mistakesIn } from '../runners/fixtures/confusion.ts';
import { BESIDE, LATER, TRUTH_ROWS, TRUTHS, truthOf } from '../runners/fixtures/fault-truths.ts';
import { createProgress } from '../runners/progress.ts';
import { resolveRows } from '../runners/rows.ts';
import { readTrials } from '../runners/run-directory.ts';

const PATIENCE_MS = 45_000;
const ALONE = faultsFor({ shape: 'single' }, FAULTS);

/** @returns what was shown. @throws Error naming every cell that is called otherwise than it is */
export async function checkFaults({ say }: { readonly say: (line: string) => void }): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), 'faults-'));
  try {
    const made = await judge(out, 'made with', { faults: ALONE, truths: TRUTHS }, say);
    const later = await judge(out, 'made after', { faults: LATER_FAULTS, truths: LATER }, say);
    const beside = await judge(out, 'made after, several calls in a turn', { faults: BESIDE_FAULTS, truths: BESIDE }, say);
    const mistakes = mistakesIn([...made, ...later, ...beside]);
    if (mistakes.length > 0) throw new Error(`the classifier is wrong in ${mistakes.length} cells: ${mistakes.join('; ')}`);
    const counts = `${made.length} cells of ${ALONE.length} faults, ${later.length} of ${LATER_FAULTS.length} later ones and ${beside.length} of ${BESIDE_FAULTS.length}`;
    return `${counts} of several calls in a turn, none called otherwise than it is`;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

interface Held {
  readonly faults: readonly Fault[];
  readonly truths: Readonly<Record<string, string>>;
}

async function judge(out: string, which: string, { faults, truths }: Held, say: (line: string) => void): Promise<Judged[]> {
  const rows = resolveRows(
    TRUTH_ROWS.map((framework) => ({ framework, shape: 'single', settings: 'default' })),
    process.cwd(),
  );
  const progress = createProgress({ total: rows.rows.length * faults.length, clock: systemClock, write: () => {}, terminal: false, columns: 80 });
  const { directory } = await runFaults({ rows, faults, patienceMs: PATIENCE_MS, out, progress, signal: new AbortController().signal });
  const judged = readTrials(directory).flatMap(({ framework, taskId, response }): Judged[] => {
    const truth = truthOf(taskId, framework, truths);
    return truth === undefined || response === undefined ? [] : [{ cell: `${framework} ${taskId}`, truth, found: response }];
  });
  if (judged.length !== rows.rows.length * faults.length) throw new Error(`${judged.length} cells were judged of ${rows.rows.length} × ${faults.length}`);
  say(`faults that it was ${which}:`);
  for (const line of confusionLines(judged)) say(line);
  return judged;
}
