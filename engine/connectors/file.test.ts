// Files as they are found on disks: text and bytes, folders, what is missing, and what only looks like a file.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { used } from '../fixtures/use-connector.ts';
import { fileConnector } from './file.ts';

const root = mkdtempSync(join(tmpdir(), 'files-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const docs = fileConnector({ name: 'docs', root: pathToFileURL(root), cache: { ttlMs: 60_000 } });

test('text is text, other bytes are bytes, and a name says which of the two failed', async () => {
  mkdirSync(join(root, 'in'));
  writeFileSync(join(root, 'in', 'ä ö.txt'), 'größe');
  writeFileSync(join(root, 'in', 'bytes'), Uint8Array.of(255, 254, 0));
  expect(await used(docs, (client) => client.read('in/ä ö.txt'))).toBe('größe');
  expect(await used(docs, (client) => client.bytes('in/bytes'))).toEqual(Uint8Array.of(255, 254, 0));
  expect(await used(docs, (client) => client.read('in/bytes'))).toBe('connector-failed');
  expect(await used(docs, (client) => client.list('in'))).toEqual([
    { name: 'bytes', kind: 'file' },
    { name: 'ä ö.txt', kind: 'file' },
  ]);
});

test('a file that is missing is told with its name and looked for again, while one that was read comes from the cache', async () => {
  expect(await used(docs, (client) => client.read('late.txt'))).toBe('connector-failed');
  writeFileSync(join(root, 'late.txt'), 'one');
  expect(await used(docs, (client) => client.read('late.txt'))).toBe('one');
  writeFileSync(join(root, 'late.txt'), 'two');
  expect(await used(docs, (client) => client.read('late.txt'))).toBe('one');
  let message = '';
  await used(docs, (client) =>
    client.read('late.txt/x').catch((error: Error) => {
      message = error.message;
      return { value: 1 };
    }),
  );
  expect(message).toBe('connector "docs": there is no "late.txt/x" (ENOTDIR)');
});

test.skipIf(process.platform === 'win32')('a pipe is refused and not waited for', async () => {
  expect(spawnSync('sh', ['-c', 'mkfifo "$0"', join(root, 'pipe')]).status).toBe(0);
  expect(await used(docs, (client) => client.read('pipe'))).toBe('connector-refused');
});

test.skipIf(!existsSync('/proc/self/status'))('a file that tells no size is read to its end, and no further than the limit', async () => {
  const proc = (maxBytes: number) => fileConnector({ name: 'proc', root: '/proc', maxBytes });
  const pid = String(process.pid);
  expect(await used(proc(100_000), (client) => client.read(`${pid}/status`))).toContain('VmRSS');
  expect(await used(proc(100), (client) => client.read(`${pid}/status`))).toBe('too-large');
});
