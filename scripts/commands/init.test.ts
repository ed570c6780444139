import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import { parsePlanSpec } from '../../runners/plan-spec.ts';
import { interpreterOf } from '../../runners/python-environments.ts';
import { resolveRows } from '../../runners/rows.ts';
import type { Command, CommandIo } from '../command.ts';
import { conformance } from './conformance.ts';
import { init } from './init.ts';

const scratch = mkdtempSync(join(tmpdir(), 'agentgauge-init-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function run(command: Command, positionals: readonly string[], values: Readonly<Record<string, string>> = {}) {
  let printed = '';
  const io: CommandIo = {
    stdin: Readable.from([]),
    out: (text) => {
      printed += text;
    },
    err: () => {},
    terminal: false,
    columns: 100,
    signal: new AbortController().signal,
  };
  return { code: await command.run({ positionals, values }, io), printed };
}

const folderOf = (name: string) => {
  const folder = join(scratch, name);
  mkdirSync(folder);
  return folder;
};

const LANGUAGES = [
  { language: 'typescript', file: 'my-framework.ts', rows: ['my-framework', 'fetch'] },
  { language: 'python', file: 'my-framework.py', rows: ['my-framework', 'httpx', 'fetch'] },
] as const;

describe.each(LANGUAGES)('agentgauge init adapter --language $language', ({ language, file, rows }) => {
  test.skipIf(language === 'python' && interpreterOf('shared') === undefined)(
    'writes an adapter that passes every case before anything is edited',
    async () => {
      const out = folderOf(`${language} adapter`);
      expect(await run(init, ['adapter', 'my-framework'], { language, out })).toMatchObject({ code: 0 });
      const { code, printed } = await run(conformance, [join(out, file)]);
      expect(printed).toMatch(/\n\d+ passed, 0 failed, 0 skipped/);
      expect(code).toBe(0);
    },
    180_000,
  );

  test('writes a plan that names the adapter and the bare loops, and says what to call next', async () => {
    const out = folderOf(`${language} plan`);
    const { printed } = await run(init, ['adapter', 'my-framework'], { language, out });
    expect(readdirSync(out).sort()).toEqual(['my-framework.plan.json', file]);
    expect(printed).toContain(`npm run agentgauge -- conformance '${join(out, file)}'`);
    expect(printed).toContain(`npm run agentgauge -- run '${join(out, 'my-framework.plan.json')}'`);
    const plan = parsePlanSpec(JSON.parse(readFileSync(join(out, 'my-framework.plan.json'), 'utf8')), 'plan');
    expect(plan.rows.map(({ framework }) => framework)).toEqual(rows);
    expect(readFileSync(join(out, file), 'utf8')).not.toContain('{{');
    if (language === 'typescript')
      expect(resolveRows(plan.rows, out)).toMatchObject({ rows: [{ framework: 'my-framework' }, { framework: 'fetch' }], absent: [] });
  });
});

describe('agentgauge init', () => {
  test.each(['my-framework.ts', 'my-framework.plan.json'])('leaves %s alone when it is there, and writes nothing beside it', async (there) => {
    const out = folderOf(there);
    writeFileSync(join(out, there), 'work of days');
    await expect(run(init, ['adapter', 'my-framework'], { out })).rejects.toMatchObject({ code: 'FILE_EXISTS', message: expect.stringContaining(there) });
    expect(readdirSync(out)).toEqual([there]);
    expect(readFileSync(join(out, there), 'utf8')).toBe('work of days');
  });

  test.each([
    [[], {}, 'BAD_OPTION'],
    [['adapter'], {}, 'BAD_OPTION'],
    [['plan', 'mine'], {}, 'BAD_OPTION'],
    [['adapter', 'one', 'two'], {}, 'BAD_OPTION'],
    [['adapter', 'mine'], { language: 'rust' }, 'BAD_OPTION'],
    [['adapter', 'langgraph'], {}, 'NAME_TAKEN'],
    [['adapter', 'My Framework'], {}, 'BAD_NAME'],
    [['adapter', '../mine'], {}, 'BAD_NAME'],
    [['adapter', 'mine.ts'], {}, 'BAD_NAME'],
    [['adapter', 'a'.repeat(33)], {}, 'BAD_NAME'],
    [['adapter', 'mine'], { out: '/dev/null/here' }, 'CANNOT_WRITE'],
  ] as const)('refuses %j with %j as %s, with a remedy', async (positionals, values, code) => {
    await expect(run(init, positionals, values)).rejects.toMatchObject({ name: 'UsageError', code, remedy: expect.stringMatching(/./) });
  });
});
