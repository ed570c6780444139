// What to do after a run: commands that mean something for it, each ready to be copied. Prints nothing itself.
import { rowId } from '../metrics/row-counts.ts';
import type { ResolvedPlan } from '../runners/resolved-plan.ts';
import { called } from './called.ts';
import type { CommandCall } from './command.ts';

type Step = readonly [command: string, why: string];

/** @param options those that made the plan, where a command line did. @returns whole lines, or nothing for a run without rows */
export function nextCommands(run: string, plan: ResolvedPlan, options: CommandCall['values'] | undefined): string {
  const steps = stepsAfter(run, plan, options);
  // Each command stands alone on its line: it is long, and copied whole.
  return steps.length === 0 ? '' : `Next:\n${steps.map(([command, why]) => `  ${why}\n    ${command}\n`).join('')}`;
}

function stepsAfter(run: string, { rows: [first], manifest, modelKind, taskSet, spec }: ResolvedPlan, options: CommandCall['values'] | undefined): Step[] {
  if (first === undefined) return [];
  if (manifest.conditions !== undefined)
    return [
      [called('report', run, '--rates', 'empty-reply=0.4,unknown-tool=1'), 'the estimate for rates of your own, in percent an ask'],
      [called('report', run, '--format', 'json'), 'every response as a number'],
    ];
  const cell = first.configuration === undefined ? `table1:${rowId(first)}:accuracyPercent` : `table3:${rowId(first)}:implied gpt-4o-mini`;
  const steps: Step[] = [[called('report', run, '--explain', cell), 'which trials stand behind a cell']];
  if (taskSet.gated === true) {
    steps.push([called('report', run, '--jackknife', '1000'), 'how far the rows move under other selections of the questions']);
    steps.push([called('export', 'submission', run), "the answers as the leaderboard's file"]);
  }
  if (options === undefined || first.configuration !== undefined || spec.replay !== undefined) return steps;
  // One cassette belongs to one run.
  const again = (changed: CommandCall['values']) => called('reproduce', ...optionWords({ ...options, record: undefined, ...changed }));
  if (modelKind === 'simulated') {
    if (spec.profile !== 'clean') steps.push([again({ profile: 'clean' }), 'what each framework can do when the model makes no mistake']);
    steps.push([again({ seed: String(spec.seed + 1) }), 'another world, other faults: does the order hold?']);
  } else if (spec.trials === 1) steps.push([again({ trials: '3' }), 'each question three times: does the order hold?']);
  return steps;
}

function optionWords(values: CommandCall['values']): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [`--${name}`] : [`--${name}`, value];
  });
}
