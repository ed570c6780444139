// The command line as its users meet it: mistakes answered in one clear line with the right exit code, and real processes that are interrupted, killed or left by their reader.
// What a study measures is tested in runners/ and metrics/.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ADAPTERS } from '../adapters/registry.ts';
import { COMMAND_NAMES } from './called.ts';
import { main } from './cli.ts';

const CLI = fileURLToPath(new URL('./cli.ts', import.meta.url));
const FIXTURES = fileURLToPath(new URL('../adapters/fixtures/', import.meta.url));
/** Blanks and letters beyond ASCII: a folder as users have them. */
const folder = join(mkdtempSync(join(tmpdir(), 'agentgauge-cli-')), 'mein Ordner ü');
mkdirSync(folder);
afterAll(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const planFile = (name: string, plan: object) =>
  file(`${name}.json`, JSON.stringify({ name, rows: [{ framework: 'fetch' }], sample: 4, coldStarts: 0, profile: 'clean', ...plan }));

async function called(...argv: string[]) {
  let out = '';
  let err = '';
  const code = await main(argv, {
    stdin: Readable.from([]),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    terminal: false,
    columns: 100,
    signal: new AbortController().signal,
  });
  return { code, out, err };
}

test('every command says of itself in the list what it says in its help, and names commands as they are typed here', async () => {
  const listed = [...(await called('--help')).out.matchAll(/^ {2}(\w+) +(.+)$/gm)].map(([, name = '', summary = '']) => ({ name, summary }));
  expect(listed.map(({ name }) => name)).toEqual(COMMAND_NAMES);
  for (const { name, summary } of listed) {
    const { code, out } = await called(name, '--help');
    expect({ code, first: out.split('\n')[0] }).toEqual({ code: 0, first: `${name}: ${summary}` });
    expect(out).not.toMatch(new RegExp(`agentgauge (${COMMAND_NAMES.join('|')})\\b`));
    for (const line of out.split('\n')) if (/ [<>] |\| npm/.test(line)) expect(line).toContain('npm run -s ');
  }
});

test('help is given before and behind a command, and the version of the package alone', async () => {
  expect(await called('help', 'score')).toEqual(await called('score', '--help'));
  expect((await called('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

describe('a mistake', () => {
  test.each([
    [['nope'], 'there is no command "nope"'],
    [['reproduce', '--frameworks', 'fetch,nope'], 'there is no adapter "nope"'],
    [['reproduce', '--frameworks', ','], '--frameworks is ",", not a list such as a,b'],
    [['reproduce', '--frameworks', 'autogen', '--node-only'], 'none of autogen runs on Node'],
    [['help', 'nope'], 'there is no command "nope"'],
    [['reproduce', '--nope'], "Unknown option '--nope'"],
    [['reproduce', '--shape', 'star'], '--shape is "star"'],
    [['reproduce', '--shape', 'dag', '--frameworks', 'openai'], 'openai has no settings default in shape dag'],
    [['ablate'], 'there is no ablation ""'],
    [['ablate', 'caps'], 'there is no ablation "caps"'],
    [['ablate', 'memory', '--shape', 'single'], '--shape: ablate memory has its own'],
    [['ablate', 'faults', '--trials', '2'], '--trials: ablate faults has its own'],
    [['ablate', 'faults', '--profile', 'clean'], '--profile is "clean", not gpt-4o-mini or gpt-4o'],
    [['ablate', 'dials', '--broker', 'lenient'], '--broker: ablate dials has its own'],
    [['reproduce', '--seed', '-1'], '--seed has no value, or one that begins with a dash'],
    [['reproduce', '--trials', '0'], 'these options make no plan: --trials: Too small: expected number to be >=1, found 0'],
    [['reproduce', '--task-types', 'sound'], '--task-types: Invalid option: expected one of "zero-tool"|"document"|"web", found "sound"'],
    [['reproduce', '--timeout', '1e12'], '--timeout: Too big'],
    [['reproduce', '--frameworks', 'engine', '--settings', 'wild'], '--settings is "wild"'],
    [['reproduce', '--model', 'upstream:x', '--base-url', 'nonsense'], '--base-url: expected an http or https address'],
    [['reproduce', '--model', 'upstream:x', '--base-url', 'http://h/v1', '--profile', 'clean'], '--profile speaks of the simulated model'],
    [['reproduce', '--base-url', 'http://h/v1'], '--base-url speaks of an upstream model'],
    [['reproduce', '--resume', 'x', '--seed', '3', '--out', 'y'], '--resume and --seed, --out exclude each other'],
    [['reproduce', '--quick', '--full'], '--quick and --full exclude each other'],
    [['run', 'plan.json', '--resume', 'x'], '--resume and plan.json exclude each other'],
    [['run', '/nowhere/plan.json'], 'there is no plan at /nowhere/plan.json'],
    [['run', '/'], '/ is a folder, not a plan'],
    [['conformance', './nowhere.ts'], 'there is no file'],
    [['conformance', '/'], 'there is no file /'],
    [['report', '/nowhere'], 'there is no run at /nowhere'],
    [['list', 'adapters', '--format', 'xml'], '--format is text or json, found "xml"'],
    [['list', 'adapters', 'tools'], 'list takes one word, found 2'],
  ])('%j is answered in one line that names it, with a remedy and exit code 2', async (argv, message) => {
    const { code, out, err } = await called(...argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
    expect(err).toMatch(/^agentgauge: .* \[[A-Z_]+\]\n( {2}\S.*\n)?$/);
  });

  test.each([
    ['syntax.json', '{"name":"x", rows:}', 'cannot be read as a plan: Expected double-quoted property name'],
    ['empty.json', '', 'cannot be read as a plan: Unexpected end of JSON input'],
    ['throws.ts', 'throw new Error("my plan is broken")', 'cannot be read as a plan: my plan is broken'],
    ['no-default.ts', 'export const plan = {}', 'has no default export'],
    ['number.json', '3', 'is not a plan: (top): Invalid input: expected object, received number, found 3'],
    ['path.json', '{"name":"../x","rows":[{"framework":"fetch"}]}', 'is not a plan: name: expected letters'],
    ['dash.json', '{"name":"x","rows":[{"framework":"fetch","module":"./x.ts"}]}', 'a row of your own is called fetch'],
    ['no-file.json', '{"name":"x","rows":[{"framework":"mine","module":"./x.ts"}]}', 'the adapter of row mine is not at'],
  ])('in the plan file %s is answered in one line, without a stack', async (name, text, message) => {
    const { code, err } = await called('run', file(name, text), '--dry-run');
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err).not.toMatch(/\n +at /);
  });

  test('in every place of a plan is told at once, with what stands there', async () => {
    const { err } = await called('run', file('wrong.json', '{"name":5,"rows":[{"framework":"fetch","colour":1}],"trials":"3"}'));
    expect(err.replace(folder, 'FOLDER')).toMatchInlineSnapshot(`
      "agentgauge: FOLDER/wrong.json is not a plan:
        name: Invalid input: expected string, received number, found 5
        rows.0: Unrecognized key: "colour"
        trials: Invalid input: expected number, received string, found "3" [PLAN_INVALID]
        examples/plans/ has plans that work, and plan.schema.json says what each field may be.
      "
    `);
  });
});

test('a dry run says on standard output what would run, and starts nothing', async () => {
  const { code, out } = await called('run', planFile('dry', {}), '--dry-run', '--out', join(folder, 'dry-runs'));
  expect(code).toBe(0);
  expect(out).toMatch(/^1 row × 4 tasks = 4 trials/);
  expect(existsSync(join(folder, 'dry-runs'))).toBe(false);
});

test.each([
  [['--replay', '/'], 'there is no cassette /'],
  [['--record', '/dev/null/x'], '/dev/null/x cannot be written'],
  [['--model', 'local:/nowhere/weights.gguf', '--dry-run'], '/nowhere/weights.gguf'],
  [['--replay', '/nowhere', '--dry-run'], 'there is no cassette /nowhere'],
  [['--out', CLI], 'cli.ts: EEXIST'],
])('what a study with %j stands on and has not is told before it starts, also by a dry run', async (argv, message) => {
  const { code, err } = await called('reproduce', '--quick', '--frameworks', 'fetch', ...argv);
  expect(code).toBeGreaterThan(0);
  expect(err).toMatch(/agentgauge: .* \[[A-Z_]+\]\n {2}\S.*\n$/);
  expect(err).toContain(message);
});

test('the ablation of memory is five configurations of one row, and the default study stands single and idiomatic beside fetch dag', async () => {
  const ablation = await called('ablate', 'memory', '--dry-run');
  expect(ablation.out).toMatch(/^5 rows × 68 tasks = 340 trials/);
  const unwrapped = (text: string) => text.replaceAll('\n  ', ' ');
  expect(unwrapped(ablation.out)).toContain(
    'Rows: dag: engine/full, engine/without-scratch, engine/without-structured-state, engine/without-connectors, engine/single-tier.',
  );
  // With `httpx` where the Python rows are set up.
  const study = unwrapped((await called('reproduce', '--dry-run')).out);
  expect(study).toMatch(/\nRows: single: fetch, [^;]*; single hardened: fetch(, httpx)?; idiomatic: [^;]*engine[^;]*; dag: fetch\.\n/);
  expect((await called('reproduce', '--dry-run', '--quick')).out).not.toMatch(/idiomatic|dag/);
});

test('a plan file may begin with a byte order mark', async () => {
  const { code } = await called('run', file('bom.json', '\ufeff{"name":"x","rows":[{"framework":"fetch"}]}'), '--dry-run');
  expect(code).toBe(0);
});

test('a list of one kind in JSON is an array whose objects begin with their id', async () => {
  const { out } = await called('list', 'adapters', '--format', 'json');
  expect(out).toMatch(/^\[\s*\{\s*"id": "fetch",/);
  expect((JSON.parse(out) as { id: string }[]).map(({ id }) => id)).toEqual(ADAPTERS.map(({ id }) => id));
});

/** A real process of the command line. */
class Running {
  readonly child: ChildProcess;
  out = '';
  err = '';
  readonly ended: Promise<number | string>;

  constructor(argv: readonly string[], options: { stdout?: number } = {}) {
    this.child = spawn(process.execPath, [CLI, ...argv], { cwd: folder, stdio: ['ignore', options.stdout ?? 'pipe', 'pipe'] });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.out += text;
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.err += text;
    });
    this.ended = once(this.child, 'close').then(([code, signal]) => code ?? signal);
  }

  says(pattern: RegExp): Promise<void> {
    return vi.waitUntil(() => pattern.test(this.err), { timeout: 20_000, interval: 10 }).then(() => undefined);
  }
}

const onlyRun = (out: string) => join(out, readdirSync(out)[0] as string);
const trialsOf = (run: string) =>
  readFileSync(join(run, 'trials.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { taskId: string }).taskId);

describe('a study', () => {
  const out = join(folder, 'runs');
  let run: string;
  let finished: Running;
  beforeAll(async () => {
    finished = new Running(['run', planFile('small study', {}), '--out', out]);
    await finished.ended;
    run = onlyRun(out);
  }, 60_000);

  test('ends with exit code 0, its tables, and next commands that a shell reads back although the path has blanks', async () => {
    expect(await finished.ended).toBe(0);
    expect(finished.out).toMatch(/Table 10.*At a glance.*fetch/s);
    expect(finished.out).toMatch(/report 'runs\/[^']*small study[^']*' --explain table1:fetch\/single\/default:accuracyPercent/);
  });

  // Public report 54.
  test('goes on from three lines and a half: the half is set aside, each task stands once', async () => {
    const before = trialsOf(run);
    expect(before).toHaveLength(4);
    const bytes = readFileSync(join(run, 'trials.jsonl'));
    const third = bytes.indexOf(0x0a, bytes.indexOf(0x0a, bytes.indexOf(0x0a) + 1) + 1) + 1;
    truncateSync(join(run, 'trials.jsonl'), third + 40);
    const resumed = new Running(['reproduce', '--resume', run]);
    expect(await resumed.ended).toBe(0);
    expect(resumed.err).toContain('half-written line');
    expect(trialsOf(run).sort()).toEqual(before.sort());
    expect(readFileSync(join(run, 'trials.jsonl.fragment'))).toHaveLength(40);
  });

  // Public report 57.
  test('is refused a directory that another process works on, by that process id', async () => {
    const lock = join(run, 'run.lock');
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const startTicks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    writeFileSync(lock, JSON.stringify({ pid: process.pid, startedAt: '2026-01-01T00:00:00.000Z', startTicks }));
    const { code, err } = await called('reproduce', '--resume', run);
    rmSync(lock);
    expect(code).toBe(2);
    expect(err).toContain(`is in use by process ${process.pid}, started at 2026-01-01`);
  });

  test('of another version, or with a broken manifest or plan, is refused in one line', async () => {
    const text = readFileSync(join(run, 'manifest.json'), 'utf8');
    const told: string[] = [];
    for (const broken of [text.replace('"recordVersion": 1', '"recordVersion": 99'), '{"recordVersion"']) {
      writeFileSync(join(run, 'manifest.json'), broken);
      for (const argv of [
        ['reproduce', '--resume', run],
        ['report', run],
      ]) {
        const { code, err } = await called(...argv);
        told.push(`${code} ${/\[([A-Z_]+)\]/.exec(err)?.[1]} ${err.split('\n').length}`);
      }
    }
    writeFileSync(join(run, 'manifest.json'), text);
    expect(told).toMatchInlineSnapshot(`
      [
        "2 RUN_VERSION 3",
        "1 RECORD_VERSION 3",
        "2 RUN_BROKEN 3",
        "2 RUN_BROKEN 3",
      ]
    `);
  });

  test('stops at a full disk with the remedy, and keeps every line before it whole', async () => {
    const full = new Running(['run', planFile('full', {}), '--out', join(folder, 'full')]);
    await full.says(/Rows: /);
    expect(await full.ended).toBe(0);
    const dir = onlyRun(join(folder, 'full'));
    const lines = readFileSync(join(dir, 'trials.jsonl'));
    truncateSync(join(dir, 'trials.jsonl'), lines.indexOf(0x0a) + 1);
    for (const name of readdirSync(join(dir, 'transcripts'))) {
      rmSync(join(dir, 'transcripts', name));
      symlinkSync('/dev/full', join(dir, 'transcripts', name));
    }
    const { code, err } = await called('reproduce', '--resume', dir);
    expect(code).toBe(1);
    expect(err).toMatch(/No space left for .*transcripts.* \[DISK_FULL\]\n {2}Free some space; .*--resume/);
    expect(trialsOf(dir)).toHaveLength(1);
  });

  // Public report 53.
  test('in which every child crashes at its start has no score and exit code 1; its denominators stay', async () => {
    file('dies.ts', 'process.exit(3);\nexport const adapter = {};\n');
    const {
      code,
      out: printed,
      err,
    } = await called('run', planFile('dead', { rows: [{ framework: 'dies', module: './dies.ts' }] }), '--out', join(folder, 'dead'));
    expect(code).toBe(1);
    expect(err).toContain('dies/single/default cannot start: the worker of dies/single/default ended with exit code 3');
    expect(printed).toContain('0 of 4 planned trials');
    expect(printed).toContain('no row has a score, so nobody leads');
    expect(printed).not.toMatch(/dies .*\d %/);
  });
});

describe('an upstream model server', () => {
  const KEY = 'sk-top-secret-4711';
  const mentionsKey = (run: string) =>
    readdirSync(run, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name), 'utf8').includes(KEY),
    );
  const upstream = (port: number, plan: object) =>
    planFile(`upstream`, { ...plan, model: 'upstream:m', baseUrl: `http://127.0.0.1:${port}/v1`, keyVariable: 'CLI_TEST_KEY', timeoutMs: 2_000 });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  /** Answers so many chats, then breaks off like a server that is killed. What it says always holds the key that it was sent. */
  async function serve(chats: number, port = 0) {
    let left = chats;
    const server = createServer((request, response) => {
      const key = request.headers.authorization;
      const reply = request.url?.endsWith('/models')
        ? { data: [] }
        : { choices: [{ index: 0, message: { role: 'assistant', content: `${key} FINAL ANSWER: 4` }, finish_reason: 'stop' }] };
      response.writeHead(200, { 'content-type': 'application/json', 'x-echo': key }).end(JSON.stringify(reply));
      if (request.url?.endsWith('/models') || --left > 0) return;
      server.close();
      response.on('finish', () => server.closeAllConnections());
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }

  test('that goes away in the middle ends the study with address, cause and the line to go on with, and nothing is lost', async () => {
    vi.stubEnv('CLI_TEST_KEY', KEY);
    const first = await serve(2);
    const { port } = first.address() as AddressInfo;
    const out = join(folder, 'upstream');
    const study = new Running(['run', upstream(port, { sample: 6 }), '--out', out]);
    expect(await study.ended).toBe(1);
    expect(study.err).toContain(`no model server answers at http://127.0.0.1:${port}/v1/models: ECONNREFUSED [UPSTREAM_DOWN]`);
    expect(study.err).toMatch(/What is finished is kept\. To go on later:\n {2}npm run reproduce -- --resume upstream\//);
    const run = onlyRun(out);
    expect(trialsOf(run).length).toBeLessThan(6);
    const second = await serve(100, port);
    const resumed = new Running(['reproduce', '--resume', run]);
    expect(await resumed.ended).toBe(0);
    second.close();
    expect(new Set(trialsOf(run)).size).toBe(6);
    expect(mentionsKey(run)).toEqual([]);
  });

  test('that answers no chat at all leaves exit code 1 and its last words', async () => {
    vi.stubEnv('CLI_TEST_KEY', KEY);
    const server = createServer((request, response) => {
      const isList = request.url?.endsWith('/models');
      response
        .writeHead(isList ? 200 : 401, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { message: `bad key ${request.headers.authorization}` } }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const study = new Running(['run', upstream(port, { sample: 2 }), '--out', join(folder, 'refused')]);
    expect(await study.ended).toBe(1);
    server.close();
    expect(study.err).toMatch(/the model answered no request in any of 2 trials \[NOTHING_MEASURED\]\n {2}The last failure of a call: .*401.*bad key/);
    expect(study.out + study.err).not.toContain(KEY);
    expect(mentionsKey(onlyRun(join(folder, 'refused')))).toEqual([]);
  });
});

describe('an interrupt', () => {
  const slow = () => planFile('slow', { rows: [{ framework: 'hangs', module: join(FIXTURES, 'hangs-forever.ts') }], timeoutMs: 30_000 });

  test('stops the study, keeps what is finished, says how to go on, and exits with 130; twice in an instant is once', async () => {
    const out = join(folder, 'interrupted');
    const study = new Running(['run', slow(), '--out', out]);
    await study.says(/Rows: /);
    await vi.waitUntil(() => existsSync(out) && workersOf(study).length > 0, { timeout: 20_000, interval: 20 });
    study.child.kill('SIGINT');
    study.child.kill('SIGINT');
    expect(await study.ended).toBe(130);
    expect(study.err).toMatch(/Stopped\. 0 of 4 trials are kept in .*\. To go on:\n {2}npm run reproduce -- --resume interrupted\/\S+-slow-\w+\n$/);
  });

  test('by kill -9 takes also a worker along that never yields', async () => {
    const plan = planFile('spinning', { rows: [{ framework: 'spins', module: join(FIXTURES, 'never-yields.ts') }], timeoutMs: 30_000 });
    const study = new Running(['run', plan, '--out', join(folder, 'spinning')]);
    await study.says(/Rows: /);
    const worker = await vi.waitUntil(() => workersOf(study).find((pid) => cpuTicks(pid) > 60), { timeout: 30_000, interval: 20 });
    study.child.kill('SIGKILL');
    await study.ended;
    await vi.waitUntil(() => cpuTicks(worker) < 0, { timeout: 10_000, interval: 20 });
    const next = new Running(['reproduce', '--resume', onlyRun(join(folder, 'spinning'))]);
    await next.says(/Rows: /);
    next.child.kill('SIGTERM');
    expect(await next.ended).toBe(130);
  });
});

describe('a reader that leaves', () => {
  test('ends the command quietly with exit code 0', async () => {
    const study = new Running(['list']);
    study.child.stdout?.destroy();
    expect(await study.ended).toBe(0);
    expect(study.err).toBe('');
  });

  test('of standard error changes no exit code', async () => {
    const study = new Running(['reproduce', '--nope']);
    study.child.stderr?.destroy();
    expect(await study.ended).toBe(2);
  });
});

test('a plan whose promise never comes is named, not passed over', async () => {
  const study = new Running(['run', file('waits.ts', 'export default await new Promise(() => {});\n')]);
  expect(await study.ended).toBe(1);
  expect(study.err).toMatch(/^agentgauge: the command waits for something that never comes.*\n$/);
});

/** Direct children of the study that are workers. */
function workersOf({ child }: Running): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statOf(pid)?.[1] === String(child.pid) && commandOf(pid).includes('adapters/worker'));
}

/** -1 when the process is gone or only waits to be collected. */
function cpuTicks(pid: number): number {
  const stat = statOf(pid);
  return stat === undefined || stat[0] === 'Z' ? -1 : Number(stat[11]);
}

function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
