import { afterEach, describe, expect, it } from 'vitest';
import { type ReaderLimits, ReaderPool } from './reader-pool.ts';
import { Finding, ToolError } from './tool-error.ts';

let pool: ReaderPool | undefined;
afterEach(() => pool?.close());

function poolWith(limits: Partial<ReaderLimits> = {}): ReaderPool {
  pool = new ReaderPool({ entry: new URL('./fixtures/reader-that-hangs.ts', import.meta.url), threads: 1, ...limits });
  return pool;
}
const read = (from: ReaderPool, name: string, timeoutMs?: number) => from.read({ reader: 'document', name, extension: '', bytes: new Uint8Array() }, timeoutMs);

describe('reading apart', () => {
  it('gives up a file that takes too long, and reads the next one', async () => {
    const readers = poolWith();
    const hanging = read(readers, 'hangs', 300).catch((thrown: unknown) => thrown);
    const next = read(readers, 'good');
    expect(await hanging).toEqual(new Finding('hangs takes more than 0.3 s to read and was given up.'));
    expect(await next).toBe('read');
  });

  it('gives up a file that takes too much memory, and reads the next one', async () => {
    const readers = poolWith({ heapMegabytes: 24 });
    await expect(read(readers, 'grows')).rejects.toEqual(new Finding('grows needs more than 24 MB of memory to read and was given up.'));
    expect(await read(readers, 'good')).toBe('read');
  });

  it('gives up a file that takes too much memory outside of any heap, and reads the next one', async () => {
    const readers = poolWith({ growthMegabytes: 100 });
    await expect(read(readers, 'hoards')).rejects.toEqual(new Finding('hoards needs more than 100 MB of memory to read and was given up.'));
    expect(await read(readers, 'good')).toBe('read');
  });

  it('calls a reader that dies a dead back end, and reads the next file', async () => {
    const readers = poolWith();
    await expect(read(readers, 'dies')).rejects.toThrow(ToolError);
    expect(await read(readers, 'good')).toBe('read');
  });
});
