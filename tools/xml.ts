// XML of documents as a tree, for files that nobody has vouched for: no entity is declared or expanded, nothing is fetched, and neither depth nor size can
// exhaust the stack. Element names come without their prefix (writers choose it freely), attribute names as they stand.
import { Finding } from './tool-error.ts';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
}
export type XmlNode = XmlElement | string;

interface OpenElement extends XmlElement {
  readonly fullName: string;
  readonly children: XmlNode[];
}

/** Deeper nesting is not the work of a writer; readers of the tree recurse. */
const MAX_DEPTH = 256;

const TOKEN = /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<\/([^\s>]+)\s*>|<([^\s/>!?]+)((?:\s+[^\s=>/]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g;

/** @param place what is named when it cannot be read, such as `attachment-1.docx (word/document.xml)` @throws Finding */
export function parseXml(text: string, place: string): XmlElement {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new Finding(`${place} cannot be read: it declares a document type, and entities are never expanded.`);
  const open: OpenElement[] = [];
  let root: XmlElement | undefined;
  let at = 0;
  const damaged = () => new Finding(`${place} cannot be read: its XML is damaged near character ${at + 1}.`);
  for (const match of text.matchAll(TOKEN)) {
    const [whole, cdata, closed, opened, attributes = '', empty] = match;
    const parent = open.at(-1);
    const between = text.slice(at, match.index);
    if (between.includes('<')) throw damaged();
    if (parent && between !== '') parent.children.push(unescaped(between));
    at = match.index + whole.length;
    if (cdata !== undefined) parent?.children.push(cdata);
    else if (opened !== undefined) {
      const element: OpenElement = { fullName: opened, name: localName(opened), attributes: attributesOf(attributes), children: [] };
      if (parent) parent.children.push(element);
      else if (root) throw damaged();
      else root = element;
      if (empty === '') open.push(element);
      if (open.length > MAX_DEPTH) throw new Finding(`${place} cannot be read: its XML is nested more than ${MAX_DEPTH} levels deep.`);
    } else if (closed !== undefined && open.pop()?.fullName !== closed) throw damaged();
  }
  if (!root || open.length > 0 || text.slice(at).trim() !== '') throw damaged();
  return root;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name, quoted, single] of text.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    attributes[name as string] = unescaped(quoted ?? single ?? '');
  return attributes;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Child elements, or those of one name. */
export function elementsOf(element: XmlElement | undefined, name?: string): XmlElement[] {
  return (element?.children ?? []).filter((child): child is XmlElement => typeof child !== 'string' && (name === undefined || child.name === name));
}

export function childOf(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((from, name) => elementsOf(from, name)[0], element);
}

/** All elements of these names within, in document order, those inside a found one left out. */
export function findElements(element: XmlElement | undefined, ...names: readonly string[]): XmlElement[] {
  return elementsOf(element).flatMap((child) => (names.includes(child.name) ? [child] : findElements(child, ...names)));
}

export function textOf(element: XmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
}
