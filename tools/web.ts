// The offline web of a task set, as the two web tools see it: one search index over the pages, and one host that answers for all of their names.
import type { SearchHit } from '../tasks/search-index.ts';

export interface FetchedPage {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly title: string;
  /** Main text as Markdown; empty when there is none to show. */
  readonly text: string;
}

export interface Web {
  search(query: string): readonly SearchHit[] | Promise<readonly SearchHit[]>;
  /**
   * @param visited told each address of the live web that is asked for, redirects and refused ones included
   * @throws Finding when the address is no address or a place that is not fetched, the host is unknown or the exchange fails
   */
  fetch(url: string, visited?: (url: string) => void): Promise<FetchedPage>;
  close(): Promise<void>;
}
