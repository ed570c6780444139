// A page before it is HTML: heading, facts, tables and prose as data. Templates ask it where a value stands, and wrong copies are made from it,
// so that neither parses what was rendered.

export type Cell =
  | { readonly kind: 'number'; readonly value: number; readonly unit?: string }
  /** A number that is written without a thousands mark. */
  | { readonly kind: 'year'; readonly value: number }
  | { readonly kind: 'date'; readonly value: string }
  | { readonly kind: 'text'; readonly value: string }
  /** The name of something that has a page of its own; `pool` says what else could stand here. */
  | { readonly kind: 'entity'; readonly value: string; readonly url: string; readonly pool: PageKind };

export type PageKind =
  | 'town'
  | 'person'
  | 'firm'
  | 'museum'
  | 'ship'
  | 'lighthouse'
  | 'bridge'
  | 'book'
  | 'paper'
  | 'festival'
  | 'club'
  | 'season'
  | 'exhibition'
  | 'pdf'
  | 'article'
  | 'thread'
  | 'list'
  | 'site';

export interface Fact {
  readonly field: string;
  readonly cell: Cell;
}
export interface Table {
  readonly heading: string;
  readonly columns: readonly string[];
  /** The first cell of a row is its key. */
  readonly rows: readonly (readonly Cell[])[];
}
export interface Link {
  readonly text: string;
  readonly url: string;
}
export interface Site {
  readonly host: string;
  readonly name: string;
  readonly motto: string;
  /** Of old sites; UTF-8 elsewhere. */
  readonly charset?: 'windows-1252' | 'utf-16le';
}

export interface Page {
  readonly kind: PageKind;
  readonly site: Site;
  readonly path: string;
  /** What the page is about: its first-level heading. */
  readonly heading: string;
  readonly lead: string;
  readonly facts: readonly Fact[];
  readonly tables: readonly Table[];
  /** Prose that holds facts, told apart from filler. */
  readonly prose: readonly string[];
  readonly links: readonly Link[];
  /** Paragraphs of filler, before the dial. */
  readonly paragraphs: number;
  /** The rest of a list that is spread over pages. */
  readonly next?: string;
  /** Text that speaks to agents instead of readers, hidden from view. */
  readonly injection?: string;
  /** The server takes so long to answer. */
  readonly delayMs?: number;
  /** Stands above the lead: why this copy may be wrong. */
  readonly notice?: string;
}

export function urlOf(page: Pick<Page, 'site' | 'path'>): string {
  return `https://${page.site.host}${page.path}`;
}

/** No title is part of another: the site's name closes it, and copies say so before that. */
export function titleOf(page: Pick<Page, 'site' | 'heading'>): string {
  return `${page.heading} - ${page.site.name}`;
}

export const number = (value: number, unit?: string): Cell => (unit === undefined ? { kind: 'number', value } : { kind: 'number', value, unit });
export const year = (value: number): Cell => ({ kind: 'year', value });
export const date = (value: string): Cell => ({ kind: 'date', value });
export const text = (value: string): Cell => ({ kind: 'text', value });

/** A name as part of an address. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** `48,210`; decimals as they are. Not by locale, which may differ from host to host. */
export function grouped(value: number): string {
  const [whole, fraction] = String(value).split('.') as [string, string | undefined];
  const marked = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? marked : `${marked}.${fraction}`;
}
