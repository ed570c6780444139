// A process that runs one Python program in Pyodide and ends. It reads the program's folder and Pyodide's own, and is started without anything else that it
// could reach (pyodide-python.ts). What Pyodide would need to reach out by is taken away here before it is loaded. Without a program it writes a snapshot of
// Pyodide's memory to standard output, from which later ones start in a fifth of the time.
import { constants, readdirSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { PYTHON_RUNNER } from './python-runner.ts';
import { boundMemory } from './wasm-memory.ts';

const OUTPUT = 1;
const RESULT = 3;
/** To wait on for nothing. */
const NOBODY = new Int32Array(new SharedArrayBuffer(4));
const [memoryBytes = '', folder, snapshot] = process.argv.slice(2);

// Pyodide asks for file-system constants in a way that Node's permissions forbid.
Object.assign(process, { binding: () => ({ fs: constants }) });
for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']) Reflect.deleteProperty(globalThis, name);
// Its last words on an error of its own would stand among what the program prints.
console.error = () => {};
console.warn = () => {};
const refusedMemory = boundMemory(Number(memoryBytes));

const { loadPyodide } = await import('pyodide');
const python = await loadPyodide({
  jsglobals: Object.create(null) as object,
  env: { HOME: '/work', PYTHONHASHSEED: '0', TZ: 'UTC' },
  ...(folder === undefined ? { _makeSnapshot: true } : {}),
  ...(snapshot === undefined ? {} : { _loadSnapshot: readFileSync(snapshot) }),
});
Object.assign(process, { getBuiltinModule: () => undefined });
if (folder === undefined) {
  python.runPython('import ast, collections, csv, datetime, decimal, fractions, io, itertools, json, math, os, platform, random, re, statistics, sys');
  writeAll(OUTPUT, (python as unknown as { makeMemorySnapshot(): Uint8Array }).makeMemorySnapshot());
} else {
  serve(folder);
}
process.exit();

function serve(from: string): void {
  /** Straight to the descriptor: what was printed is out whatever happens next. */
  const write = (bytes: Uint8Array) => writeAll(OUTPUT, bytes);
  python.setStdout({ write, isatty: false });
  python.setStderr({ write, isatty: false });
  python.FS.mkdirTree('/work');
  for (const name of readdirSync(path.join(from, 'files'))) python.FS.writeFile(`/work/${name}`, readFileSync(path.join(from, 'files', name)));
  python.FS.chdir('/work');
  // Where this file lies on the host is nobody's business.
  python.runPython("import os; os.environ.pop('_', None)");
  python.runPython(PYTHON_RUNNER);
  const run = python.globals.get('run') as (code: string, libraries: string) => string;
  const code = readFileSync(path.join(from, 'program.py'), 'utf8');
  tell(JSON.stringify({ python: String(python.runPython('import platform; platform.python_version()')) }));
  tell(outcomeOf(() => run(code, 'the modules of the standard library and no others')));
}

function outcomeOf(run: () => string): string {
  try {
    const said = run();
    return refusedMemory() && said.includes('"error"') ? JSON.stringify({ stopped: 'memory' }) : said;
  } catch (thrown) {
    if (refusedMemory() || /allocation failed/.test(String(thrown))) return JSON.stringify({ stopped: 'memory' });
    return JSON.stringify({ error: `the interpreter broke off: ${String(thrown).split('\n')[0]}` });
  }
}

function tell(line: string): void {
  writeAll(RESULT, Buffer.from(`${line}\n`));
}

function writeAll(descriptor: number, bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (thrown) {
      // The pipe is full: its reader is ours, and comes to it.
      if ((thrown as NodeJS.ErrnoException).code !== 'EAGAIN') throw thrown;
      Atomics.wait(NOBODY, 0, 0, 1);
    }
  }
  return bytes.length;
}
