import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RECORD_VERSION, type TrialRecord } from '../metrics/record.ts';
import { createRunDirectory, isRunHeld, RunDirectory, readManifest } from './run-directory.ts';

const NOW = '2026-01-01T00:00:00.000Z';
let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'agentgauge-test-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const record = (taskId: string): TrialRecord => ({
  recordVersion: RECORD_VERSION,
  framework: 'f',
  shape: 'single',
  settings: 'default',
  taskId,
  taskType: 'web',
  level: 1,
  template: 't',
  width: 1,
  trialIndex: 0,
  seed: 1,
  modelKind: 'simulated',
  model: 'm',
  host: 'h',
  outcome: 'completed',
  events: [],
  usage: { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0 },
  calls: [],
  toolCalls: [],
  wire: 'w',
});

describe('a run directory', () => {
  test('is another one for each run that starts in the same second', () => {
    const names = Array.from({ length: 20 }, () => createRunDirectory(parent, 'quick', NOW));
    expect(new Set(names).size).toBe(20);
  });

  test('is refused where a file stands in its way, with a remedy', () => {
    writeFileSync(join(parent, 'file'), '');
    for (const place of ['file', 'file/below'])
      expect(() => createRunDirectory(join(parent, place), 'quick', NOW)).toThrow(
        expect.objectContaining({ code: 'CANNOT_WRITE', remedy: expect.stringContaining('--out') }),
      );
  });

  test('refuses a second living process and names it', () => {
    const path = createRunDirectory(parent, 'quick', NOW);
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    writeFileSync(join(path, 'run.lock'), JSON.stringify({ pid: other.pid, startedAt: '2026-01-01T00:00:00.000Z' }));
    try {
      expect(isRunHeld(path)).toBe(true);
      expect(() => RunDirectory.take(path, NOW)).toThrow(`in use by process ${other.pid}, started at 2026-01-01T00:00:00.000Z`);
    } finally {
      other.kill();
    }
  });

  test('takes over from a process that is dead, and from a torn lock', () => {
    const path = createRunDirectory(parent, 'quick', NOW);
    for (const lock of [JSON.stringify({ pid: 2 ** 22 + 1, startedAt: NOW }), '{"pid":']) {
      writeFileSync(join(path, 'run.lock'), lock);
      RunDirectory.take(path, NOW).release();
    }
  });

  test('does not take a process id that came round again for the holder', () => {
    const path = createRunDirectory(parent, 'quick', NOW);
    writeFileSync(join(path, 'run.lock'), JSON.stringify({ pid: process.pid, startedAt: NOW, startTicks: '1' }));
    expect(isRunHeld(path)).toBe(false);
  });

  test('sets a half-written last line aside, so that the next record is not glued to it', () => {
    const path = createRunDirectory(parent, 'quick', NOW);
    const first = RunDirectory.take(path, NOW);
    for (const id of ['a', 'b', 'c']) first.appendTrial(record(id));
    first.release();
    appendFileSync(join(path, 'trials.jsonl'), JSON.stringify(record('d')).slice(0, 40));
    const second = RunDirectory.take(path, NOW);
    expect(second.setFragmentsAside()).toBe(1);
    second.appendTrial(record('d'));
    expect((second.lines('trials.jsonl') as TrialRecord[]).map((line) => line.taskId)).toEqual(['a', 'b', 'c', 'd']);
    expect(readFileSync(join(path, 'trials.jsonl.fragment'), 'utf8').length).toBe(40);
    second.release();
  });

  test('tells when records are on the disk itself, for records appended while an earlier flush is under way too', async () => {
    const path = createRunDirectory(parent, 'quick', NOW);
    const run = RunDirectory.take(path, NOW);
    run.appendTrial(record('a'));
    const first = run.trialsOnDisk();
    await Promise.resolve();
    run.appendTrial(record('b'));
    const second = run.trialsOnDisk();
    run.appendTrial(record('c'));
    const shared = run.trialsOnDisk();
    expect(second).not.toBe(first);
    expect(shared).toBe(second);
    await Promise.all([first, second]);
    expect((run.lines('trials.jsonl') as TrialRecord[]).map(({ taskId }) => taskId)).toEqual(['a', 'b', 'c']);
    run.release();
  });

  test('says at which line a record is damaged', () => {
    const path = createRunDirectory(parent, 'quick', NOW);
    const run = RunDirectory.take(path, NOW);
    writeFileSync(join(path, 'trials.jsonl'), '{"a":1}\nnonsense\n{"a":2}\n');
    expect(() => run.lines('trials.jsonl')).toThrow('trials.jsonl line 2 is not JSON');
    run.release();
  });

  test('keeps the lines before a write that fails, and says what to do', () => {
    const path = createRunDirectory(parent, 'quick', NOW);
    const run = RunDirectory.take(path, NOW);
    mkdirSync(join(path, 'trials.jsonl'));
    expect(() => run.appendTrial(record('a'))).toThrow(/Cannot write .*trials\.jsonl/);
    run.release();
  });

  test.skipIf(!existsSync('/dev/full'))('on a full disk stops with what to do, and what was written stays whole', () => {
    const path = createRunDirectory(parent, 'quick', NOW);
    const run = RunDirectory.take(path, NOW);
    run.appendTrial(record('a'));
    run.release();
    const before = readFileSync(join(path, 'trials.jsonl'), 'utf8');
    renameSync(join(path, 'trials.jsonl'), join(path, 'kept'));
    symlinkSync('/dev/full', join(path, 'trials.jsonl'));
    const again = RunDirectory.take(path, NOW);
    expect(() => again.appendTrial(record('b'))).toThrow(expect.objectContaining({ code: 'DISK_FULL', remedy: expect.stringContaining('--resume') }));
    again.release();
    expect(readFileSync(join(path, 'kept'), 'utf8')).toBe(before);
  });

  test('of another record version is refused with both versions', () => {
    const path = createRunDirectory(parent, 'quick', NOW);
    writeFileSync(join(path, 'manifest.json'), JSON.stringify({ recordVersion: 99, agentgauge: '9.9.9' }));
    expect(() => readManifest(path)).toThrow(`has record version 99; this program reads ${RECORD_VERSION}`);
  });

  test('that is no run says so', () => {
    expect(() => readManifest(join(parent, 'nowhere'))).toThrow('holds no run');
  });
});
