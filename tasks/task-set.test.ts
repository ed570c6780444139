import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { buildTaskSet, ensureTaskSet, loadFacts, loadPlans, loadTargets, loadTasks, loadWarmUps, taskSetName } from './task-set.ts';
import { GENERATOR_VERSION } from './task-set-files.ts';

const scratch = mkdtempSync(join(tmpdir(), 'agentgauge-task-set-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const folder = (name: string) => join(scratch, name);
const filesOf = (directory: string) =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [join(entry.parentPath, entry.name).slice(directory.length), readFileSync(join(entry.parentPath, entry.name)).toString('base64')]),
  );

describe('building a set', () => {
  it('gives the same bytes for the same seed, in any time zone', async () => {
    const directory = folder('same');
    const facts = await buildTaskSet({ name: 'open68', seed: 5, directory });
    const before = process.env['TZ'];
    process.env['TZ'] = 'Pacific/Auckland';
    try {
      const again = await buildTaskSet({ name: 'open68', seed: 5, directory: folder('again') });
      expect(again).toEqual(facts);
    } finally {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    }
    expect(filesOf(folder('again'))).toEqual(filesOf(directory));
    expect(facts).toMatchObject({ name: 'open68', seed: 5, tasks: 68, generator: GENERATOR_VERSION });
    expect(facts.pages).toBeGreaterThanOrEqual(1_500);
  });

  it('gives a generated set of any size the mix of open68', async () => {
    const facts = await buildTaskSet({ name: 'generated', seed: 5, n: 30, directory: folder('thirty') });
    expect(facts).toMatchObject({ name: 'generated', seed: 5, tasks: 30 });
    const tasks = loadTasks(folder('thirty'));
    const count = (key: 'type' | 'level', value: unknown) => tasks.filter((task) => task[key] === value).length;
    expect([count('type', 'zero-tool'), count('type', 'document'), count('type', 'web')]).toEqual([3, 8, 19]);
    expect([count('level', 1), count('level', 2), count('level', 3)]).toEqual([13, 16, 1]);
  });

  it('gives other questions for another seed', async () => {
    await buildTaskSet({ name: 'open68', seed: 6, directory: folder('six') });
    const asked = new Set(loadTasks(folder('same')).map(({ question }) => question));
    const shared = loadTasks(folder('six')).filter(({ question, type }) => type !== 'document' && asked.has(question));
    // A question that names nothing but a year may come up again; it has another answer then.
    expect(shared.length).toBeLessThan(4);
    expect(shared.filter(({ type }) => type === 'zero-tool')).toEqual([]);
  });

  // When this fails because bytes were meant to change: raise GENERATOR_VERSION, then put the new hash here.
  it('raises the generator version with any change of bytes', async () => {
    const { hash, generator } = await buildTaskSet({ name: 'open68', seed: 1, directory: folder('one') });
    expect({ generator, hash }).toEqual({ generator: 8, hash: 'd5c0dda8d54fc559' });
  });

  it('keeps truths out of everything but targets and plans', () => {
    const tasks = readFileSync(join(folder('one'), 'tasks.json'), 'utf8');
    expect(Object.keys(JSON.parse(tasks)[0])).toEqual(['id', 'type', 'level', 'question', 'attachments', 'template', 'width', 'steps']);
    for (const truth of loadTargets(folder('one')).values()) if (truth.length > 4) expect(tasks).not.toContain(`"${truth}"`);
  });

  it('has a warm-up for each type that is no planned task, with a plan and a truth', () => {
    const directory = folder('one');
    const planned = new Set(loadTasks(directory).map(({ id }) => id));
    const questions = new Set(loadPlans(directory).map(({ question }) => question));
    const warmUps = loadWarmUps(directory);
    expect(warmUps.map(({ type }) => type).sort()).toEqual(['document', 'web', 'zero-tool']);
    for (const { id, question } of warmUps) {
      expect(planned.has(id)).toBe(false);
      expect(questions.has(question)).toBe(true);
      expect(loadTargets(directory).has(id)).toBe(true);
    }
  });

  it('replaces what stands in its place', async () => {
    writeFileSync(join(folder('six'), 'left-over.txt'), 'old');
    await buildTaskSet({ name: 'open68', seed: 7, directory: folder('six') });
    expect(loadFacts(folder('six')).seed).toBe(7);
    expect(existsSync(join(folder('six'), 'left-over.txt'))).toBe(false);
  });
});

describe('the cache of built sets', () => {
  const cacheDirectory = folder('cache');

  it('builds once, and finds the set again', async () => {
    const directory = await ensureTaskSet({ name: 'open68', seed: 5, cacheDirectory });
    const marker = join(directory, 'tasks.json');
    const { ino } = statSync(marker);
    expect(await ensureTaskSet({ name: 'open68', seed: 5, cacheDirectory })).toBe(directory);
    expect(statSync(marker).ino).toBe(ino);
  });

  it.each([
    [
      'of another generator',
      (directory: string) => writeFileSync(join(directory, 'set.json'), JSON.stringify({ ...loadFacts(directory), generator: GENERATOR_VERSION - 1 })),
    ],
    ['that lost a file', (directory: string) => rmSync(join(directory, 'web', 'pages.jsonl'))],
    ['with a changed byte', (directory: string) => writeFileSync(join(directory, 'plans.json'), '[]')],
    ['without its facts', (directory: string) => rmSync(join(directory, 'set.json'))],
  ])('builds a set %s anew', async (_, damage) => {
    const directory = await ensureTaskSet({ name: 'open68', seed: 5, cacheDirectory });
    damage(directory);
    await ensureTaskSet({ name: 'open68', seed: 5, cacheDirectory });
    expect(filesOf(directory)).toEqual(filesOf(folder('same')));
  });

  it('serves two processes that ask at once', async () => {
    const shared = folder('shared');
    const children = [1, 2].map(() =>
      fork(fileURLToPath(new URL('./fixtures/ensures-a-set.ts', import.meta.url)), [shared], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }),
    );
    const codes = await Promise.all(children.map(async (child: ChildProcess) => (await once(child, 'exit'))[0]));
    expect(codes).toEqual([0, 0]);
    expect(readdirSync(shared)).toEqual([`open68-5-v${GENERATOR_VERSION}`]);
    expect(filesOf(join(shared, `open68-5-v${GENERATOR_VERSION}`))).toEqual(filesOf(folder('same')));
  });

  it('says which folder cannot be written, and what to do', async () => {
    const blocked = folder('blocked');
    writeFileSync(blocked, 'a file where a folder is due');
    await expect(ensureTaskSet({ name: 'open68', seed: 5, cacheDirectory: blocked })).rejects.toMatchObject({
      code: 'TASK_SET_UNWRITABLE',
      message: expect.stringContaining(blocked),
      remedy: expect.stringContaining('AGENTGAUGE_CACHE'),
    });
  });
});

describe('names of sets', () => {
  it('knows open68, with a seed or without', () => {
    expect(taskSetName('open68')).toEqual({ kind: 'open68', seed: 1, n: 68 });
    expect(taskSetName('open68:seed=7')).toEqual({ kind: 'open68', seed: 7, n: 68 });
    expect(taskSetName('open68:voice=joe,seed=7')).toEqual({ kind: 'open68', seed: 7, n: 68, voice: 'joe' });
  });

  it('knows generated sets by seed and size, in either order, with seed 1 for none', () => {
    expect(taskSetName('generated:seed=7,n=500')).toEqual({ kind: 'generated', seed: 7, n: 500 });
    expect(taskSetName('generated:n=20,seed=7')).toEqual({ kind: 'generated', seed: 7, n: 20 });
    expect(taskSetName('generated:n=20')).toEqual({ kind: 'generated', seed: 1, n: 20 });
  });

  it.each(['open69', '', 'generate:n=5', '../open68', 'jsonl:mine.jsonl', 'gaia:data'])('says what exists when asked for %j', (text) => {
    expect(() => taskSetName(text)).toThrow(expect.objectContaining({ code: 'UNKNOWN_TASK_SET', remedy: expect.stringContaining('generated:seed=N,n=N') }));
  });

  it.each([
    ['open68:seed=x', 'seed "x", not a whole number'],
    ['open68:n=5', 'has "n"; it takes seed'],
    ['generated', 'does not say how many'],
    ['generated:seed=2', 'does not say how many'],
    ['generated:n=0', 'asks for 0 tasks'],
    ['generated:n=9999', 'from 1 to 2000'],
    ['generated:n=5,n=6', 'has n twice'],
    ['generated:n=5,size=6', 'has "size"'],
    ['open68:voice=jo', 'has voice "jo"; there is joe'],
    ['generated:n=5,voice=joe,voice=joe', 'has voice twice'],
  ])('says what is wrong with %j', (text, message) => {
    expect(() => taskSetName(text)).toThrow(
      expect.objectContaining({ code: 'BAD_TASK_SET', message: expect.stringContaining(message), remedy: expect.stringContaining('seed=7') }),
    );
  });
});

describe('reading a built set', () => {
  it('names the directory that holds none, and the file that is no JSON', () => {
    expect(() => loadTasks(folder('nowhere'))).toThrow(expect.objectContaining({ code: 'TASK_SET_MISSING', message: expect.stringContaining('nowhere') }));
    writeFileSync(join(folder('six'), 'tasks.json'), '{');
    expect(() => loadTasks(folder('six'))).toThrow(expect.objectContaining({ code: 'TASK_SET_BROKEN', message: expect.stringContaining('tasks.json') }));
  });
});
