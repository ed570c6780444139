// What the reader does with whole, half-written, foreign and missing files.
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { FETCH, storeRun, tinyRun, trialOf } from './fixtures/tiny-run.ts';
import { loadRun } from './load-run.ts';
import { readLines } from './read-lines.ts';

const made: string[] = [];
afterEach(async () => {
  for (const directory of made.splice(0)) await rm(directory, { recursive: true, force: true });
});

async function stored(): Promise<string> {
  const directory = await storeRun(tinyRun());
  made.push(directory);
  return directory;
}

async function refusal(directory: string): Promise<string> {
  const error = await loadRun(directory).then(
    () => undefined,
    (thrown: Error & { code: string; remedy?: string }) => thrown,
  );
  return `${error?.code}: ${error?.message} | ${error?.remedy}`.replaceAll(directory, 'RUN');
}

describe('loadRun', () => {
  it('adds up the records and brings back workers and wires', async () => {
    const run = await loadRun(await stored());
    expect(run.trials.recorded).toBe(12);
    expect(run.workers).toHaveLength(6);
    expect(run.wires).toHaveLength(3);
    expect(run.setAside).toEqual([]);
  });

  it('sets a half-written last line aside and says so', async () => {
    const directory = await stored();
    await appendFile(join(directory, 'trials.jsonl'), JSON.stringify(trialOf(FETCH, 'web-1')).slice(0, 40));
    const run = await loadRun(directory);
    expect(run.trials.recorded).toBe(12);
    expect(run.setAside).toEqual([{ why: 'half-written last lines', n: 1 }]);
  });

  it('counts a second record of a trial and a trial outside the plan apart', async () => {
    const directory = await stored();
    const more = [
      trialOf(FETCH, 'web-1', { score: { rule: 'number', correct: false } }),
      trialOf(FETCH, 'elsewhere'),
      trialOf(FETCH, 'web-1', { trialIndex: 1 }),
    ];
    await appendFile(join(directory, 'trials.jsonl'), more.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const run = await loadRun(directory);
    expect(run.trials.recorded).toBe(12);
    expect(run.setAside).toEqual([
      { why: 'records of trials that are not in the plan', n: 2 },
      { why: 'second records of a trial that has one', n: 1 },
    ]);
  });

  it('names both versions and the remedy when a record is of another version', async () => {
    const directory = await stored();
    await appendFile(join(directory, 'trials.jsonl'), `${JSON.stringify({ ...trialOf(FETCH, 'web-1'), recordVersion: 7 })}\n`);
    expect(await refusal(directory)).toMatchInlineSnapshot(
      `"RECORD_VERSION: RUN/trials.jsonl:13: record version 7, this program reads version 1 | Read it with the newer agentgauge that wrote it."`,
    );
  });

  it('names file and line of a broken line that is not the last', async () => {
    const directory = await stored();
    await appendFile(join(directory, 'trials.jsonl'), '{"recordVersion":1,\n{}\n');
    expect(await refusal(directory)).toContain('RUN_BROKEN: RUN/trials.jsonl:13 is no JSON');
  });

  it.each([
    ['a folder that is not there', async () => join(tmpdir(), 'agentgauge-no-such-run'), /RUN_MISSING: there is no run at/],
    ['a folder without a manifest', async () => emptyFolder(), /RUN_MISSING: there is no RUN\/manifest.json/],
    ['a file', async () => aFile(), /RUN_MISSING: .* is a file/],
  ])('refuses %s in one line with a remedy', async (_, make, expected) => {
    expect(await refusal(await make())).toMatch(expected);
  });

  it('needs no workers and no wires', async () => {
    const directory = await stored();
    await rm(join(directory, 'workers.jsonl'));
    await rm(join(directory, 'wires.jsonl'));
    expect((await loadRun(directory)).workers).toEqual([]);
  });
});

describe('readLines', () => {
  it('splits at line feeds only, also inside a letter that two chunks share', async () => {
    const path = join(await emptyFolder(), 'lines');
    const long = 'ü'.repeat(200_000);
    await writeFile(path, `a\u2028b\n${long}\nlast`);
    const lines = [];
    for await (const batch of readLines(path)) lines.push(...batch);
    expect(lines.map(({ text }) => text)).toEqual(['a\u2028b', long, 'last']);
    expect(lines.map(({ ended }) => ended)).toEqual([true, true, false]);
  });
});

async function emptyFolder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'agentgauge-report-'));
  made.push(directory);
  return directory;
}

async function aFile(): Promise<string> {
  const path = join(await emptyFolder(), 'file');
  await writeFile(path, '');
  return path;
}
