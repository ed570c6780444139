// How good the offline search of a plan is, where it is not as good as can be. One place for both forms: the plan's fields and the broker's dials.
import type { SearchDials } from '../tasks/search-index.ts';

export interface SearchFields {
  readonly searchRecall?: number | undefined;
  readonly searchNoise?: number | undefined;
}

/** Fields that do not stand where they usually do (1 and 0): those that belong into a manifest. */
export function turnedSearch({ searchRecall = 1, searchNoise = 0 }: SearchFields): { readonly searchRecall?: number; readonly searchNoise?: number } {
  return { ...(searchRecall === 1 ? {} : { searchRecall }), ...(searchNoise === 0 ? {} : { searchNoise }) };
}

export function searchDials({ searchRecall = 1, searchNoise = 0 }: SearchFields): SearchDials {
  return { recall: searchRecall, noise: searchNoise };
}

/** A set of questions about the real world has no pages of its own, so the dials would turn nothing. */
export function searchProblem({
  tasks,
  searchRecall,
  searchNoise,
}: SearchFields & { readonly tasks: string }): { path: string[]; message: string } | undefined {
  if (!/^(?:gaia|jsonl):/.test(tasks)) return undefined;
  const field = searchRecall !== undefined ? 'searchRecall' : searchNoise !== undefined ? 'searchNoise' : undefined;
  return field === undefined ? undefined : { path: [field], message: `turns the offline search, and ${tasks} has none` };
}
