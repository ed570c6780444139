import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBubblewrap } from './bubblewrap-python.ts';
import { openPyodide } from './pyodide-python.ts';
import type { Python } from './python.ts';
import type { PythonLimits, PythonOutcome } from './python-process.ts';
import { openTestSet } from './testing.ts';

const LIMITS: PythonLimits = { timeMs: 60_000, memoryBytes: 400_000_000, outputBytes: 2_000 };

const directory = mkdtempSync(path.join(os.tmpdir(), 'run-python-'));
const cacheDirectory = path.join(directory, 'cache');
const secret = path.join(directory, 'secret.txt');
writeFileSync(secret, 'the host knows');
afterAll(() => rmSync(directory, { recursive: true }));

/** An environment without packages: what shuts a program in does not depend on them. */
function environment(): string | undefined {
  const made = spawnSync('python3', ['-m', 'venv', '--without-pip', path.join(directory, 'venv')]);
  return made.status === 0 ? path.join(directory, 'venv', 'bin', 'python') : undefined;
}

const interpreter = process.platform === 'linux' ? environment() : undefined;
const bubblewrap = interpreter === undefined ? undefined : await openBubblewrap(interpreter, LIMITS);
if (!bubblewrap) console.log('CPython in bubblewrap is not tested: bwrap or a Python of 3.11 or newer is missing, or namespaces are forbidden here');

const backEnds: [string, (limits: PythonLimits) => Promise<Python>][] = [['Pyodide', (limits) => openPyodide(limits, cacheDirectory)]];
if (interpreter !== undefined && bubblewrap) backEnds.push(['CPython', async (limits) => (await openBubblewrap(interpreter, limits)) as Python]);

/** Each attempt by itself; says what came of it, or the kind of error. */
function tried(attempts: Readonly<Record<string, string>>): string {
  const lines = Object.entries(attempts).map(
    ([name, attempt]) => `try:\n    print('${name}:', ${attempt})\nexcept BaseException as error:\n    print('${name}: refused,', type(error).__name__)`,
  );
  return lines.join('\n');
}

describe.each(backEnds)('run_python by %s', (name, open) => {
  let python: Python;
  let server: Server;
  let connections = 0;
  beforeAll(async () => {
    python = await open(LIMITS);
    server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  }, 60_000);
  afterAll(() => server.close());
  const run = (code: string, files: Readonly<Record<string, string>> = {}): Promise<PythonOutcome> =>
    python.run({ code, files: Object.entries(files).map(([name, text]) => ({ name, text, bytes: Buffer.from(text) })) });

  it('gives what a program prints, the value of its last expression, and the files of the task', async () => {
    const code = 'import csv, sys\nrows = list(csv.DictReader(open("a.csv"), delimiter=";"))\nprint("rows", len(rows))\nsum(int(row["t"]) for row in rows)';
    expect(await run(code, { 'a.csv': 'n;t\nAlder;12\nBirch;30\n' })).toEqual({
      version: expect.stringMatching(/^3\.\d+\.\d+$/),
      output: 'rows 2\n',
      value: '42',
    });
  });

  it('names errors and their line, also in a program that does not parse', async () => {
    expect(await run('def f():\n    return 1 / 0\nprint("a")\nf()')).toMatchObject({ output: 'a\n', error: 'ZeroDivisionError: division by zero (code.py:2)' });
    expect((await run('x = 1\nx = = 2')).error).toBe('SyntaxError: invalid syntax (code.py:2)');
    expect((await run('import pandas_of_another_world')).error).toMatch(
      /^ModuleNotFoundError: No module named 'pandas_of_another_world'; there are .*standard library/,
    );
    expect((await run('import sys\nsys.exit(3)')).error).toBe('SystemExit: 3 (code.py:2)');
  });

  it('gives the same random numbers and the same order of sets each time', async () => {
    const code = 'import random\nrandom.random(), list({"a", "b", "c", "d"}), hash("x")';
    expect(await run(code)).toEqual(await run(code));
  });

  it('reaches no host: no file, no network, no process, no environment', async () => {
    const { port } = server.address() as { port: number };
    const { output } = await run(
      tried({
        file: `open(${JSON.stringify(secret)}).read()`,
        passwd: 'open("/etc/passwd").read()',
        connect: `__import__("socket").create_connection(("127.0.0.1", ${port}), 5)`,
        urllib: `__import__("urllib.request").request.urlopen("http://127.0.0.1:${port}/", timeout=5)`,
        process: '__import__("subprocess").run(["/bin/true"])',
        fork: '__import__("os").fork()',
        environment: '[v for v in __import__("os").environ.values() if "secret" in v or "/run-python-" in v or "tools" in v]',
      }),
    );
    expect(output.replace(/refused, \w+/g, 'refused').split('\n')).toEqual([
      'file: refused',
      'passwd: refused',
      'connect: refused',
      'urllib: refused',
      'process: refused',
      'fork: refused',
      'environment: []',
      '',
    ]);
    expect(connections).toBe(0);
  });

  it('finds no way out through the interpreter itself', async () => {
    const attempts: Record<string, Readonly<Record<string, string>>> = {
      Pyodide: {
        process: '__import__("js").process',
        eval: '__import__("js").eval("1")',
        runJs: '__import__("pyodide.code").code.run_js("typeof process")',
        constructor: '__import__("pyodide_js").constructor.constructor("return process")()',
        object: '__import__("pyodide.ffi").ffi.to_js([]).constructor.constructor("return process")()',
        fetch: '__import__("js").fetch("http://127.0.0.1/")',
        package: '__import__("pyodide_js").loadPackage("numpy")._nothing',
      },
      CPython: {
        limits: '__import__("resource").setrlimit(__import__("resource").RLIMIT_AS, (-1, -1))',
        root: '__import__("os").setuid(0)',
        place: '__import__("os").mkdir("/host")',
        devices: 'open("/dev/x", "w")',
        chroot: '__import__("os").chroot("/work")',
        thread: '__import__("threading").Thread(target=print).start()',
        outside: '__import__("os").kill(1, 9) or open("/usr/x", "w")',
      },
    };
    const { output } = await run(tried(attempts[name] as Record<string, string>));
    expect(
      output
        .trim()
        .split('\n')
        .filter((line) => !/: refused, \w+$/.test(line)),
    ).toEqual([]);
  });

  it('survives what breaks the interpreter, and says so', async () => {
    const broken = await run(
      name === 'Pyodide' ? 'import os\nprint("a", flush=True)\nos.system("id")' : 'import ctypes\nprint("a", flush=True)\nctypes.string_at(0)',
    );
    expect(broken.output).toMatch(/^a\n/);
    expect(broken.error).toContain('the interpreter broke off');
    expect((await run('def f(n):\n    return f(n + 1)\nf(0)')).error).toContain('RecursionError');
  });

  it('gets no more memory than its limit, in one piece or in many', async () => {
    expect((await run('x = bytearray(1_000_000_000)')).stopped).toBe('memory');
    expect((await run('x = []\nwhile True:\n    x.append(bytearray(10_000_000))')).stopped).toBe('memory');
  });

  it('is stopped at its time with everything that it started, and keeps what it printed', async () => {
    const hurried = await open({ ...LIMITS, timeMs: 1_000 });
    const outcome = await hurried.run({
      code: 'print("before", flush=True)\nwhile True:\n    try:\n        while True: pass\n    except BaseException: pass',
      files: [],
    });
    expect(outcome).toMatchObject({ output: 'before\n', stopped: 'time' });
    if (process.platform === 'linux') expect(commandsOf(/agentgauge-python-\w+/)).toEqual([]);
  });

  it('is stopped once it printed too much, also on standard error', async () => {
    for (const stream of ['stdout', 'stderr']) {
      const outcome = await run(`import sys\nwhile True: print("x" * 500, file=sys.${stream})`);
      expect(outcome.stopped).toBe('output');
      expect(outcome.output.length).toBeLessThanOrEqual(2_000);
    }
  });
});

/** Command lines of living processes of ours that hold this. */
function commandsOf(pattern: RegExp): string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        const parent = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        return pattern.test(command) && parent === String(process.pid) ? [command] : [];
      } catch {
        // Gone while we looked.
        return [];
      }
    });
}

describe('the tool run_python', () => {
  it('says in its first line which Python ran, and refuses nothing for lack of a set-up', async () => {
    const set = await openTestSet({ 'attachment-1.txt': 'one\ntwo\n' }, [], { cacheDirectory });
    try {
      const { status, text } = await set.run('run_python', { code: 'print(open("attachment-1.txt").read().count("o"))' });
      expect(status).toBe(200);
      expect(text).toMatch(/^Python 3\.\d+\.\d+ \(Pyodide: standard library only\)\nOutput:\n2$/);
      expect((await set.run('run_python', { code: '' })).text).toBe('The program is empty.');
    } finally {
      await set.close();
    }
  });
});
