// The long check of isolation: a quick study of every installed row, in a network namespace that holds nothing but loopback, under `strace`. No row may turn to an
// address beyond loopback, change a file outside its worker's folder, or stay on after it was told to leave. Adapters that do so go through the same first.
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ADAPTERS } from '../adapters/registry.ts';
import { cacheDirectory } from '../runners/cache-directory.ts';
import type { RowSpec } from '../runners/plan-spec.ts';
import { whyAbsent } from '../runners/python-environments.ts';
import { readTrials } from '../runners/run-directory.ts';
import { type Isolation, isolationLines, judgeTrace, LONGEST_EXIT_MS } from './isolation/judge-trace.ts';
import { readTrace } from './isolation/strace-lines.ts';
import { TRACED_CALLS, tracedProcesses } from './isolation/traced-processes.ts';
import { cloneRoot, mustRun, runChild } from './run-child.ts';

type Say = (line: string) => void;

const CLI = join(cloneRoot, 'dist', 'scripts', 'cli.js');
const FIXTURES = join(cloneRoot, 'dist', 'adapters', 'fixtures', 'leaves-its-place.js');
/** As `reproduce --quick` has them; side by side, since no time is read from it. */
const QUICK = { sample: 12, coldStarts: 3, concurrency: 4 };
const ONE_TRIAL = { sample: 1, coldStarts: 0 };
const MORE_GOES = 4;
const SHUT_IN = ['--dev-bind', '/', '/', '--unshare-net', '--die-with-parent'];
/** What each fixture does, as it is told of it. */
const SEEN: Readonly<Record<string, RegExp | undefined>> = {
  keepsItsPlace: undefined,
  connectsOutward: /connectsOutward.*connect to 192\.0\.2\.7:443/,
  looksUpAName: /looksUpAName.*a name look-up/,
  writesElsewhere: /writesElsewhere.*open\w* .*left-behind\.txt/,
  lingersAtExit: /lingersAtExit.*after its last word/,
};

/** @returns what was shown, one line. @throws Error naming each process, call and address or path that breaks a rule, or what is missing to look */
export async function checkIsolation(say: Say): Promise<string> {
  await needPrograms();
  await checkItself(say);
  const entries = ADAPTERS.filter((entry) => whyAbsent(entry) === undefined);
  for (const entry of ADAPTERS.filter((one) => !entries.includes(one))) say(`${entry.id} is not here: ${whyAbsent(entry)}`);
  const rows = entries.flatMap(({ id, shapes }) =>
    shapes.filter((shape) => shape !== 'dag').map((shape): RowSpec => ({ framework: id, shape, settings: 'default' })),
  );
  const { isolation, trials } = await tracedStudy(rows, QUICK);
  for (const line of isolationLines(isolation)) say(line);
  const problems = [...isolation.problems, ...(await lateEachTime(isolation, rows, say))];
  if (problems.length > 0) throw new Error(`not shut in:\n  ${problems.join('\n  ')}`);
  const silent = rows.filter(({ framework, shape }) => !isolation.rows.some(({ row, workers }) => row === `${framework}/${shape}` && workers > 0));
  if (silent.length > 0) throw new Error(`no worker was seen of ${silent.map(({ framework, shape }) => `${framework}/${shape}`).join(', ')}`);
  const workers = isolation.rows.reduce((sum, row) => sum + row.workers, 0);
  const worst = Math.max(...isolation.rows.map(({ worstExitMs = 0 }) => worstExitMs));
  return `${rows.length} rows, ${workers} workers, ${trials} trials without a network: nothing beyond loopback, nothing written outside, and no row stays on for more than ${LONGEST_EXIT_MS} ms after its last word (worst seen ${worst.toFixed(1)} ms)`;
}

/** @throws Error when an adapter that breaks a rule is not seen, or one that keeps all is */
async function checkItself(say: Say): Promise<void> {
  const rows = Object.keys(SEEN).map((name): RowSpec => ({ framework: name, shape: 'single', settings: 'default', module: FIXTURES, exportName: name }));
  const { isolation } = await tracedStudy(rows, ONE_TRIAL);
  const problems = [...isolation.problems, ...(await lateEachTime(isolation, rows, say))];
  for (const [name, expected] of Object.entries(SEEN)) {
    const found = problems.filter((problem) => problem.startsWith(`${name}/`));
    if (expected === undefined ? found.length > 0 : !found.some((problem) => expected.test(problem)))
      throw new Error(`this check is blind: of the adapter ${name} it says ${found.join('; ') || 'nothing'}`);
  }
  const foreign = problems.filter((problem) => !Object.keys(SEEN).some((name) => problem.startsWith(`${name}/`)));
  if (foreign.length > 0) throw new Error(`the harness itself is not shut in:\n  ${foreign.join('\n  ')}`);
  say(
    `seen: ${Object.keys(SEEN)
      .filter((name) => SEEN[name] !== undefined)
      .join(', ')}`,
  );
}

/** Rows whose workers stayed on are looked at again: a busy machine holds a process up now and then, an exporter each time. */
async function lateEachTime({ late }: Isolation, rows: readonly RowSpec[], say: Say): Promise<string[]> {
  let left = late;
  for (let again = 1; left.length > 0 && again <= MORE_GOES; again++) {
    const suspects = rows.filter(({ framework, shape }) => left.some(({ row }) => row === `${framework}/${shape}`));
    say(`stayed on, so looked at again: ${suspects.map(({ framework, shape }) => `${framework}/${shape}`).join(', ')}`);
    left = (await tracedStudy(suspects, ONE_TRIAL)).isolation.late;
  }
  return left.map(({ sentence }) => sentence);
}

async function needPrograms(): Promise<void> {
  const missing: string[] = [];
  for (const [program, ...args] of [
    ['strace', '-V'],
    ['bwrap', ...SHUT_IN, 'true'],
  ] as const) {
    const ended = await runChild(program, args).catch(() => undefined);
    if (ended === undefined) missing.push(`${program} is not installed`);
    else if (ended.code !== 0) missing.push(`${program} fails: ${ended.err.trim().split('\n').at(-1)}`);
  }
  if (missing.length > 0) throw new Error(`${missing.join('; ')}. Try: apt install strace bubblewrap (and namespaces must be allowed)`);
}

async function tracedStudy(
  rows: readonly RowSpec[],
  amount: { readonly sample: number; readonly coldStarts: number; readonly concurrency?: number },
): Promise<{ readonly isolation: Isolation; readonly trials: number }> {
  const scratch = mkdtempSync(join(tmpdir(), 'isolation-'));
  try {
    const [plan, trace, temporary, out] = ['plan.json', 'trace', 'tmp', 'runs'].map((name) => join(scratch, name)) as [string, string, string, string];
    mkdirSync(temporary);
    writeFileSync(plan, JSON.stringify({ name: 'isolation', rows, ...amount }));
    const tracing = ['-f', '-y', '-ttt', '-s', '400', '--seccomp-bpf', '-e', `trace=${TRACED_CALLS.join(',')}`, '-o', trace];
    const study = [process.execPath, CLI, 'run', plan, '--out', out];
    const env = { ...process.env, TMPDIR: temporary, AGENTGAUGE_CACHE: cacheDirectory() };
    await mustRun('the traced study', 'bwrap', [...SHUT_IN, 'strace', ...tracing, ...study], { env });
    const lines: string[] = [];
    for await (const line of createInterface({ input: createReadStream(trace) })) if (isOfInterest(line)) lines.push(line);
    const isolation = judgeTrace(tracedProcesses(readTrace(lines), cloneRoot), { ofHarness: [scratch, cacheDirectory()] });
    const [run] = existsSync(out) ? readdirSync(out) : [];
    return { isolation, trials: run === undefined ? 0 : readTrials(join(out, run)).length };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Most lines tell of a file that is read, or is not there: nothing comes of those. */
function isOfInterest(line: string): boolean {
  return !/ (?:open|openat)\([^)]*O_RDONLY(?![^)]*O_(?:CREAT|TRUNC))[^)]*\) += /.test(line);
}
