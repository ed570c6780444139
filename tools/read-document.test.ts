import { readFileSync } from 'node:fs';
import { strToU8, zipSync } from 'fflate';
import { afterEach, describe, expect, it } from 'vitest';
import { slidesFile } from '../tasks/gaia/documents/slides.ts';
import { wordFile } from '../tasks/gaia/documents/word.ts';
import { openTestSet, type TestSet } from './testing.ts';

let set: TestSet | undefined;
afterEach(() => set?.close());

async function readDocument(name: string, content: Uint8Array | string, more: Record<string, unknown> = {}): Promise<string> {
  await set?.close();
  set = await openTestSet({ [name]: content });
  const { status, text } = await set.run('read_document', { file: name, ...more });
  expect(status).toBe(200);
  return text;
}
const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url));
const table = {
  name: 'Calls',
  columns: ['Quay', 'Ship', 'Cargo'],
  rows: [
    ['North', 'Tern & Sons', 4810],
    ['North', 'Gannet', 377],
  ],
};
const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const word = (body: string) => zipSync({ 'word/document.xml': strToU8(`<w:document ${WORD}><w:body>${body}</w:body></w:document>`) });

describe('read_document', () => {
  it('gives a Word file with headings, lists and tables, merged cells repeated, without what was deleted', async () => {
    const { bytes } = wordFile('Minutes', [
      { heading: 'Minutes' },
      { text: '51 votes.', struck: '48 votes. ' },
      { items: ['one', 'two'] },
      { table, mergeFirst: true },
    ]);
    expect(await readDocument('attachment-1.docx', bytes)).toBe(
      'Document: attachment-1.docx\n\n# Minutes\n\n51 votes.\n\n- one\n- two\n\n| Quay | Ship | Cargo |\n| North | Tern & Sons | 4810 |\n| North | Gannet | 377 |',
    );
  });

  it('gives slides in the order of the talk, with tables, labels in groups and notes', async () => {
    const { bytes } = slidesFile('Talk', [{ title: 'Cargo', lines: ['In tons'], table, drawing: ['Pier 12'], notes: 'Say 14.' }, { title: 'End' }]);
    expect(await readDocument('attachment-1.pptx', bytes)).toBe(
      'Presentation: attachment-1.pptx, 2 slides\n\nSlide 1 of 2\n# Cargo\nIn tons\n| Quay | Ship | Cargo |\n| North | Tern & Sons | 4810 |\n| North | Gannet | 377 |\nPier 12\nNotes: Say 14.\n\nSlide 2 of 2\n# End',
    );
  });

  it.each([
    ['python-docx.docx', '# Title here\n\n# One\n\n- Text ä\n\n| North |  |\n| North | 7 |\n| North |  |'],
    ['python-pptx.pptx', 'Slide 1 of 1\n# Hello\nin group\n| k | 9 |\n|  |  |\nChart "Q1": E 1.5; W 2\nNotes: note!'],
    ['odfpy.odt', '# Odt head\n\nPara\n\n| a | b |'],
  ])('reads what another writer wrote: %s', async (name, text) => {
    expect((await readDocument(name, fixture(name))).split('\n\n').slice(1).join('\n\n')).toBe(text);
  });

  it('reads an HTML file by its main text, in the encoding that it declares', async () => {
    const html = Buffer.from('<html><head><title>T</title><meta charset="iso-8859-1"></head><body><h1>Zo\xeb</h1><p>Some text.</p></body></html>', 'latin1');
    expect(await readDocument('attachment-1.html', html)).toBe('Title: T\n\n# Zoë\n\nSome text.');
  });

  it('names the tool for a file of another kind', async () => {
    expect(await readDocument('attachment-1.docx', 'plain text')).toContain('use read_text');
    expect(await readDocument('attachment-1.docx', '%PDF-1.7')).toContain('use read_pdf');
    expect(await readDocument('attachment-1.docx', zipSync({ 'xl/workbook.xml': strToU8('<workbook/>') }))).toContain('use read_spreadsheet');
    expect(await readDocument('attachment-1.docx', zipSync({ 'a.txt': strToU8('x') }))).toContain('use list_archive');
  });

  it('expands no entity, of the file itself or from outside', async () => {
    const laughs = `<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(1_000)}">]><w:document ${WORD}><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>`;
    const outside = `<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]><w:document ${WORD}><w:body><w:p><w:r><w:t>&a;</w:t></w:r></w:p></w:body></w:document>`;
    for (const xml of [laughs, outside])
      expect(await readDocument('attachment-1.docx', zipSync({ 'word/document.xml': strToU8(xml) }))).toBe(
        'attachment-1.docx (word/document.xml) cannot be read: it declares a document type, and entities are never expanded.',
      );
  });

  it('refuses XML that is damaged, cut or nested without end', async () => {
    expect(await readDocument('attachment-1.docx', word('<w:p>'))).toContain('its XML is damaged near character');
    expect(await readDocument('attachment-1.docx', word('<w:p'.repeat(10)))).toContain('its XML is damaged near character');
    expect(await readDocument('attachment-1.docx', word('<w:p>'.repeat(100_000)))).toContain('nested more than 256 levels deep');
  });

  it('stops a bomb, and tables that claim columns without end', async () => {
    const bomb = zipSync({ 'word/document.xml': [new Uint8Array(51_000_000).fill(32), { level: 1 }] });
    expect(bomb.length).toBeLessThan(300_000);
    expect(await readDocument('attachment-1.docx', bomb)).toBe('attachment-1.docx unpacks to more than 50 MB and is not read.');
    const wide = word('<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="999999999"/></w:tcPr><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc></w:tr></w:tbl>');
    expect((await readDocument('attachment-1.docx', wide)).length).toBeLessThan(2_000);
  });

  it('says so when a file is encrypted, cut or of the old binary kind', async () => {
    const { bytes } = wordFile('Minutes', [{ heading: 'Minutes' }]);
    expect(await readDocument('attachment-1.docx', bytes.subarray(0, bytes.length - 50))).toContain('cannot be read as a zip archive');
    const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
    expect(await readDocument('attachment-1.docx', compound)).toContain('old binary kind');
    compound.write('EncryptedPackage', 100, 'utf16le');
    expect(await readDocument('attachment-1.docx', compound)).toBe('attachment-1.docx is encrypted and needs a password, so it cannot be read.');
  });

  it('reads HTML that is nested without end, or says that it cannot', async () => {
    const text = await readDocument('attachment-1.html', `<html><body><p>first</p>${'<div>'.repeat(10_000)}deep`);
    expect(text).toMatch(/first|cannot be read|was given up/);
    expect(text.length).toBeLessThan(9_000);
  });

  it('gives a long document in parts with its full size', async () => {
    const { bytes } = wordFile('Long', [{ text: 'word '.repeat(4_000) }]);
    expect(await readDocument('attachment-1.docx', bytes)).toMatch(/\[part 1 of 3: characters 1-\d+ of 20\d{3}\. For the next one: part: 2\.\]$/);
  });
});
