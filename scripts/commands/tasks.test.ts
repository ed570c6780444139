import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tasks } from './tasks.ts';

const cache = mkdtempSync(join(tmpdir(), 'agentgauge-tasks-'));
const before = process.env['AGENTGAUGE_CACHE'];
beforeAll(() => {
  process.env['AGENTGAUGE_CACHE'] = cache;
});
afterAll(() => {
  if (before === undefined) delete process.env['AGENTGAUGE_CACHE'];
  else process.env['AGENTGAUGE_CACHE'] = before;
  rmSync(cache, { recursive: true, force: true, maxRetries: 5 });
});

async function run(positionals: string[], values: Record<string, string> = {}) {
  let out = '';
  const io = {
    stdin: Readable.from([]),
    out: (text: string) => {
      out += text;
    },
    err: () => {},
    terminal: false,
    columns: 80,
    signal: new AbortController().signal,
  };
  const code = await tasks.run({ positionals, values }, io);
  return { code, out };
}

describe('agentgauge tasks', () => {
  it('checks a set that it builds first, and ends with 0 when nothing is wrong', async () => {
    const { code, out } = await run(['check', 'open68'], { seed: '2' });
    expect(out).toMatch(/^open68, seed 2, hash [0-9a-f]{16}: 68 tasks, \d+ pages\n71 of 71 plans reach their truth/);
    expect(out).toMatch(/nothing wrong found \(\d+ s\)\n71 of 71 tasks solved twice, .*: every kind of question\n$/);
    expect(code).toBe(0);
  });

  it('shows a task with its plan and its truth, as text and as JSON', async () => {
    const { out } = await run(['show', 'open68-document-001'], { seed: '2' });
    expect(out).toMatch(/^open68-document-001: document, level 1, \d steps in 1 chain/);
    expect(out).toContain('attachment-1.pdf');
    expect(out).toMatch(/truth: \d+\n/);
    const json = JSON.parse((await run(['show', 'open68-document-001'], { seed: '2', format: 'json' })).out);
    expect(Object.keys(json)).toEqual(['id', 'type', 'level', 'question', 'attachments', 'template', 'width', 'steps', 'truth', 'plan']);
  });

  it('writes a page with every task, that loads nothing from elsewhere', async () => {
    const file = join(cache, 'set.html');
    const { out } = await run(['preview', 'generated:seed=2,n=9'], { out: file });
    expect(out).toBe(`9 tasks of generated, seed 2: ${file}\n`);
    const page = readFileSync(file, 'utf8');
    expect(page.match(/<article /g)).toHaveLength(9);
    expect(page).not.toMatch(/(?:src|href)="(?!#)/);
    expect((await run(['show', 'generated-web-001'], { tasks: 'generated:seed=2,n=9' })).out).toMatch(/^generated-web-001: web/);
  });

  it.each([
    [['show', 'generated-web-001'], {}, 'BAD_ARGUMENTS'],
    [[], {}, 'BAD_ARGUMENTS'],
    [['check'], {}, 'BAD_ARGUMENTS'],
    [['paint', 'open68'], {}, 'BAD_ARGUMENTS'],
    [['check', 'open69'], {}, 'UNKNOWN_TASK_SET'],
    [['show', 'gaia-1'], {}, 'UNKNOWN_TASK_SET'],
    [['show', 'open68-web-999'], { seed: '2' }, 'UNKNOWN_TASK'],
    [['check', 'open68'], { seed: 'x' }, 'BAD_OPTION'],
    [['check', 'open68'], { format: 'xml' }, 'BAD_OPTION'],
    [['check', 'open68'], { seed: '2', recall: '1.5' }, 'BAD_OPTION'],
    [['check', 'open68'], { seed: '2', noise: 'much' }, 'BAD_OPTION'],
  ])('says what is wrong with %j %j', async (positionals, values, code) => {
    await expect(run(positionals as string[], values as Record<string, string>)).rejects.toMatchObject({ code, remedy: expect.any(String) });
  });
});
