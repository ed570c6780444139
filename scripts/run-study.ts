// What `reproduce` and `run` have in common: say what will run and how long, run it, write the report, print headline and tables, and name the next commands.
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { GaugeError } from '../base/error.ts';
import { buildReport } from '../reports/build-report.ts';
import { loadRun } from '../reports/load-run.ts';
import { renderTerminal } from '../reports/render/terminal.ts';
import type { Report } from '../reports/report.ts';
import { screenReport } from '../reports/screen-report.ts';
import { writeReport } from '../reports/write-report.ts';
import { cacheDirectory } from '../runners/cache-directory.ts';
import { describePlan } from '../runners/expectation.ts';
import { type PlanWords, parsePlanSpec } from '../runners/plan-spec.ts';
import { duration } from '../runners/progress.ts';
import { type ResolvedPlan, resolvePlan } from '../runners/resolved-plan.ts';
import { readTrials } from '../runners/run-directory.ts';
import { checkStart, specOfRun, startStudy, unfinishedRuns } from '../runners/start-study.ts';
import { called } from './called.ts';
import type { CommandCall, CommandIo } from './command.ts';
import { nextCommands } from './next-commands.ts';
import { progressOn } from './progress-on.ts';
import { timeInTrials } from './time-in-trials.ts';
import { wrapped } from './wrapped.ts';

export interface StudyCommand {
  /** The plan as written; ignored on resume, which has its own. */
  readonly spec: unknown;
  /** How the plan is called in error messages. */
  readonly source: string | PlanWords;
  readonly baseDirectory: string;
  readonly out: string;
  readonly resume?: string;
  readonly dryRun: boolean;
  /** The options that made the plan, for commands that vary it; left out, there is no such command. */
  readonly options?: CommandCall['values'];
}

/** @returns the exit code. Trials that failed are results, not failures of the command. */
export async function runStudyCommand(command: StudyCommand, io: CommandIo): Promise<number> {
  const resumed = command.resume === undefined ? undefined : specOfRun(command.resume);
  const spec = resumed?.spec ?? parsePlanSpec(command.spec, command.source);
  const baseDirectory = resumed?.baseDirectory ?? command.baseDirectory;
  const plan = await resolvePlan(spec, { baseDirectory, cacheDirectory: cacheDirectory() });
  if (command.dryRun) {
    io.out(planText(plan, io.columns));
    if (command.resume === undefined) checkStart(plan, baseDirectory);
    return 0;
  }
  io.err(planText(plan, io.errColumns ?? io.columns));
  if (command.resume === undefined) hintAtUnfinished(command.out, plan, io);
  const startedMs = systemClock.nowMs();
  const progress = progressOn(io, plan.rows.length * plan.tasks.length * plan.spec.trials);
  let kept: string | undefined;
  const { directory, outcome } = await startStudy({
    onDirectory: (path) => {
      kept = path;
    },
    plan,
    baseDirectory,
    out: command.out,
    ...(command.resume === undefined ? {} : { resume: command.resume }),
    progress,
    signal: io.signal,
  }).catch((error: unknown) => {
    // The last line may be half-written, so it is not read.
    if (kept !== undefined && statSync(join(kept, 'trials.jsonl'), { throwIfNoEntry: false })?.size)
      io.err(`What is finished is kept. To go on later:\n  ${called('reproduce', '--resume', relative(process.cwd(), kept) || kept)}\n`);
    throw error;
  });
  const shown = relative(process.cwd(), directory) || directory;
  if (outcome.interrupted) {
    io.err(`\nStopped. ${outcome.recorded} of ${outcome.planned} trials are kept in ${shown}. To go on:\n  ${called('reproduce', '--resume', shown)}\n`);
    return 130;
  }
  const report = buildReport(await loadRun(directory));
  const reportDirectory = await writeReport(directory, report);
  const screen = screenReport(report);
  io.out(`\n${renderTerminal(screen, { columns: io.columns, colour: io.colour ?? io.terminal })}\n`);
  io.out(`${outcome.recorded} of ${outcome.planned} trials in ${duration(systemClock.nowMs() - startedMs)}${notCompleted(directory)}.\n`);
  const inTrials = timeInTrials(readTrials(directory));
  if (inTrials !== undefined) io.out(`${wrapped(inTrials, io.columns).join('\n')}\n`);
  io.out(`${whatToRead(screen, join(relative(process.cwd(), reportDirectory), 'report.html'))}\n\n`);
  io.out(nextCommands(shown, plan, command.options));
  for (const { row, why } of outcome.unstartable) io.err(`${row} did not run: ${why}\n`);
  if (plan.modelKind !== 'simulated' && outcome.recorded > 0 && !hasAnswer(directory))
    throw new GaugeError('NOTHING_MEASURED', `the model answered no request in any of ${outcome.recorded} trials`, {
      remedy: `The last failure of a call: ${lastFailure(directory) ?? 'unknown'}.`,
    });
  return outcome.recorded === 0 || outcome.unstartable.length > 0 ? 1 : 0;
}

function planText(plan: ResolvedPlan, columns: number): string {
  const lines = describePlan(plan).split('\n');
  return lines
    .flatMap((line) => wrapped(line, columns, '  '))
    .map((line) => `${line}\n`)
    .join('');
}

/** What to look at first, and where the rest stands. */
function whatToRead({ tables: { glance } }: Report, page: string): string {
  const above = glance === undefined ? 'the sentences above' : `the sentences above, and "${glance.title}" before them`;
  return `Read first ${above}; then in a browser, with pictures and every table:\n  ${page}   (as text: report.md)`;
}

/** Whether any model call got through: else the tables rest on nothing, and the command has not done its work. */
function hasAnswer(directory: string): boolean {
  return readTrials(directory).some(({ calls }) => calls.some(([, , , , status]) => status === 200));
}

function lastFailure(directory: string): string | undefined {
  return readTrials(directory).findLast(({ failure }) => failure !== undefined)?.failure?.message;
}

/** Trials that failed are results: their number is said, and the exit code stays 0. */
function notCompleted(directory: string): string {
  const outcomes = readTrials(directory).filter(({ outcome }) => outcome !== 'completed');
  return outcomes.length === 0 ? '' : `, ${outcomes.length} of them not completed`;
}

function hintAtUnfinished(out: string, plan: ResolvedPlan, io: CommandIo): void {
  const [newest] = unfinishedRuns(out, plan);
  if (newest !== undefined)
    io.err(
      `An unfinished run of this plan lies in ${newest}. To go on with it instead:\n  ${called('reproduce', '--resume', relative(process.cwd(), newest) || newest)}\n`,
    );
}
