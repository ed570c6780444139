import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import type { CommandIo } from '../command.ts';
import { conformance } from './conformance.ts';

const MISBEHAVES = fileURLToPath(new URL('../../adapters/fixtures/misbehaves.ts', import.meta.url));

async function run(positionals: readonly string[], values: Readonly<Record<string, string>> = {}, signal = new AbortController().signal) {
  let printed = '';
  const io: CommandIo = {
    stdin: Readable.from([]),
    out: (text) => {
      printed += text;
    },
    err: () => {},
    terminal: false,
    columns: 100,
    signal,
  };
  return { code: await conformance.run({ positionals, values }, io), printed };
}

// Two hundred runs are a matter of seconds on a machine that has nothing else to do.
vi.setConfig({ testTimeout: 180_000 });

describe('agentgauge conformance', () => {
  test("fails an adapter of one's own with exit code 1, and names case, reason and promise", async () => {
    const { code, printed } = await run([MISBEHAVES], { export: 'trimsTheAnswer' });
    expect(code).toBe(1);
    expect(printed).toMatch(/^fail {2}answer-untouched +wanted output .*\(returns the last reply as it came/m);
    expect(printed).toMatch(/^pass {2}one-tool/m);
    expect(printed).toMatch(/\n19 passed, 1 failed, 0 skipped\n$/);
  });

  test('prints one JSON document when asked', async () => {
    const { code, printed } = await run(['fetch'], { format: 'json', settings: 'hardened' });
    expect(code).toBe(0);
    expect(JSON.parse(printed)).toMatchObject({
      adapter: 'fetch',
      shape: 'single',
      settings: 'hardened',
      cases: expect.arrayContaining([expect.objectContaining({ id: 'one-tool', outcome: 'pass' })]),
    });
  });

  test('stops at an interrupt with exit code 130', async () => {
    expect(await run(['fetch'], {}, AbortSignal.abort())).toMatchObject({ code: 130 });
  });

  test.each([
    [[], {}, 'ADAPTER_EXPECTED'],
    [['fetch', 'openai'], {}, 'ADAPTER_EXPECTED'],
    [['langgraf'], {}, 'UNKNOWN_ADAPTER'],
    [['./no/such/file.ts'], {}, 'NO_ADAPTER_FILE'],
    [['openai'], { shape: 'dag' }, 'NO_SHAPE'],
    [['fetch'], { settings: 'soft' }, 'BAD_OPTION'],
    [['fetch'], { format: 'xml' }, 'BAD_OPTION'],
    [[MISBEHAVES], { python: '.venv/bin/python' }, 'NO_PYTHON_FILE'],
  ] as const)('refuses %j with %j as %s, with a remedy', async (positionals, values, code) => {
    await expect(run(positionals, values)).rejects.toMatchObject({ name: 'UsageError', code, remedy: expect.stringMatching(/./) });
  });

  test('tells that a file has no such export', async () => {
    await expect(run([MISBEHAVES], { export: 'nobody' })).rejects.toMatchObject({ code: 'NO_SHAPE', message: expect.stringContaining('it exports: ') });
  });
});
