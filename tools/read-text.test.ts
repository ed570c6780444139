import { zipSync } from 'fflate';
import { afterEach, describe, expect, it } from 'vitest';
import { bytesOf } from './offline-web.ts';
import { openTestSet, type TestSet } from './testing.ts';

let set: TestSet | undefined;
afterEach(() => set?.close());

async function readText(content: Uint8Array | string, more: Record<string, unknown> = {}): Promise<string> {
  await set?.close();
  set = await openTestSet({ 'attachment-1.txt': content });
  return (await set.run('read_text', { file: 'attachment-1.txt', ...more })).text;
}

describe('read_text', () => {
  it('gives a text as it stands', async () => {
    expect(await readText('{"a": [1,\n  2]}\n')).toBe('{"a": [1,\n  2]}\n');
  });

  it.each([
    ['UTF-8', Buffer.from('Zoë – 5 €')],
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFZoë – 5 €')],
    ['UTF-16 little endian', bytesOf({ body: 'Zoë – 5 €', encoding: 'utf-16le' })],
    ['UTF-16 big endian', Buffer.from(bytesOf({ body: 'Zoë – 5 €', encoding: 'utf-16le' })).swap16()],
  ])('reads %s', async (_, bytes) => {
    expect(await readText(bytes)).toBe('Zoë – 5 €');
  });

  it.each([
    ['windows-1252', Buffer.from('Zo\xeb;\xa35', 'latin1'), 'Zoë;£5'],
    ['shift_jis', Buffer.from('93fa95742c8d8796bc0a312c32', 'hex'), '日付,合名\n1,2'],
  ])('reads %s, and says that it guessed', async (encoding, bytes, text) => {
    expect(await readText(bytes)).toBe(`[The file is no UTF-8 and names no encoding: it was taken for ${encoding}.]\n${text}`);
  });

  it('reads lines, whatever ends them', async () => {
    expect(await readText('one\r\ntwo\rthree\n', { start_line: 2 })).toBe('two\nthree');
    expect(await readText('one\r\ntwo\rthree\n', { start_line: 2, end_line: 2 })).toBe('two');
    expect(await readText('one\n', { start_line: 5 })).toBe('There are no lines 5 to the end: the file has 1 lines.');
    expect(await readText('one\ntwo', { start_line: -3, end_line: 99 })).toBe('one\ntwo');
  });

  it('gives one endless line of JSON in parts', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(await readText(deep)).toContain('\n[part 1 of 25: characters 1-8000 of 200000. For the next one: part: 2.]');
    expect(await readText(deep, { part: 25 })).toContain('[part 25 of 25: characters 192001-200000 of 200000.]');
  });

  it('reads a huge csv file from any line, and does not make a table of it', async () => {
    const rows = Array.from({ length: 1_000_000 }, (_, i) => `row ${i},${i * 1_000_003}`).join('\n');
    set = await openTestSet({ 'attachment-1.csv': rows });
    const { text } = await set.run('read_text', { file: 'attachment-1.csv', start_line: 999_999 });
    expect(text).toBe(`row 999998,${999_998 * 1_000_003}\nrow 999999,${999_999 * 1_000_003}`);
    expect((await set.run('read_spreadsheet', { file: 'attachment-1.csv' })).text).toContain('more than is read as a table. Use read_text');
  });

  it('sends binary files to the tool that reads them', async () => {
    expect(await readText(Buffer.from('%PDF-1.7\0\0'))).toContain('use read_pdf');
    expect(await readText(zipSync({ a: new Uint8Array(9) }))).toContain('use read_spreadsheet, read_document or list_archive');
    expect(await readText('')).toBe('attachment-1.txt is empty.');
  });
});
