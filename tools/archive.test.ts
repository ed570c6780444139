import { type Zippable, zipSync } from 'fflate';
import { afterEach, describe, expect, it } from 'vitest';
import { openTestSet, type TestSet } from './testing.ts';

let set: TestSet | undefined;
afterEach(() => set?.close());

async function withZip(bytes: Uint8Array): Promise<TestSet> {
  set = await openTestSet({ 'attachment-1.zip': bytes });
  return set;
}

async function list(bytes: Uint8Array): Promise<string> {
  const { status, text } = await (await withZip(bytes)).run('list_archive', { file: 'attachment-1.zip' });
  expect(status).toBe(200);
  return text;
}

async function readInner(content: Zippable, inner: string): Promise<string> {
  const { status, text } = await (await withZip(zipSync(content))).run('read_text', { file: `attachment-1.zip!/${inner}` });
  expect(status).toBe(200);
  return text;
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe('archives', () => {
  it('lists files with their sizes and leaves folders out', async () => {
    expect(await list(zipSync({ 'data/': new Uint8Array(), 'data/list.csv': bytes('a,b\n'), 'ünï.txt': bytes('') }))).toBe(
      'data/list.csv  4 bytes\nünï.txt  0 bytes',
    );
  });

  it('reads a file within an archive with the reader of its kind', async () => {
    expect(await readInner({ 'data/list.csv': bytes('a,b\n') }, 'data/list.csv')).toBe('a,b\n');
  });

  it('names what an archive holds when there is no such file in it', async () => {
    expect(await readInner({ 'a.txt': bytes('a') }, 'b.txt')).toBe('There is no "b.txt" in attachment-1.zip. It holds a.txt.');
  });

  it('opens an archive within an archive, and no third', async () => {
    const innermost = zipSync({ 'a.txt': bytes('deep') });
    const inner = zipSync({ 'innermost.zip': innermost, 'b.txt': bytes('within') });
    const nested = await withZip(zipSync({ 'inner.zip': inner }));
    const run = async (tool: string, file: string) => (await nested.run(tool, { file })).text;
    expect(await run('list_archive', 'attachment-1.zip!/inner.zip')).toBe(`innermost.zip  ${innermost.length} bytes\nb.txt  6 bytes`);
    expect(await run('read_text', 'attachment-1.zip!/inner.zip!/b.txt')).toBe('within');
    expect(await run('read_text', 'attachment-1.zip!/inner.zip!/innermost.zip!/a.txt')).toBe(
      '"attachment-1.zip!/inner.zip!/innermost.zip!/a.txt" lies more than 2 archives deep, which is not opened.',
    );
  });

  it('lists the first ten thousand of twenty thousand empty files, and says how many more there are', async () => {
    const many = zipSync(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`f${i}`, new Uint8Array()])), { level: 0 });
    const set = await withZip(many);
    const { text } = await set.run('list_archive', { file: 'attachment-1.zip' });
    expect(text).toContain('f0  0 bytes\n');
    const parts = Number(/part 1 of (\d+)/.exec(text)?.[1]);
    expect((await set.run('list_archive', { file: 'attachment-1.zip', part: parts })).text).toContain('(and 10000 more, not listed)');
  });

  it('refuses an archive whose names climb out', async () => {
    expect(await list(zipSync({ '../evil.txt': bytes('x') }))).toMatch(
      /^attachment-1\.zip cannot be read as a zip archive: invalid relative path: \.\.\/evil\.txt\.$/,
    );
    await set?.close();
    expect(await list(zipSync({ '/etc/passwd': bytes('x') }))).toContain('absolute path: /etc/passwd');
  });

  it('stops a bomb by the bytes that really come out', async () => {
    expect(await readInner({ 'bomb.txt': new Uint8Array(21_000_000) }, 'bomb.txt')).toBe(
      'attachment-1.zip!/bomb.txt is larger than 20 MB when unpacked and is not read.',
    );
  });

  it('stops a bomb that lies about its size', async () => {
    const lying = zipSync({ 'bomb.txt': new Uint8Array(21_000_000) });
    patchDeclaredSize(lying, 21_000_000, 10);
    const { text } = await (await withZip(lying)).run('read_text', { file: 'attachment-1.zip!/bomb.txt' });
    expect(text).toMatch(/bomb\.txt cannot be read: too many bytes/);
  });

  it('says so when an archive is cut short or is none', async () => {
    const whole = zipSync({ 'a.txt': bytes('some text') });
    expect(await list(whole.subarray(0, whole.length - 30))).toMatch(
      /^attachment-1\.zip cannot be read as a zip archive: .*\. It is damaged or cut short; what is left of it names a\.txt\.$/,
    );
    await set?.close();
    expect(await list(bytes('no archive at all'))).toContain('cannot be read as a zip archive');
    await set?.close();
    expect(await list(new Uint8Array())).toContain('cannot be read as a zip archive');
  });

  it('says so when an entry is encrypted', async () => {
    const locked = zipSync({ 'a.txt': bytes('some text') });
    const view = new DataView(locked.buffer, locked.byteOffset);
    for (let at = 0; at + 4 <= locked.length; at++) {
      if (view.getUint32(at, true) === 0x04034b50) view.setUint16(at + 6, 1, true);
      if (view.getUint32(at, true) === 0x02014b50) view.setUint16(at + 8, 1, true);
    }
    expect((await (await withZip(locked)).run('read_text', { file: 'attachment-1.zip!/a.txt' })).text).toBe(
      'attachment-1.zip!/a.txt is encrypted and cannot be read.',
    );
  });

  it('says so when an entry is damaged', async () => {
    const damaged = zipSync({ 'a.txt': bytes('some text, some text, some text, some more') });
    damaged.fill(0xff, 36, 50);
    const { status, text } = await (await withZip(damaged)).run('read_text', { file: 'attachment-1.zip!/a.txt' });
    expect(status).toBe(200);
    expect(text).toContain('a.txt cannot be read');
  });
});

/** Writes another uncompressed size wherever the true one is declared. */
function patchDeclaredSize(archive: Uint8Array, from: number, to: number): void {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  for (let at = 0; at + 4 <= archive.length; at++) if (view.getUint32(at, true) === from) view.setUint32(at, to, true);
}
