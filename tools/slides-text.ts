// A presentation (pptx) slide by slide in the order of the talk: title, text of shapes also within groups, tables, charts by their stored figures, notes.
import { posix } from 'node:path';
import { cellsOfRow } from './document-table.ts';
import type { Parts } from './word-text.ts';
import { childOf, elementsOf, findElements, textOf, type XmlElement } from './xml.ts';

/** @returns one text a slide */
export function slideTexts(parts: Parts): string[] {
  const related = relationsOf('ppt/presentation.xml', parts);
  const listed = elementsOf(childOf(parts('ppt/presentation.xml'), 'sldIdLst'), 'sldId');
  return listed.map(({ attributes }, i) => slideText(related.get(attributes['r:id'] ?? '')?.path ?? '', parts, i + 1, listed.length));
}

interface Relation {
  /** Last part of its type: `slide`, `notesSlide`, `chart`. */
  readonly kind: string;
  readonly path: string;
}

function relationsOf(path: string, parts: Parts): ReadonlyMap<string, Relation> {
  const folder = posix.dirname(path);
  const relations = elementsOf(parts(`${folder}/_rels/${posix.basename(path)}.rels`), 'Relationship');
  return new Map(
    relations.map(({ attributes: { Id = '', Type = '', Target = '' } }) => {
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target);
      return [Id, { kind: posix.basename(Type), path: target }];
    }),
  );
}

function slideText(path: string, parts: Parts, number: number, total: number): string {
  const slide = parts(path);
  const relations = relationsOf(path, parts);
  const lines = [`Slide ${number} of ${total}${slide?.attributes['show'] === '0' ? ' (hidden)' : ''}`];
  lines.push(...shapeLines(childOf(slide, 'cSld', 'spTree'), (id) => parts(relations.get(id)?.path ?? '')));
  const notes = [...relations.values()].find(({ kind }) => kind === 'notesSlide');
  const spoken = notes ? notesText(parts(notes.path)) : '';
  if (spoken !== '') lines.push(`Notes: ${spoken}`);
  if (lines.length === 1) lines.push('(no text on this slide)');
  return lines.join('\n');
}

function shapeLines(tree: XmlElement | undefined, chart: (id: string) => XmlElement | undefined): string[] {
  return elementsOf(tree).flatMap((shape): string[] => {
    switch (shape.name) {
      case 'sp': {
        const text = paragraphs(childOf(shape, 'txBody'));
        return text.length > 0 && /^(?:title|ctrTitle)$/.test(placeholderOf(shape)) ? [`# ${text.join(' ')}`] : text;
      }
      case 'grpSp':
        return shapeLines(shape, chart);
      case 'graphicFrame':
        return [
          ...findElements(shape, 'tbl').flatMap(tableLines),
          ...findElements(shape, 'chart').flatMap(({ attributes }) => chartLines(chart(attributes['r:id'] ?? ''))),
        ];
      case 'pic': {
        const { descr = '' } = findElements(shape, 'cNvPr')[0]?.attributes ?? {};
        return descr === '' ? [] : [`[picture: ${descr}]`];
      }
      case 'AlternateContent':
        return shapeLines(childOf(shape, 'Choice'), chart);
      default:
        return [];
    }
  });
}

function placeholderOf(shape: XmlElement): string {
  const [placeholder] = findElements(shape, 'ph');
  return placeholder ? (placeholder.attributes['type'] ?? 'body') : '';
}

function paragraphs(body: XmlElement | undefined): string[] {
  return elementsOf(body, 'p')
    .map((paragraph) => findElements(paragraph, 't', 'br').map((run) => (run.name === 'br' ? ' ' : textOf(run))))
    .map((runs) => runs.join('').trim())
    .filter((text) => text !== '');
}

function tableLines(table: XmlElement): string[] {
  let above: readonly string[] = [];
  return elementsOf(table, 'tr').map((row) => {
    const cells = elementsOf(row, 'tc').map((cell) => ({
      text: cell.attributes['hMerge'] === '1' ? '' : paragraphs(childOf(cell, 'txBody')).join(' '),
      span: 1,
      vertical: cell.attributes['vMerge'] === '1' ? ('continued' as const) : ('none' as const),
    }));
    above = cellsOfRow(cells, above);
    return `| ${above.join(' | ')} |`;
  });
}

function chartLines(chart: XmlElement | undefined): string[] {
  const values = (of: XmlElement | undefined) => findElements(of, 'v').map((value) => textOf(value));
  return findElements(chart, 'ser').map((series) => {
    const names = values(childOf(series, 'cat'));
    const figures = values(childOf(series, 'val'));
    return `Chart "${values(childOf(series, 'tx')).join(' ')}": ${figures.map((figure, i) => `${names[i] ?? i + 1} ${figure}`).join('; ')}`;
  });
}

function notesText(notes: XmlElement | undefined): string {
  return findElements(notes, 'sp')
    .filter((shape) => placeholderOf(shape) === 'body')
    .flatMap((shape) => paragraphs(childOf(shape, 'txBody')))
    .join(' ');
}
