// `agentgauge ablate dials`: the study once with every dial in its usual place, once for each dial turned, and once with the literal cap alone; then one table over them all.
import { join, relative } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { UsageError } from '../../base/error.ts';
import { buildDialsReport } from '../../reports/build-dials-report.ts';
import { loadRun } from '../../reports/load-run.ts';
import { renderTerminal } from '../../reports/render/terminal.ts';
import { writeReport } from '../../reports/write-report.ts';
import { cacheDirectory } from '../../runners/cache-directory.ts';
import { describePlan, expectedMs } from '../../runners/expectation.ts';
import { type PlanSpecInput, parsePlanSpec } from '../../runners/plan-spec.ts';
import { duration } from '../../runners/progress.ts';
import { type ResolvedPlan, resolvePlan } from '../../runners/resolved-plan.ts';
import { createRunDirectory } from '../../runners/run-directory.ts';
import { startStudy } from '../../runners/start-study.ts';
import { called } from '../called.ts';
import type { CommandCall, CommandIo } from '../command.ts';
import { progressOn } from '../progress-on.ts';
import { OPTION_WORDS, planOfOptions, text } from '../study-options.ts';

const LITERAL_CAP = 3;

/** Each alone, in the order of the table. */
const TURNS: readonly Partial<PlanSpecInput>[] = [
  {},
  { capLiteral: LITERAL_CAP },
  { enforce: 'ignored' },
  { toolErrors: 'text' },
  { broker: 'lenient' },
  { instruction: 'system' },
  { instruction: 'user' },
  { capLiteral: LITERAL_CAP, profile: 'clean' },
];

/** Options that say what this study turns itself. */
export const DIALS_FIXED = [
  'full',
  'cap-literal',
  'enforce',
  'tool-errors',
  'broker',
  'instruction',
  'resume',
  'record',
  'replay',
  'model',
  'base-url',
  'key-variable',
];

const kebab = (field: string) => field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** @returns the exit code */
export async function runDials(values: CommandCall['values'], io: CommandIo): Promise<number> {
  if (text(values, 'profile') === 'clean')
    throw new UsageError('BAD_OPTION', '--profile clean: without faults most dials turn nothing', {
      remedy: 'Take gpt-4o-mini or gpt-4o; the literal cap runs in clean too.',
    });
  const given = planOfOptions({ shape: 'single', settings: 'default', ...values });
  const baseDirectory = process.cwd();
  const plans: ResolvedPlan[] = [];
  for (const turn of TURNS) {
    const { rates: _, ...clean } = given;
    const basis = turn.profile === 'clean' ? clean : given;
    const name = ['dials', ...Object.entries(turn).flatMap(([field, value]) => [kebab(field), value])].join('-');
    const spec = parsePlanSpec({ ...basis, ...turn, name: name === 'dials' ? 'dials-usual' : name, coldStarts: 0, transcripts: false }, OPTION_WORDS);
    plans.push(await resolvePlan(spec, { baseDirectory, cacheDirectory: cacheDirectory() }));
  }
  const [usual] = plans as [ResolvedPlan];
  const words = `${plans.length} runs that differ in one dial each, about ${duration(plans.reduce((sum, plan) => sum + expectedMs(plan), 0))} in all. The first:\n${describePlan(usual)}\n`;
  if (values['dry-run'] === true) {
    io.out(words);
    return 0;
  }
  io.err(words);
  const parent = createRunDirectory(text(values, 'out') ?? 'runs', 'ablate-dials', systemClock.nowIso());
  const shown = relative(baseDirectory, parent) || parent;
  const directories: string[] = [];
  for (const plan of plans) {
    io.err(`${plan.spec.name}\n`);
    const progress = progressOn(io, plan.rows.length * plan.tasks.length * plan.spec.trials);
    const { directory, outcome } = await startStudy({ plan, baseDirectory, out: parent, progress, signal: io.signal });
    for (const { row, why } of outcome.unstartable) io.err(`${row} did not run: ${why}\n`);
    if (outcome.interrupted) {
      io.err(`\nStopped. What is finished is kept in ${shown}; a run goes on with:\n  ${called('reproduce', '--resume', join(shown, 'RUN'))}\n`);
      return 130;
    }
    directories.push(directory);
  }
  const runs = [];
  for (const directory of directories) runs.push(await loadRun(directory));
  const report = buildDialsReport(runs);
  const written = await writeReport(parent, report);
  io.out(`\n${renderTerminal(report, { columns: io.columns, colour: io.colour ?? io.terminal })}\n`);
  io.out(`Report: ${relative(baseDirectory, written)}/report.html. From the records again:\n  ${called('report', shown)}/*dials* --dials\n`);
  return runs.some(({ trials }) => trials.recorded === 0) ? 1 : 0;
}
