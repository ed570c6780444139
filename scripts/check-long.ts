// `npm run check:long [-- PART…]`: the checks that take minutes to an hour. Each part that passes is written to docs/long-checks.md with date and commit, at
// once, so that an interrupted call goes on where it stopped: without names, only parts that have not passed at this commit are run.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { messageOf } from '../base/error.ts';
import { killAndResume } from '../engine/fixtures/kill-resume.ts';
import { checkArm } from './check-arm.ts';
import { checkContainer } from './check-container.ts';
import { checkFaults } from './check-faults.ts';
import { checkImplied } from './check-implied.ts';
import { checkIsolation } from './check-isolation.ts';
import { checkKills } from './check-kills.ts';
import { checkLocalModel } from './check-local-model.ts';
import { checkPack } from './check-pack.ts';
import { checkPythonRows } from './check-python-rows.ts';
import { checkSpeechVoice } from './check-speech-voice.ts';
import { cloneRoot, mustRun, runChild } from './run-child.ts';

type Say = (line: string) => void;

interface Part {
  readonly name: string;
  readonly about: string;
  /** @returns what was shown, one line. @throws Error when it does not hold */
  readonly check: (say: Say) => Promise<string>;
}

const CLI = join(cloneRoot, 'dist', 'scripts', 'cli.js');
const SEEDS = 20;
const GRAPHS = 20;

const PARTS: readonly Part[] = [
  { name: 'pack', about: 'the packed package, installed elsewhere', check: (say) => checkPack({ study: true, say }) },
  { name: 'kills', about: '200 kills -9 with resume', check: (say) => checkKills({ kills: 200, seed: 1, say }) },
  { name: 'engine-kills', about: '100 kills -9 of a run of 200 nodes with file checkpoints, 30 with SQLite', check: checkEngineKills },
  { name: 'engine-graphs', about: `random graphs against the reference interpreter, ${GRAPHS} times as many as in the tests`, check: checkGraphs },
  { name: 'seeds', about: `tasks check on ${SEEDS} seeds`, check: checkSeeds },
  { name: 'generated-500', about: 'tasks check on a generated set of 500, built within 60 s and 1 GB, and open68 within 10 s', check: checkGenerated },
  { name: 'arm', about: 'open68 written by Node for arm64, emulated, byte for byte as on x86-64', check: checkArm },
  { name: 'full-study', about: 'the full Node study, twice with one seed', check: checkFullStudy },
  { name: 'faults', about: 'what Node rows do with each fault, against what is known of them', check: (say) => checkFaults({ say }) },
  { name: 'isolation', about: 'a quick study of every row, without a network and under strace', check: checkIsolation },
  { name: 'implied', about: 'runs of the memory ablation against the accuracy that their readings imply', check: checkImplied },
  { name: 'python-rows', about: 'set-up, conformance and clean study of every Python row', check: (say) => checkPythonRows({ say }) },
  {
    name: 'speech-voice',
    about: 'set-up of a natural voice, tasks check on a set that it speaks, and the same bytes twice',
    check: (say) => checkSpeechVoice(say),
  },
  { name: 'local-model', about: 'set-up of a local model, a study on it, and its replay', check: checkLocalModel },
  { name: 'container', about: 'the image, and the quick study in it without network', check: (say) => checkContainer({ say }) },
];

async function checkEngineKills(say: Say): Promise<string> {
  const files = await killAndResume({ kills: 100, seed: 1, say });
  return `files: ${files}; SQLite: ${await killAndResume({ kills: 30, seed: 1, store: 'sqlite', say })}`;
}

async function checkGraphs(): Promise<string> {
  const vitest = join(cloneRoot, 'node_modules', 'vitest', 'vitest.mjs');
  const env = { ...process.env, RANDOM_GRAPHS: String(GRAPHS) };
  await mustRun('random graphs', process.execPath, [vitest, 'run', 'engine/random-graphs.test.ts'], { env });
  return `${GRAPHS} × the default number of graphs and timings`;
}

async function checkSeeds(say: Say): Promise<string> {
  for (let seed = 1; seed <= SEEDS; seed++) {
    await mustRun(`tasks check with seed ${seed}`, process.execPath, [CLI, 'tasks', 'check', `open68:seed=${seed}`]);
    say(`${seed} of ${SEEDS} seeds`);
  }
  return `seeds 1 to ${SEEDS}: every plan reaches its truth through the tools`;
}

const LARGE = 500;
/** On one core; what is there already opens in half a second. */
const LONGEST_BUILD_S = { open68: 10, [LARGE]: 60 } as const;
const LONGEST_LOAD_S = 0.5;
const MOST_MEMORY_MB = 1_000;

async function checkGenerated(say: Say): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), 'generated-'));
  try {
    const shown: string[] = [];
    for (const [set, longest] of Object.entries(LONGEST_BUILD_S)) {
      const { out } = await mustRun(`building ${set}`, process.execPath, [join(cloneRoot, 'dist', 'scripts', 'fixtures', 'builds-a-set.js'), set, scratch]);
      const { seconds, loadSeconds, megabytes } = JSON.parse(out) as { seconds: number; loadSeconds: number; megabytes: number };
      const took = `${set} built in ${seconds.toFixed(1)} s and ${megabytes.toFixed(0)} MB, opened in ${loadSeconds.toFixed(2)} s`;
      say(took);
      if (seconds > longest || loadSeconds > LONGEST_LOAD_S || megabytes > MOST_MEMORY_MB) throw new Error(took);
      shown.push(took);
    }
    await mustRun('tasks check', process.execPath, [CLI, 'tasks', 'check', `generated:seed=1,n=${LARGE}`]);
    return `${shown.join('; ')}; every plan of the ${LARGE} reaches its truth`;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function checkFullStudy(say: Say): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), 'full-'));
  try {
    const reports: string[] = [];
    const seconds: string[] = [];
    for (const side of ['a', 'b']) {
      const out = join(scratch, side);
      const startMs = systemClock.nowMs();
      await mustRun('the full study', process.execPath, [CLI, 'reproduce', '--node-only', '--yes', '--seed', '1', '--out', out]);
      seconds.push(((systemClock.nowMs() - startMs) / 1000).toFixed(0));
      const { out: found } = await mustRun('find', 'find', [out, '-name', 'manifest.json', '-printf', '%h']);
      const exact = await mustRun('report --exact', process.execPath, [CLI, 'report', found, '--exact', '--format', 'json']);
      reports.push(exact.out);
      say(`run ${side}: ${seconds.at(-1)} s`);
    }
    if (reports[0] !== reports[1]) throw new Error('two runs of one seed differ in their exact part');
    return `two runs with the same exact part, ${seconds.join(' and ')} s`;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const LOG = join(cloneRoot, 'docs', 'long-checks.md');
const HEAD = `# Long checks

Written by \`npm run check:long\`: the last pass of each part, and at which commit.

| part | what | last passed | commit | shown |
|---|---|---|---|---|
`;

interface Pass {
  readonly name: string;
  readonly cells: readonly string[];
}

function readPasses(): Pass[] {
  if (!existsSync(LOG)) return [];
  const rows = readFileSync(LOG, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| part'));
  return rows.map((row) => {
    const cells = row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { name: cells[0] ?? '', cells };
  });
}

function writePass(part: Part, commit: string, shown: string): void {
  const pass: Pass = { name: part.name, cells: [part.name, part.about, systemClock.nowIso().slice(0, 10), commit, shown.replaceAll('|', '/')] };
  const passes = [...readPasses().filter(({ name }) => name !== part.name), pass];
  const known = PARTS.flatMap(({ name }) => passes.filter((candidate) => candidate.name === name));
  writeFileSync(LOG, HEAD + known.map(({ cells }) => `| ${cells.join(' | ')} |\n`).join(''));
}

/** The commit, marked when the tree differs from it; an archive without .git has none. */
async function currentCommit(): Promise<string> {
  const head = await runChild('git', ['rev-parse', '--short=12', 'HEAD']).catch(() => undefined);
  if (head === undefined || head.code !== 0) return 'unknown';
  const status = await runChild('git', ['status', '--porcelain', '--', '.', ':!docs/long-checks.md']);
  return status.out === '' ? head.out.trim() : `${head.out.trim()} with changes`;
}

async function main(names: readonly string[]): Promise<number> {
  const stranger = names.find((name) => !PARTS.some((part) => part.name === name));
  if (stranger !== undefined) {
    process.stderr.write(`agentgauge: there is no part ${JSON.stringify(stranger)}\n  Parts: ${PARTS.map(({ name }) => name).join(', ')}.\n`);
    return 2;
  }
  const commit = await currentCommit();
  const passed = readPasses().filter(({ cells }) => cells[3] === commit && /^[0-9a-f]+$/.test(commit));
  let failures = 0;
  for (const part of PARTS) {
    if (names.length > 0 ? !names.includes(part.name) : passed.some(({ name }) => name === part.name)) {
      if (names.length === 0) process.stdout.write(`${part.name}: passed at this commit already\n`);
      continue;
    }
    const startMs = systemClock.nowMs();
    process.stdout.write(`${part.name}: ${part.about}\n`);
    const seconds = () => ((systemClock.nowMs() - startMs) / 1000).toFixed(0);
    try {
      const shown = await part.check((line) => process.stdout.write(`  ${line}\n`));
      writePass(part, commit, shown);
      process.stdout.write(`${part.name}: ok (${seconds()} s): ${shown}\n`);
    } catch (error) {
      failures += 1;
      process.stdout.write(`${part.name}: FAILED (${seconds()} s): ${messageOf(error)}\n`);
    }
  }
  return failures === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
