// The main text of an HTML page as Markdown: headings, paragraphs, lists, tables as `| a | b |` rows, links with absolute addresses. Navigation, notices,
// adverts and scripts are left out by what the page says of itself. Own walk instead of a readability library: those tried took 25 ms a page
// (this one 1 to 2 ms) and dropped lists of links, which tasks follow from page to page.

import { isSkipped } from './html-clutter.ts';
import { tableRows } from './html-table.ts';
import { loadPackage } from './tool-error.ts';

export interface MainText {
  readonly title: string;
  readonly text: string;
}

/** @param url of the page: links are made absolute against it */
export async function mainTextOf(html: string, url: string): Promise<MainText> {
  const { parseHTML } = await loadPackage('linkedom', () => import('linkedom'));
  const { document } = parseHTML(html);
  const body = document.querySelector('body') ?? document.documentElement;
  if (!body) return { title: '', text: '' };
  const whole = new Walk(url);
  const main = document.querySelector('main, [role=main]') ?? onlyOne(document.querySelectorAll('article'));
  const text = main ? new Walk(url).markdown(main) : '';
  const title = document.querySelector('title')?.textContent ?? document.querySelector('h1')?.textContent ?? '';
  return { title: collapse(title), text: text.length >= SHORTEST_MAIN ? text : whole.markdown(body) };
}

/** A `main` with less than this is an empty shell; the whole body is read then. */
const SHORTEST_MAIN = 40;

/** Deeper nesting is not the work of a writer, and would exhaust the stack. */
const MAX_DEPTH = 200;

const BLOCKS = new Set(
  'ADDRESS ARTICLE BLOCKQUOTE BODY CENTER DETAILS DIV DL DD DT FIELDSET FIGCAPTION FIGURE H1 H2 H3 H4 H5 H6 HEADER HGROUP HR HTML LI MAIN OL P PRE SECTION SUMMARY TABLE UL'.split(
    ' ',
  ),
);

class Walk {
  readonly #url: string;
  #depth = 0;

  constructor(url: string) {
    this.#url = url;
  }

  markdown(root: Element): string {
    return this.#blocks(root).join('\n\n').trim();
  }

  /** The blocks inside an element: runs of inline content are paragraphs. */
  #blocks(element: Node): string[] {
    if (this.#depth > MAX_DEPTH) return [];
    this.#depth++;
    const blocks: string[] = [];
    let run = '';
    const flush = () => {
      const text = tidy(run);
      if (text !== '') blocks.push(text);
      run = '';
    };
    for (const node of element.childNodes) {
      if (isElement(node) && isSkipped(node)) continue;
      if (isElement(node) && BLOCKS.has(node.tagName)) {
        flush();
        blocks.push(...this.#block(node));
      } else if (isElement(node) && holdsBlocks(node)) {
        // A link or span around blocks, as cards are built.
        flush();
        blocks.push(...this.#blocks(node));
      } else run += this.#inline(node);
    }
    flush();
    this.#depth--;
    return blocks;
  }

  #block(element: Element): string[] {
    switch (element.tagName) {
      case 'H1':
      case 'H2':
      case 'H3':
      case 'H4':
      case 'H5':
      case 'H6': {
        const text = collapse(this.#inlineChildren(element));
        return text === '' ? [] : [`${'#'.repeat(Number(element.tagName[1]))} ${text}`];
      }
      case 'UL':
      case 'OL':
        return [this.#list(element)].filter(Boolean);
      case 'DL':
        return [this.#definitions(element)].filter(Boolean);
      case 'TABLE':
        return this.#table(element);
      case 'PRE':
        return [`\`\`\`\n${(element.textContent ?? '').replace(/^\n|\s+$/g, '')}\n\`\`\``];
      case 'BLOCKQUOTE':
        return [this.#blocks(element).join('\n\n').replace(/^/gm, '> ')].filter((text) => text.trim() !== '>');
      case 'HR':
        return [];
      default:
        return this.#blocks(element);
    }
  }

  #list(list: Element): string {
    const ordered = list.tagName === 'OL';
    let number = Number(list.getAttribute('start') ?? 1);
    const lines: string[] = [];
    for (const entry of list.children) {
      if (entry.tagName !== 'LI' || isSkipped(entry)) continue;
      const mark = ordered ? `${number++}. ` : '- ';
      const text = this.#blocks(entry).join('\n');
      if (text !== '') lines.push(mark + text.replaceAll('\n', `\n${' '.repeat(mark.length)}`));
    }
    return lines.join('\n');
  }

  #definitions(list: Element): string {
    const lines: string[] = [];
    for (const entry of list.querySelectorAll('dt, dd')) {
      const text = this.#blocks(entry).join('\n');
      if (entry.tagName === 'DT') lines.push(`${text}:`);
      else if (lines.at(-1)?.endsWith(':')) lines[lines.length - 1] += ` ${text}`;
      else lines.push(text);
    }
    return lines.join('\n');
  }

  #table(table: Element): string[] {
    const caption = table.querySelector('caption');
    const rows = tableRows(table, (cell) => collapse(this.#blocks(cell).join(' ')).replaceAll('|', '\\|'));
    const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
    if (rows[0]) lines.splice(1, 0, `|${' --- |'.repeat(rows[0].length)}`);
    return [caption ? collapse(this.#inlineChildren(caption)) : '', lines.join('\n')].filter((text) => text !== '');
  }

  #inlineChildren(element: Node): string {
    if (this.#depth > MAX_DEPTH) return '';
    this.#depth++;
    let text = '';
    for (const node of element.childNodes) text += this.#inline(node);
    this.#depth--;
    return text;
  }

  /** Emphasis is left out: it would part words that belong together. */
  #inline(node: Node): string {
    if (node.nodeType === TEXT_NODE) return (node.textContent ?? '').replace(/\s+/g, ' ');
    if (!isElement(node) || isSkipped(node)) return '';
    if (node.tagName === 'BR') return '\n';
    if (node.tagName === 'IMG') {
      const description = collapse(node.getAttribute('alt') ?? '');
      return description === '' ? '' : `[image: ${description}]`;
    }
    const text = this.#inlineChildren(node);
    if (node.tagName !== 'A') return text;
    const target = this.#absolute(node.getAttribute('href'));
    const label = collapse(text);
    return target === undefined || label === '' ? text : `[${label}](${target})`;
  }

  #absolute(href: string | null): string | undefined {
    if (href === null || href.startsWith('#')) return undefined;
    if (!URL.canParse(href, this.#url)) return undefined;
    const target = new URL(href, this.#url);
    return target.protocol === 'http:' || target.protocol === 'https:' ? target.href : undefined;
  }
}

const TEXT_NODE = 3;
const ELEMENT_NODE = 1;

function isElement(node: Node): node is Element {
  return node.nodeType === ELEMENT_NODE;
}

function holdsBlocks(element: Element): boolean {
  return element.children.length > 0 && [...element.children].some((child) => BLOCKS.has(child.tagName));
}

function onlyOne(found: ArrayLike<Element>): Element | null {
  return found.length === 1 ? (found[0] ?? null) : null;
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Blanks collapse within a line; breaks that the page asked for stay. */
function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/[^\S\n]+/g, ' ').trim())
    .join('\n')
    .trim();
}
