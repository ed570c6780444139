import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ADAPTERS } from '../../adapters/registry.ts';
import type { CommandIo } from '../command.ts';
import type { Check } from '../doctor/check.ts';
import { MACHINE } from '../doctor/machine.ts';
import { GROUPS } from '../doctor/parts.ts';
import { doctor, examine } from './doctor.ts';

/** Told in lines of their own, or part of another package. */
const APART = ['pyodide', 'sherpa-onnx-node', '@openai/agents-core'];

afterEach(() => vi.unstubAllEnvs());

function listening() {
  const heard = { printed: '' };
  const io: CommandIo = {
    stdin: Readable.from([]),
    out: (text) => {
      heard.printed += text;
    },
    err: () => {},
    terminal: false,
    columns: 100,
    signal: new AbortController().signal,
  };
  return { heard, io };
}

describe('agentgauge doctor', () => {
  test('looks at every part, and says of each missing one what it is for', { timeout: 60_000 }, async () => {
    vi.stubEnv('AGENTGAUGE_SEARCH', 'brave');
    vi.stubEnv('BRAVE_API_KEY', 'a-secret-key');
    const folder = await mkdtemp(join(tmpdir(), 'agentgauge-doctor-'));
    vi.stubEnv('AGENTGAUGE_CACHE', folder);
    try {
      await writeFile(join(folder, 'kept'), Buffer.alloc(3_000_000));
      const { heard, io } = listening();
      const code = await doctor.run({ positionals: [], values: { format: 'json' } }, io);
      const checks = JSON.parse(heard.printed) as Check[];
      const of = (name: string) => checks.find((check) => check.name === name);
      expect(code).toBe(0);
      expect(of('Node')).toMatchObject({ status: 'ok', found: expect.stringContaining(process.versions.node) });
      expect(of('loopback')).toMatchObject({ status: 'ok' });
      expect(of('cache')).toMatchObject({ status: 'ok', found: `${folder}, 3 MB` });
      // Nothing is set up in a fresh cache.
      expect(of('Python rows')).toMatchObject({ status: 'absent', found: '0 of 12', remedy: 'agentgauge setup python' });
      expect(of('speech')).toMatchObject({ status: 'absent', remedy: 'agentgauge setup speech' });
      expect(of('natural voice')).toMatchObject({ status: 'absent', remedy: 'agentgauge setup speech --voice joe' });
      expect(of('local models')).toMatchObject({
        status: 'absent',
        found: expect.stringMatching(/^none set up; to be had: smollm2-135m \(93 MB, Apache-2\.0\), /),
        remedy: expect.stringContaining('agentgauge setup model '),
      });
      expect(of('live search')).toMatchObject({ status: 'ok', found: 'brave, with a key' });
      expect(heard.printed).not.toContain('a-secret-key');
      for (const { status, neededFor } of checks) if (status !== 'ok') expect(neededFor).toMatch(/./);
      expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('ends with exit code 1 and says what is broken when the cache cannot be written', async () => {
    vi.stubEnv('AGENTGAUGE_CACHE', '/dev/null/cache');
    const { heard, io } = listening();
    expect(await examine(MACHINE, 'text', io)).toBe(1);
    expect(heard.printed).toMatch(/^broken {2}cache .*\n +for task sets: name a folder .*AGENTGAUGE_CACHE$/m);
    expect(heard.printed).toMatch(/\nThe default study cannot run here: cache\.\n$/);
  });

  test('refuses another format', async () => {
    await expect(doctor.run({ positionals: [], values: { format: 'xml' } }, listening().io)).rejects.toMatchObject({ name: 'UsageError', code: 'BAD_OPTION' });
  });

  test('knows what each optional package is for', () => {
    const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { optionalDependencies: Record<string, string> };
    const told = [...GROUPS, ...ADAPTERS].flatMap(({ packages }) => packages);
    expect(Object.keys(manifest.optionalDependencies).filter((name) => ![...told, ...APART].includes(name))).toEqual([]);
  });
});
