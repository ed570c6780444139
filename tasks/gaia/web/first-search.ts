// What the first search of a plan shows, asked of the very search that the tools offer. first-look.ts guesses it at no cost and catches most; this one is sure,
// and says the last word on a draft.
import type { SolutionPlan } from '../../plan.ts';
import { indexPages } from '../../search-index.ts';
import { givesAway } from '../check-questions.ts';
import type { World } from '../world/world.ts';
import type { StoredPage } from './render-page.ts';
import { seenPages } from './stored-pages.ts';

export interface FirstSearch {
  /** Whether the truth stands in a title or snippet of it. False for a plan that does not begin with a search. */
  shows(plan: SolutionPlan, truth: string): boolean;
  close(): void;
}

export async function openFirstSearch(pages: readonly StoredPage[], world: World): Promise<FirstSearch> {
  const index = await indexPages(seenPages(pages, world));
  return {
    shows: ({ steps: [first] }, truth) => {
      if (first?.call?.tool !== 'web_search') return false;
      const hits = index.search(String(first.call.arguments['query']));
      return givesAway(hits.map(({ title, snippet }) => `${title}\n${withoutAddresses(snippet)}`).join('\n'), truth, 'whole');
    },
    close: () => index.close(),
  };
}

function withoutAddresses(text: string): string {
  return text.replace(/https?:\/\/\S+/g, '');
}
