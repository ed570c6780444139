import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CommandIo } from '../command.ts';
import { list } from './list.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'list-'));
  vi.stubEnv('AGENTGAUGE_CACHE', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

async function listed(kind: string, format: 'text' | 'json'): Promise<string> {
  let printed = '';
  const out = (text: string) => {
    printed += text;
  };
  const io: CommandIo = { stdin: Readable.from([]), out, err: () => {}, terminal: false, columns: 100, signal: new AbortController().signal };
  expect(await list.run({ positionals: [kind], values: { format } }, io)).toBe(0);
  return printed;
}

test('models are listed with size, licence and what brings them, also where none is set up', async () => {
  const models = JSON.parse(await listed('models', 'json')) as { readonly id: string }[];
  expect(models.map(({ id }) => id)).toEqual(['simulated', 'local:smollm2-135m', 'local:qwen2.5-coder-0.5b', 'local:FILE.gguf', 'upstream:NAME']);
  expect(models[1]).toMatchObject({ installed: false, megabytes: 93, licence: 'Apache-2.0' });
  expect(await listed('models', 'text')).toMatch(/local:smollm2-135m .*\(agentgauge setup model smollm2-135m, 93 MB; licence: Apache-2\.0\)/);
});

test('weights count as set up when they are whole and what runs them is there; weights of one’s own are listed too', async () => {
  await mkdir(join(folder, 'models'));
  writeFileSync(join(folder, 'models', 'smollm2-135m.gguf'), 'GGUF');
  truncateSync(join(folder, 'models', 'smollm2-135m.gguf'), 98_362_432);
  writeFileSync(join(folder, 'models', 'mine.gguf'), 'GGUF');
  truncateSync(join(folder, 'models', 'mine.gguf'), 3_000_000);
  const models = JSON.parse(await listed('models', 'json')) as { readonly id: string }[];
  expect(models.find(({ id }) => id === 'local:mine')).toMatchObject({ title: 'weights of your own', megabytes: 3, installed: false });
  expect(models.find(({ id }) => id === 'local:smollm2-135m')).toMatchObject({ megabytes: 98, installed: false });
});
