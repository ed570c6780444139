// Where values stand on pages, as reads of a plan: anchored on the fetched page's title, so that a copy's value is never taken for the right one.
import type { ChainDraft, DraftRead } from '../plan-draft.ts';
import type { Web } from './build-web.ts';
import { type Cell, type Page, titleOf, urlOf } from './page.ts';

export interface ReadingOptions {
  readonly label: string;
  /** Stands for the page's heading when that is itself read: `{{s2.author}}`. */
  readonly heading?: string;
}

/** A step that searches for a page. @returns the address of its URL */
export function search(chain: ChainDraft, page: Page, query: string, { label, heading }: ReadingOptions): string {
  const title = titleWith(page, heading);
  const arguments_ = { query: `${query} ${page.site.name}` };
  const secondTry = { tool: 'web_search', arguments: { query: `"${heading ?? page.heading}"` } };
  return chain.step({ tool: 'web_search', arguments: arguments_ }, { url: { label, after: [`. ${title}`], kind: 'url', value: urlOf(page) } }, { secondTry })
    .url;
}

/** A step that opens a page whose address was read. */
export function fetchPage<Name extends string>(
  chain: ChainDraft,
  url: string,
  reads: Readonly<Record<Name, DraftRead>>,
  options: { readonly associative?: true } = {},
): Record<Name, string> {
  return chain.step({ tool: 'web_fetch', arguments: { url: `{{${url}}}` } }, reads, options);
}

export interface Visit<Name extends string> {
  readonly page: Page;
  /** How the plan calls what the page is about: `the architect of …`. Without `ref` its name. */
  readonly about: string;
  /** Address of the value that names it, when an earlier page did. */
  readonly ref?: string;
  /** Fields to read, by the name of the value, each with a label. */
  readonly reads: Readonly<Record<Name, readonly [field: string, label: string]>>;
  readonly associative?: true;
}

/** Two steps: find the page of something, and read details there. */
export function visit<Name extends string>(chain: ChainDraft, web: Web, { page, about, ref, reads, associative }: Visit<Name>): Record<Name, string> {
  const heading = ref === undefined ? {} : { heading: `{{${ref}}}` };
  const url = search(chain, page, heading.heading ?? page.heading, { label: `address of the page on ${about} in ${page.site.name}`, ...heading });
  const names = Object.keys(reads) as Name[];
  const drafts = Object.fromEntries(names.map((name) => [name, factOf(web, page, reads[name][0], { label: reads[name][1], ...heading })])) as Record<
    Name,
    DraftRead
  >;
  return fetchPage(chain, url, drafts, associative ? { associative } : {});
}

/** The detail behind a field of the page's own table. */
export function factOf(web: Web, page: Page, field: string, { label, heading }: ReadingOptions): DraftRead {
  const find = (from: Page | undefined) => from?.facts.find((fact) => fact.field === field)?.cell;
  return draft(find(page), web.copiesOf(page).map(find), [`Title: ${titleWith(page, heading)}`, `| ${field} |`], label, `${page.heading}: ${field}`);
}

/** A cell of a table: row by its key, column by its name. */
export function cellOf(web: Web, page: Page, row: string, column: string, { label, heading }: ReadingOptions): DraftRead {
  const find = (from: Page | undefined): Cell | undefined => {
    const table = from?.tables[0];
    const index = table?.columns.indexOf(column) ?? -1;
    return table?.rows.find(([key]) => key && String(key.value) === row)?.[index];
  };
  const table = page.tables[0];
  const index = table?.columns.indexOf(column) ?? 0;
  const entityKey = table?.rows[0]?.[0]?.kind === 'entity';
  // A year stands alone between bars; a linked name has its address before the next bar.
  const anchors = entityKey ? [row, ...Array<string>(index).fill('|')] : [`| ${row} |`, ...Array<string>(index - 1).fill('|')];
  return draft(
    find(page),
    web.copiesOf(page).map(find),
    [`Title: ${titleWith(page, heading)}`, table?.columns.join(' | ') ?? '', ...anchors],
    label,
    `${page.heading}: ${row}, ${column}`,
  );
}

function draft(cell: Cell | undefined, wrongCells: readonly (Cell | undefined)[], after: readonly string[], label: string, place: string): DraftRead {
  if (!cell) throw new RangeError(`no such place on a page: ${place}`);
  const wrong = wrongCells.find((candidate) => candidate !== undefined && candidate.value !== cell.value)?.value;
  const base = { label, after, value: cell.value, ...(wrong === undefined ? {} : { wrong }) };
  switch (cell.kind) {
    case 'number':
    case 'year':
      return { ...base, kind: 'number' };
    case 'date':
      return { ...base, kind: 'date' };
    case 'text':
    case 'entity':
      return { ...base, kind: 'text', until: [']', '|', '\n'] };
    default:
      return cell satisfies never;
  }
}

function titleWith(page: Page, heading: string | undefined): string {
  return titleOf(heading === undefined ? page : { ...page, heading });
}
