// kill -9 at random instants: starts a study, kills its whole process group, resumes, kills again, and at the end holds the exact part of the report against
// a run that nobody disturbed. `check-kills [KILLS] [SEED]`. The instants are seeded; what the machine does at such an instant is not.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { messageOf } from '../base/error.ts';
import { type Random, seededRandom } from '../base/random.ts';
import { cloneRoot, mustRun } from './run-child.ts';

const CLI = join(cloneRoot, 'dist', 'scripts', 'cli.js');
/** Two bare rows and one heavy one: what is killed is the host's work, and that is the same for every row. */
const STUDY = ['reproduce', '--quick', '--yes', '--seed', '11', '--shape', 'single', '--frameworks', 'fetch,engine,langgraph'];
const KILLS_A_RUN = 6;
const ORPHAN_LIMIT_MS = 10_000;

export interface KillOptions {
  readonly kills: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

/** @returns what was shown, one line. @throws Error when a record is lost, doubled or different, or a process outlives its study */
export async function checkKills({ kills, seed, say }: KillOptions): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), 'kills-'));
  let keep = true; // what failed is left to be looked at
  try {
    const startMs = systemClock.nowMs();
    await mustRun('the undisturbed study', process.execPath, [CLI, ...STUDY, '--out', join(scratch, 'undisturbed')]);
    const spanMs = systemClock.nowMs() - startMs;
    const reference = await readExact(newestRun(join(scratch, 'undisturbed')));
    const random = seededRandom('kills', seed);
    let done = 0;
    let runs = 0;
    while (done < kills) {
      const parent = join(scratch, `run-${runs}`);
      done += await disturb(parent, Math.min(KILLS_A_RUN, kills - done), spanMs, random);
      runs += 1;
      const run = newestRun(parent);
      compare(reference, await readExact(run), `run ${runs} after its kills`);
      rmSync(parent, { recursive: true });
      say(`${done} of ${kills} kills, ${runs} runs equal to the undisturbed one`);
    }
    keep = false;
    return `${kills} kills in ${runs} runs: no trial lost, none twice, the same exact report`;
  } catch (error) {
    throw new Error(`${messageOf(error)}\n  (runs are left in ${scratch})`, { cause: error });
  } finally {
    if (!keep) rmSync(scratch, { recursive: true, force: true });
  }
}

/** Starts, kills and resumes one run until it has had its kills, then lets it finish. @returns how many kills hit a live study */
async function disturb(parent: string, kills: number, spanMs: number, random: Random): Promise<number> {
  let hits = 0;
  for (let turn = 0; turn < kills; turn++) {
    const run = newestRun(parent);
    const child = spawn(process.execPath, [CLI, ...(run === undefined ? [...STUDY, '--out', parent] : ['reproduce', '--resume', run])], {
      cwd: cloneRoot,
      detached: true,
      stdio: 'ignore',
    });
    const ended = new Promise<boolean>((resolve) => child.on('close', (code) => resolve(code === 0)));
    const finished = await Promise.race([ended, pause(random.next() * Math.min(spanMs, 8000)).then(() => undefined)]);
    if (finished === false) throw new Error(`the study failed by itself; see ${String(run)}`);
    if (finished === true) break; // it was faster than the kill
    await killGroup(child, ended);
    hits += 1;
  }
  const run = newestRun(parent);
  await mustRun('the last resume', process.execPath, [CLI, ...(run === undefined ? [...STUDY, '--out', parent] : ['reproduce', '--resume', run])]);
  return hits;
}

async function killGroup(child: ChildProcess, ended: Promise<boolean>): Promise<void> {
  const { pid } = child;
  if (pid === undefined) throw new Error('the study did not start');
  const family = descendantsOf(pid);
  process.kill(-pid, 'SIGKILL');
  await ended;
  // Workers have groups of their own: the host kills them in life, a lost channel after its death.
  const deadlineMs = systemClock.nowMs() + ORPHAN_LIMIT_MS;
  for (;;) {
    const left = [...family.filter(isAlive).map((relative) => relative.pid), ...orphans()];
    if (left.length === 0) return;
    if (systemClock.nowMs() > deadlineMs) throw new Error(`processes outlived their killed study: ${[...new Set(left)].map(describe).join('; ')}`);
    await pause(50);
  }
}

/** Workers and services of this clone that no study owns any more: also those that were born while we looked at the family. */
function orphans(): number[] {
  const ours = ['adapters', 'models', 'tools'].map((folder) => join(cloneRoot, 'dist', folder));
  return allPids().filter((pid) => readStat(pid)?.parent === 1 && readStat(pid)?.state !== 'Z' && ours.some((folder) => commandOf(pid).includes(folder)));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return ''; // ended meanwhile
  }
}

function describe(pid: number): string {
  return `${pid} (${readStat(pid)?.state ?? 'gone'}) ${commandOf(pid).trim()}`;
}

function allPids(): number[] {
  return existsSync('/proc')
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
    : [];
}

interface Relative {
  readonly pid: number;
  readonly startTicks: string;
}

function isAlive({ pid, startTicks }: Relative): boolean {
  const facts = readStat(pid);
  return facts !== undefined && facts.startTicks === startTicks && facts.state !== 'Z';
}

function readStat(pid: number): { parent: number; startTicks: string; state: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', parent: Number(fields[1]), startTicks: fields[19] ?? '' };
  } catch {
    return undefined; // ended, or no procfs
  }
}

function descendantsOf(root: number): Relative[] {
  const all = allPids().map((pid) => ({ pid, facts: readStat(pid) }));
  const found: Relative[] = [];
  const parents = new Set([root]);
  for (let before = -1; before !== parents.size; ) {
    before = parents.size;
    for (const { pid, facts } of all) {
      if (facts === undefined || !parents.has(facts.parent) || parents.has(pid)) continue;
      parents.add(pid);
      found.push({ pid, startTicks: facts.startTicks });
    }
  }
  return found;
}

/** The run with a manifest that was made last; a kill before the manifest leaves nothing to resume. */
function newestRun(parent: string): string | undefined {
  if (!existsSync(parent)) return undefined;
  const runs = readdirSync(parent)
    .map((name) => join(parent, name))
    .filter((run) => existsSync(join(run, 'manifest.json')));
  return runs.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
}

async function readExact(run: string | undefined): Promise<string> {
  if (run === undefined) throw new Error('the study left no run');
  const keys = readFileSync(join(run, 'trials.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { framework, shape, settings, taskId, trialIndex } = JSON.parse(line) as Record<string, string | number>;
      return [framework, shape, settings, taskId, trialIndex].join('/');
    });
  const twice = keys.filter((key, index) => keys.indexOf(key) !== index);
  if (twice.length > 0) throw new Error(`recorded twice: ${twice.join(', ')}`);
  const { out } = await mustRun('report --exact', process.execPath, [CLI, 'report', run, '--exact', '--format', 'json']);
  return `${[...keys].sort().join('\n')}\n${out}`;
}

function compare(expected: string, found: string, what: string): void {
  if (expected === found) return;
  const lines = found.split('\n');
  const place = expected.split('\n').findIndex((line, index) => line !== lines[index]);
  throw new Error(`${what} differs at line ${place + 1}:\n  undisturbed: ${expected.split('\n')[place]}\n  disturbed:   ${lines[place]}`);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

if (import.meta.main) {
  const [kills = '10', seed = '1'] = process.argv.slice(2);
  try {
    const shown = await checkKills({ kills: Number(kills), seed: Number(seed), say: (line) => process.stdout.write(`kills: ${line}\n`) });
    process.stdout.write(`kills: ${shown}\n`);
  } catch (error) {
    process.stdout.write(`kills: FAILED: ${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}
