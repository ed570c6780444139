// What the first search of a plan is likely to show, told without a search engine: the entries of the pages whose headings fit the query best. A draft whose
// truth stands there by chance is drawn again; `tasks check` asks the real search afterwards.
import { valuesNeeded } from '../../formula.ts';
import type { SolutionPlan } from '../../plan.ts';
import type { Web } from './build-web.ts';
import { type Page, titleOf } from './page.ts';
import { cellText } from './render-page.ts';

export interface FirstLook {
  /** Whether the truth of this plan stands in what its first search would show, elsewhere than where it belongs. */
  shows(plan: SolutionPlan, truth: string): boolean;
}

/** The search shows eight; ranks are guessed, so a few more are looked at. */
const LOOKED_AT = 80;
const TITLE_WEIGHT = 3;

export function firstLook(web: Web): FirstLook {
  const texts: (string | undefined)[] = [];
  /** Pages by word, with how much it says there: a title counts as the search counts it. */
  const pagesWith = new Map<string, Map<number, number>>();
  const note = (word: string, page: number, weight: number) => {
    const holders = pagesWith.get(word) ?? new Map<number, number>();
    holders.set(page, (holders.get(page) ?? 0) + weight);
    pagesWith.set(word, holders);
  };
  web.pages.forEach((page, i) => {
    for (const word of new Set(wordsOf(titleOf(page)))) note(word, i, TITLE_WEIGHT);
    for (const word of new Set(namesOn(page).flatMap(wordsOf))) note(word, i, 1);
  });
  const textAt = (i: number) => {
    texts[i] ??= plainText(web.pages[i] as Page);
    return texts[i] as string;
  };
  const best = (query: string): number[] => {
    const scores = new Map<number, number>();
    for (const word of new Set(wordsOf(query))) {
      const holders = pagesWith.get(word) ?? new Map<number, number>();
      const weight = Math.log(1 + web.pages.length / (1 + holders.size));
      for (const [i, times] of holders) scores.set(i, (scores.get(i) ?? 0) + weight * times);
    }
    return [...scores]
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, LOOKED_AT)
      .map(([i]) => i);
  };
  return {
    shows: (plan, truth) => {
      const [first, second] = plan.steps;
      const query = first?.call?.tool === 'web_search' ? String(first.call.arguments['query']) : '';
      if (query === '') return false;
      const rightTitle = first?.reads[0]?.after[0]?.replace(/^\. /, '');
      const right = web.pages.find((page) => titleOf(page) === rightTitle);
      // What is asked of the page that the search is for stands there by right.
      const own =
        right && valuesNeeded(plan.answer).some((path) => path.startsWith(`${second?.id}.`)) ? new Set<Page>([right, ...web.copiesOf(right)]) : undefined;
      const wanted = new RegExp(`(?<![\\p{L}\\p{N}.])${truth.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}]|\\.\\d)`, 'u');
      return best(query).some((i) => !own?.has(web.pages[i] as Page) && wanted.test(textAt(i)));
    },
  };
}

function namesOn({ facts, tables }: Page): string[] {
  return [...facts.map(({ cell }) => cell), ...tables.flatMap(({ rows }) => rows.flat())].flatMap((cell) => (cell.kind === 'entity' ? [cell.value] : []));
}

function plainText({ heading, lead, facts, tables, prose }: Page): string {
  const cells = [...facts.map(({ cell }) => cell), ...tables.flatMap(({ rows }) => rows.flat())].map(cellText);
  return [heading, lead, ...cells, ...prose]
    .join(' ; ')
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3})/g, '');
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
