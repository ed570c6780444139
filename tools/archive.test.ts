import { deflateRawSync } from 'node:zlib';
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

  it('lists the first ten thousand of a hundred thousand empty files, and says how many more there are', async () => {
    const set = await withZip(zipByHand(Array.from({ length: 100_000 }, (_, i) => ({ name: `f${i}` }))));
    const { text } = await set.run('list_archive', { file: 'attachment-1.zip' });
    expect(text).toContain('f0  0 bytes\n');
    const parts = Number(/part 1 of (\d+)/.exec(text)?.[1]);
    expect((await set.run('list_archive', { file: 'attachment-1.zip', part: parts })).text).toContain('(and 90000 more, not listed)');
  });

  it('refuses an archive whose names climb out', async () => {
    for (const name of ['../evil.txt', '../../out.txt', 'in/../../out.txt']) {
      expect(await list(zipSync({ [name]: bytes('x') }))).toBe(`attachment-1.zip cannot be read as a zip archive: invalid relative path: ${name}.`);
      await set?.close();
    }
    expect(await list(zipSync({ '/etc/passwd': bytes('x') }))).toContain('absolute path: /etc/passwd');
  });

  it('stops a bomb by the bytes that really come out', async () => {
    const small = zipByHand([{ name: 'bomb.txt', packed: deflateRawSync(new Uint8Array(200_000_000)), size: 200_000_000 }]);
    expect(small.length).toBeLessThan(500_000);
    expect((await (await withZip(small)).run('read_text', { file: 'attachment-1.zip!/bomb.txt' })).text).toBe(
      'attachment-1.zip!/bomb.txt is larger than 20 MB when unpacked and is not read.',
    );
  });

  it('stops a bomb that lies about its size', async () => {
    for (const size of [5_000_000, 21_000_000]) {
      const lying = zipByHand([{ name: 'bomb.txt', packed: deflateRawSync(new Uint8Array(size)), size: 10 }]);
      const { text } = await (await withZip(lying)).run('read_text', { file: 'attachment-1.zip!/bomb.txt' });
      expect(text).toMatch(/bomb\.txt cannot be read: too many bytes/);
      await set?.close();
    }
  });

  it('says so when an archive is cut short or is none', async () => {
    const whole = zipSync({ 'a.txt': bytes('some text') });
    for (const cut of [30, 50]) {
      expect(await list(whole.subarray(0, whole.length - cut))).toMatch(
        /^attachment-1\.zip cannot be read as a zip archive: .*\. It is damaged or cut short; what is left of it names a\.txt\.$/,
      );
      await set?.close();
    }
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

interface Entry {
  readonly name: string;
  /** Deflated. @default nothing, stored */
  readonly packed?: Uint8Array;
  readonly size?: number;
}

/** Writes what the writer of the other tests is too slow for, with the records that a count above 65,535 needs (APPNOTE 4.3). */
function zipByHand(entries: readonly Entry[]): Uint8Array {
  const [locals, central]: [Uint8Array[], Uint8Array[]] = [[], []];
  let at = 0;
  for (const { name, packed = new Uint8Array(), size = 0 } of entries) {
    const head = Buffer.alloc(46 + name.length);
    head.writeUInt32LE(0x02014b50, 0);
    head.writeUInt16LE(size === 0 ? 0 : 8, 10);
    head.writeUInt32LE(packed.length, 20);
    head.writeUInt32LE(size, 24);
    head.writeUInt16LE(name.length, 28);
    head.writeUInt32LE(at, 42);
    head.write(name, 46);
    const local = Buffer.alloc(30 + name.length);
    local.writeUInt32LE(0x04034b50, 0);
    head.copy(local, 6, 8, 30);
    local.write(name, 30);
    locals.push(local, packed);
    central.push(head);
    at += local.length + packed.length;
  }
  const size = central.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(98);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeBigUInt64LE(BigInt(entries.length), 24);
  end.writeBigUInt64LE(BigInt(entries.length), 32);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(at), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(at + size), 64);
  end.writeUInt32LE(1, 72);
  end.writeUInt32LE(0x06054b50, 76);
  end.fill(0xff, 84, 96);
  return Buffer.concat([...locals, ...central, end]);
}
