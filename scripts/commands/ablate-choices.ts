// `agentgauge ablate choices`: the study over many seeds, then over some with each of our own choices turned; one report over all says which differences stand (method M9.1).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { UsageError } from '../../base/error.ts';
import type { Manifest } from '../../metrics/record.ts';
import { buildSeedsReport } from '../../reports/build-seeds-report.ts';
import { loadRun } from '../../reports/load-run.ts';
import { renderTerminal } from '../../reports/render/terminal.ts';
import { seedRunOf } from '../../reports/seed-groups.ts';
import { writeReport } from '../../reports/write-report.ts';
import { cacheDirectory } from '../../runners/cache-directory.ts';
import { describePlan, expectedMs } from '../../runners/expectation.ts';
import { type PlanSpecInput, parsePlanSpec } from '../../runners/plan-spec.ts';
import { duration } from '../../runners/progress.ts';
import { resolvePlan } from '../../runners/resolved-plan.ts';
import { createRunDirectory, readTrials } from '../../runners/run-directory.ts';
import { startStudy } from '../../runners/start-study.ts';
import { called } from '../called.ts';
import { CHOICES } from '../choices.ts';
import type { CommandCall, CommandIo, OptionSpec } from '../command.ts';
import { progressOn } from '../progress-on.ts';
import { OPTION_WORDS, planOfOptions, text } from '../study-options.ts';

const SEEDS = 20;
const CHOICE_SEEDS = 5;

export const CHOICES_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  seeds: { type: 'string', value: 'N', help: 'of ablate choices: seeds 1 to N with nothing turned', fallback: String(SEEDS) },
  'choice-seeds': { type: 'string', value: 'N', help: 'of ablate choices: seeds 1 to N with each choice turned; 0 turns none', fallback: String(CHOICE_SEEDS) },
};

/** Options that say what this study sets itself. */
export const CHOICES_FIXED = [
  ...['full', 'seed', 'task-seed', 'fault-seed', 'profile', 'policy', 'rates', 'enforce', 'tool-errors', 'broker', 'instruction', 'cap-literal'],
  ...['search-recall', 'search-noise', 'record', 'replay', 'model', 'base-url', 'key-variable'],
];

/** @returns the exit code */
export async function runChoices(values: CommandCall['values'], io: CommandIo): Promise<number> {
  const seeds = countOf(values, 'seeds', SEEDS, 1);
  const choiceSeeds = countOf(values, 'choice-seeds', CHOICE_SEEDS, 0);
  const given = planOfOptions({ shape: 'single', settings: 'default', ...values });
  const specs = [
    ...seedsTo(seeds).map((seed): PlanSpecInput => ({ ...given, name: 'usual', seed })),
    ...seedsTo(choiceSeeds).flatMap((seed) => CHOICES.map(({ name, plan }): PlanSpecInput => ({ ...given, ...plan, name: `choice-${name}`, seed }))),
  ];
  const baseDirectory = process.cwd();
  const resolve = (spec: PlanSpecInput) =>
    // Of seed 1 what was said is kept, so that a trial behind a figure can be read.
    resolvePlan(parsePlanSpec({ ...spec, coldStarts: 0, transcripts: spec.seed === 1 && spec.name === 'usual' && spec.transcripts !== false }, OPTION_WORDS), {
      baseDirectory,
      cacheDirectory: cacheDirectory(),
    });
  const first = await resolve(specs[0] as PlanSpecInput);
  const words = `${seeds} seeds, and ${choiceSeeds} with each of ${CHOICES.length} choices turned: ${specs.length} runs, about ${duration(specs.length * expectedMs(first))} in all. The first:\n${describePlan(first)}\n`;
  if (values['dry-run'] === true) {
    io.out(words);
    return 0;
  }
  io.err(words);
  const parent = text(values, 'resume') ?? createRunDirectory(text(values, 'out') ?? 'runs', 'ablate-choices', systemClock.nowIso());
  const shown = relative(baseDirectory, parent) || parent;
  const kept = runsIn(parent);
  const directories: string[] = [];
  for (const [index, spec] of specs.entries()) {
    const plan = await resolve(spec);
    const planned = plan.rows.length * plan.tasks.length * plan.spec.trials;
    const before = kept.get(plan.hash);
    if (before !== undefined && readTrials(before).length >= planned) {
      directories.push(before);
      continue;
    }
    io.err(`${index + 1} of ${specs.length}: ${spec.name}, seed ${plan.spec.seed}\n`);
    const { directory, outcome } = await startStudy({
      plan,
      baseDirectory,
      out: parent,
      ...(before === undefined ? {} : { resume: before }),
      progress: progressOn(io, planned),
      signal: io.signal,
    });
    for (const { row, why } of outcome.unstartable) io.err(`${row} did not run: ${why}\n`);
    if (outcome.interrupted) {
      io.err(`\nStopped. What is finished is kept. To go on, the same options with:\n  ${called('ablate', 'choices', '--resume', shown)}\n`);
      return 130;
    }
    directories.push(directory);
  }
  const runs = [];
  for (const directory of directories) runs.push(seedRunOf(relative(baseDirectory, directory) || directory, await loadRun(directory)));
  const report = buildSeedsReport(runs, true);
  const written = await writeReport(parent, report);
  io.out(`\n${renderTerminal(report, { columns: io.columns, colour: io.colour ?? io.terminal })}\n`);
  io.out(`Report: ${relative(baseDirectory, written)}/report.html. From the records again:\n  ${called('report', shown)}/2* --choices\n`);
  return 0;
}

function seedsTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

function countOf(values: CommandCall['values'], name: string, fallback: number, least: number): number {
  const given = text(values, name) ?? String(fallback);
  const count = Number(given);
  if (!/^\d{1,3}$/.test(given) || count < least)
    throw new UsageError('BAD_OPTION', `--${name} is ${JSON.stringify(given)}, not a number from ${least} to 999`, {
      remedy: 'Sentences want 20 seeds; five show a choice.',
    });
  return count;
}

/** Runs of an earlier call, by the hash of their plan. */
function runsIn(parent: string): ReadonlyMap<string, string> {
  if (!existsSync(parent)) throw new UsageError('NO_RUN', `there is no folder ${parent}`, { remedy: 'Leave out --resume to begin.' });
  const manifests = readdirSync(parent)
    .map((name) => join(parent, name))
    .filter((directory) => existsSync(join(directory, 'manifest.json')));
  return new Map(manifests.map((directory) => [(JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')) as Manifest).planHash, directory]));
}
