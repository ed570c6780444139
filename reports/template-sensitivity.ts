// How a difference over seeds moves when one question template is left out (method M9.1): one that rests on a single template is a fact about that template.
import type { Rates } from '../metrics/summary.ts';
import type { SeedRow } from './seed-groups.ts';

export interface WithoutTemplate {
  readonly template: string;
  /** Points of the one over the other, the mean over seeds. */
  readonly points: number;
}

/** @returns the smallest and the largest; `undefined` where there is no template to leave out */
export function withoutOneTemplate(
  one: SeedRow,
  other: SeedRow,
  read: (rates: Rates) => number | undefined,
): { readonly least: WithoutTemplate; readonly most: WithoutTemplate } | undefined {
  const templates = [...new Set([...one.templates.values()].flatMap((ofSeed) => [...ofSeed.keys()]))].sort();
  const left = templates.flatMap((template): WithoutTemplate[] => {
    const differences = [...one.seeds.keys()].flatMap((seed) => {
      const [here, beside] = [one, other].map((row) => rateWithout(row, seed, template, read));
      return here === undefined || beside === undefined ? [] : [here - beside];
    });
    return differences.length === 0 ? [] : [{ template, points: differences.reduce((sum, each) => sum + each, 0) / differences.length }];
  });
  const [least] = left.toSorted((a, b) => a.points - b.points);
  const [most] = left.toSorted((a, b) => b.points - a.points);
  return least === undefined || most === undefined ? undefined : { least, most };
}

/** Percent of the planned trials of all other templates. */
function rateWithout({ seeds, templates }: SeedRow, seed: string, template: string, read: (rates: Rates) => number | undefined): number | undefined {
  const all = seeds.get(seed)?.rates;
  const whole = all && read(all);
  if (all === undefined || whole === undefined) return undefined;
  const part = templates.get(seed)?.get(template);
  // A set of another seed may have no task of it.
  if (part === undefined) return whole;
  const rest = all.planned - part.planned;
  return rest === 0 ? undefined : (whole * all.planned - (read(part) ?? 0) * part.planned) / rest;
}
