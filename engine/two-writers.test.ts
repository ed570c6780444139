// One run, several processes that want to write it: real children, since only a real process can die.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, describe, expect, test as rule, test } from 'vitest';
import { execute, fileCheckpoints, memoryCheckpoints, sqliteCheckpoints, workflow } from './index.ts';
import { newWriter } from './stores/writer.ts';

const scratch = mkdtempSync(join(tmpdir(), 'writers-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
let paths = 0;
const newPath = (kind: string) => join(scratch, `${kind}${paths++}`);

/** A child that has started; each call of `next` gives its next line. */
function holder(kind: string, path: string, run = 'r') {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'fixtures/holds-run.ts'), kind, path, run], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid,
    next: async () => (await lines.next()).value as string | undefined,
    go: () => void child.stdin.write('go\n'),
    finish: () => void child.stdin.end(),
    kill: () =>
      new Promise<void>((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

async function startedHolder(kind: string, path: string) {
  const one = holder(kind, path);
  expect(await one.next()).toBe('ready');
  one.go();
  return one;
}

rule(
  'A run that one process writes is refused to a second with `checkpoint-in-use`, its process and time named; that of a dead process is taken over',
  async () => {
    for (const kind of ['file', 'sqlite']) {
      const path = newPath(kind);
      const first = await startedHolder(kind, path);
      expect(await first.next()).toBe('at work');
      const second = await startedHolder(kind, path);
      const refused = JSON.parse((await second.next()) ?? '') as Record<string, string>;
      expect(refused).toMatchObject({ status: 'failed', code: 'checkpoint-in-use' });
      expect(refused['message']).toMatch(new RegExp(`^run "r" is being written by process ${first.pid} since \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$`));

      await first.kill();
      const third = await startedHolder(kind, path);
      expect(await third.next()).toBe('at work');
      third.finish();
      expect(await third.next()).toBe('{"status":"completed"}');
      const fourth = await startedHolder(kind, path);
      expect(await fourth.next()).toBe('{"status":"completed"}');
    }
  },
);

describe.each(['file', 'sqlite'])('store %s', (kind) => {
  test('of several processes that find the claim of a dead one at the same time, one gets the run', async () => {
    const path = newPath(kind);
    const dead = await startedHolder(kind, path);
    expect(await dead.next()).toBe('at work');
    await dead.kill();
    const all = Array.from({ length: 5 }, () => holder(kind, path));
    for (const one of all) expect(await one.next()).toBe('ready');
    for (const one of all) one.go();
    const told = await Promise.all(all.map((one) => one.next()));
    expect(told.filter((line) => line === 'at work')).toHaveLength(1);
    expect(told.filter((line) => line?.includes('"code":"checkpoint-in-use"'))).toHaveLength(4);
  });
});

describe.each([
  ['memory', () => memoryCheckpoints()],
  ['file', () => fileCheckpoints(newPath('file'))],
  ['sqlite', () => sqliteCheckpoints(newPath('sqlite'))],
])('store %s', (_, open) => {
  test('refuses a run that this process executes already, names that, and gives it again at once when it is let go', async () => {
    const store = open();
    const letGo = await store.claim?.('a');
    await expect(store.claim?.('a')).rejects.toMatchObject({ code: 'checkpoint-in-use', message: expect.stringContaining('process') });
    const other = await store.claim?.('b');
    const going = letGo?.();
    const again = await store.claim?.('a');
    await Promise.all([going, other?.(), again?.()]);
    expect(await store.load('a')).toEqual([]);
  });
});

test.each([
  ['memory', () => memoryCheckpoints()],
  ['file', () => fileCheckpoints(newPath('file'), { sync: false })],
  ['sqlite', () => sqliteCheckpoints(newPath('sqlite'))],
])('a run that is aborted while its checkpoint opens is free for the next execution at once (%s)', async (_, open) => {
  const flow = workflow<string, string>('short');
  const echo = flow.node('echo', { run: (input: string) => input });
  const checked = flow.connect(flow.start, echo).finish(echo).build();
  const store = open();
  for (let turns = 0; turns < 40; turns++) {
    const checkpoint = { store, run: `r${turns}` };
    const stop = new AbortController();
    const first = execute(checked, 'in', { checkpoint, signal: stop.signal });
    // Half of them within one turn of the event loop, where the steps of a store that waits for nothing lie.
    for (let i = 0; i < turns / 2; i++) await (turns % 2 === 0 ? Promise.resolve() : new Promise((resolve) => setImmediate(resolve)));
    stop.abort();
    await first.result;
    const second = await execute(checked, 'in', { checkpoint }).result;
    expect([turns, second.status === 'failed' ? second.error.message : second.status]).toEqual([turns, 'completed']);
  }
});

test('a claim is believed or not by more than the number of its process', async () => {
  const path = newPath('file');
  const store = fileCheckpoints(path);
  const folder = join(path, 'run-a');
  const claims = () => readdirSync(folder).filter((name) => name.startsWith('writer-'));
  await (await store.claim?.('a'))?.();
  expect(claims()).toEqual([]);
  // Of a process that is at work: the one that runs this.
  const atWork = { ...newWriter(), token: 'another', pid: process.ppid, thread: 0 };
  const { began: _began, ...unknownStart } = atWork;
  const put = (claim: object | string) => writeFileSync(join(folder, 'writer-7.json'), typeof claim === 'string' ? claim : JSON.stringify(claim));
  const refusal = { code: 'checkpoint-in-use' };
  put({ ...unknownStart, host: 'elsewhere' });
  await expect(store.claim?.('a')).rejects.toMatchObject({ ...refusal, message: expect.stringContaining('machine "elsewhere"') });
  put(unknownStart);
  await expect(store.claim?.('a')).rejects.toMatchObject(refusal);
  for (const dead of [
    { ...unknownStart, boot: 'an earlier start of the machine' },
    { ...atWork, began: '1' },
    { ...atWork, pid: process.pid },
    '{"token":"half',
  ]) {
    if (process.platform !== 'linux' && typeof dead === 'object' && dead.pid !== process.pid) continue;
    put(dead);
    const letGo = await store.claim?.('a');
    expect(claims()).toEqual(['writer-8.json']);
    expect(JSON.parse(readFileSync(join(folder, 'writer-8.json'), 'utf8'))).toMatchObject({ pid: process.pid });
    await letGo?.();
    expect(readdirSync(folder)).toEqual([]);
  }
});
