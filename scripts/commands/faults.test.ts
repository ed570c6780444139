// `agentgauge faults` as a user meets it: the list, mistakes in its options, and an expectation that is written, holds, and is broken.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FaultExpectation } from '../../reports/faults/expectation.ts';
import { main } from '../cli.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'faults-command-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SILENT = { stdin: Readable.from([]), out: () => {}, terminal: false, columns: 120, signal: new AbortController().signal };

async function call(...argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const io = {
    ...SILENT,
    out: (text: string) => {
      said.out += text;
    },
    err: (text: string) => {
      said.err += text;
    },
  };
  return { code: await main(['faults', ...argv], io), ...said };
}

test('the faults are listed by group, each with a sentence', async () => {
  const { code, out } = await call('--list');
  expect(code).toBe(0);
  expect(out).toMatch(/^calls {5}unknown-tool {10}calls a tool that was not offered/);
});

test.each([
  [['--faults', 'nonsense'], /there is no fault "nonsense".*\n.*--list/],
  [['--settings', 'soft'], /--settings is "soft".*\n.*default, hardened/],
  [['--patience', '0'], /--patience is "0"/],
  [['--frameworks', 'nobody'], /there is no adapter "nobody"/],
  [['--frameworks', ','], /--frameworks is ",", not a list/],
  [['--expect', 'nowhere.json'], /nowhere\.json cannot be read.*\n.*--write-expect/],
  [['./nowhere.ts'], /there is no file .*nowhere\.ts/],
])('%j is a mistake, with what to do', async (argv, message) => {
  const { code, err } = await call(...argv);
  expect(code).toBe(2);
  expect(err).toMatch(message);
});

test('an expectation is written, holds for the same row, and names what differs with exit code 1', async () => {
  const file = join(folder, 'expected.json');
  const rows = ['--frameworks', 'fetch', '--settings', 'hardened', '--faults', 'unknown-tool,cut-answer', '--out', folder];
  const written = await call(...rows, '--write-expect', file, '--format', 'json');
  expect(written.code).toBe(0);
  expect(JSON.parse(written.out).rows[0].cells['unknown-tool']).toMatchObject({ response: 'fed-back', requests: 3, toolCalls: 1 });
  const run = join(folder, readdirSync(folder).find((name) => name.includes('-faults-')) ?? '');
  expect(readdirSync(join(run, 'report')).sort()).toEqual(['faults.html', 'faults.json', 'faults.md', 'faults.svg']);

  expect(await main(['report', run], { ...SILENT, err: () => {} })).toBe(2);

  const expected = JSON.parse(readFileSync(file, 'utf8')) as FaultExpectation;
  expect((await call('--resume', run, '--expect', file)).code).toBe(0);
  writeFileSync(
    file,
    JSON.stringify({ ...expected, rows: { 'fetch/hardened': { ...expected.rows['fetch/hardened'], 'cut-answer': { response: 'clear-error' } } } }),
  );
  const broken = await call('--resume', run, '--expect', file);
  expect(broken.code).toBe(1);
  expect(broken.err).toContain('fetch/hardened cut-answer: expected clear-error, found silent-wrong in 1 request');
}, 60_000);
