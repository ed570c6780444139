// The caption that every table carries (method M9.4): model, profile, whether simulated, runs, trials, denominator, interval, what was left out and why, how many trials ended at the cap.
import type { LocalModelFacts, ManifestPlan } from '../../metrics/record.ts';
import type { RunSummary } from '../../metrics/summaries.ts';
import type { Excluded } from '../report.ts';
import type { TableInput } from './frame-table.ts';

export interface CaptionWords {
  readonly denominator: string;
  readonly interval: string;
}

export function captionOf(
  { manifest, summary }: Pick<TableInput, 'manifest' | 'summary'>,
  words: CaptionWords,
  facts: { readonly excluded: readonly Excluded[]; readonly cited: string | undefined },
): string {
  const { plan } = manifest;
  const sentences = [
    `${modelWords(plan)}.`,
    `1 run of ${seedWords(plan)} on ${manifest.taskSet.name}, ${trialWords(plan, summary)}.`,
    words.denominator,
    words.interval,
    `Left out: ${leftOutWords(facts.excluded)}.`,
    `${capWords(summary, plan)}.`,
  ];
  if (facts.cited !== undefined) sentences.push(`"paper": ${facts.cited}; other model and other tasks, so no verdict on the value.`);
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

export function modelWords(plan: ManifestPlan): string {
  const profile = profileWords(plan);
  if (plan.modelKind === 'simulated') return `Simulated model ${plan.model}${profile}: simulated, so nothing here is a measurement of a real model`;
  if (plan.modelKind === 'scripted') return `Scripted model${profile}: fixed replies, no model at all`;
  if (plan.localModel !== undefined) return `Model ${plan.model}, ${localWords(plan.localModel)}: a real model on this machine`;
  return `Model ${plan.model}${profile}`;
}

function localWords({ quantisation, threads, contextTokens }: LocalModelFacts): string {
  const words = [quantisation, `${threads} ${plural(threads, 'thread')}`, `a context of ${contextTokens} tokens`];
  return words.filter((word) => word !== undefined).join(', ');
}

/** The profile, and every dial of the model that is turned away from its usual place. */
export function profileWords({ profile, policy, rates, heldOut, capLiteral }: ManifestPlan): string {
  const dials = [
    policy && `policy ${policy}`,
    rates &&
      `rates ${Object.entries(rates)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')}`,
    heldOut && `faults from outside (${heldOut})`,
    capLiteral && `literal cap ${capLiteral}`,
  ].filter(Boolean);
  return [profile && `profile ${profile}`, ...dials]
    .filter(Boolean)
    .map((word) => `, ${word}`)
    .join('');
}

/** One seed, or the two that stand in its place. */
export function seedWords({ seed, taskSeed = seed, faultSeed = seed }: ManifestPlan): string {
  return taskSeed === seed && faultSeed === seed ? `seed ${seed}` : `seed ${seed} (world ${taskSeed}, faults ${faultSeed})`;
}

function trialWords(plan: ManifestPlan, summary: RunSummary): string {
  const product = `${plan.rows.length} ${plural(plan.rows.length, 'row')} × ${plan.tasks.length} ${plural(plan.tasks.length, 'task')} × ${plan.trials}`;
  const missing = summary.planned - summary.recorded;
  const unfinished = missing > 0 ? `; UNFINISHED: ${missing} planned ${plural(missing, 'trial')} left no record and count as not correct` : '';
  return `${summary.recorded} of ${summary.planned} planned trials (${product})${unfinished}`;
}

function leftOutWords(excluded: readonly Excluded[]): string {
  return excluded.length === 0 ? 'nothing' : excluded.map(({ why, n }) => `${n} ${why}`).join('; ');
}

function capWords(summary: RunSummary, plan: ManifestPlan): string {
  const atCap = summary.rows.reduce((sum, { rates }) => sum + rates.atCap, 0);
  const literal = plan.capLiteral === undefined ? '' : `the literal cap of ${plan.capLiteral}, `;
  return `${atCap} ${plural(atCap, 'trial')} ended at ${literal}the cap of ${plan.cap} model calls or in a forced answer`;
}

export function plural(n: number, word: string): string {
  return n === 1 ? word : `${word}s`;
}

export const WILSON = 'Interval: 95 % Wilson over the tasks of one run of one seed, and nothing more.';
export const MEDIAN_INTERVAL = 'Interval of a median: 95 % order statistics, over blocks where there are six; none below n 6.';
export const MEAN_INTERVAL = 'Interval of a mean: 95 % Student t over the trials of this run; none below n 2.';
