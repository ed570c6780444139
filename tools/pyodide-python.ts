// Python by Pyodide (WebAssembly), for every machine: the standard library alone. Node's permissions shut the process in; they are no proof against a
// program that breaks out of WebAssembly, so whoever runs programs of strangers takes the other interpreter (bubblewrap-python.ts).
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFolders } from './package-folders.ts';
import type { Python } from './python.ts';
import { type PythonLimits, runPythonProcess } from './python-process.ts';

/** Ends also what nobody is left to end. */
const CPU_SECONDS = 60;
/** All memory of the process, where the kernel counts it: what a program writes to files is kept outside of the memory that Pyodide has. */
const DATA_KILOBYTES = 2_000_000;

/**
 * @param cacheDirectory where the snapshot is kept that programs start from
 * @throws ToolError `MISSING_PACKAGE`
 */
export async function openPyodide(limits: PythonLimits, cacheDirectory: string): Promise<Python> {
  const library = await packageFolders('pyodide');
  const { version } = createRequire(import.meta.url)('pyodide/package.json') as { version: string };
  // Made for the first program: to know which Python this is takes none.
  let making: Promise<string | undefined> | undefined;
  return {
    key: `pyodide-${version}`,
    name: `Pyodide ${version}${pythonOf(library[0] as string)}`,
    describe: (python) => `Python ${python} (Pyodide: standard library only)`,
    run: async (request) => {
      making ??= snapshotIn(path.join(cacheDirectory, `pyodide-${version}-1.snapshot`), library, limits.memoryBytes);
      const snapshot = await making;
      return runPythonProcess(
        request,
        ({ folder }) => start({ library, memoryBytes: limits.memoryBytes, reads: snapshot === undefined ? [folder] : [folder, snapshot] }),
        limits,
      );
    },
  };
}

/** ` (CPython 3.14.2)`, by the lock that lies beside it. */
function pythonOf(folder: string): string {
  try {
    const { info } = JSON.parse(readFileSync(path.join(folder, 'pyodide-lock.json'), 'utf8')) as { readonly info: { readonly python: string } };
    return ` (CPython ${info.python})`;
  } catch {
    // Another layout of the package: its own version says as much.
    return '';
  }
}

/** @returns `undefined` when none could be made: programs then start the slow way */
async function snapshotIn(file: string, library: readonly string[], memoryBytes: number): Promise<string | undefined> {
  if (existsSync(file)) return file;
  const child = start({ library, memoryBytes, reads: [] });
  const parts: Buffer[] = [];
  child.stdout?.on('data', (part: Buffer) => parts.push(part));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve).on('error', () => resolve(null)));
  if (code !== 0) return undefined;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    const partial = `${file}.${process.pid}.partial`;
    await writeFile(partial, Buffer.concat(parts));
    await rename(partial, file);
    return file;
  } catch {
    // A full or read-only disk.
    return undefined;
  }
}

interface Start {
  readonly library: readonly string[];
  readonly memoryBytes: number;
  /** The program's folder and the snapshot; neither makes one. */
  readonly reads: readonly string[];
}

function start({ library, memoryBytes, reads }: Start): ChildProcess {
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  const own = ['pyodide-child', 'python-runner', 'wasm-memory'].map((name) => fileURLToPath(new URL(`./${name}${extension}`, import.meta.url)));
  const node = [
    '--permission',
    ...[...own, ...library, ...reads].map((each) => `--allow-fs-read=${each}`),
    '--disallow-code-generation-from-strings',
    '--max-old-space-size=256',
    '--no-warnings',
  ];
  const args = [...node, own[0] as string, String(memoryBytes), ...reads];
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', 'pipe'];
  if (process.platform === 'win32') return spawn(process.execPath, args, { env: { TZ: 'UTC' }, stdio });
  return spawn('/bin/sh', ['-c', `ulimit -t ${CPU_SECONDS}; ulimit -d ${DATA_KILOBYTES} 2>/dev/null; exec "$@"`, 'sh', process.execPath, ...args], {
    env: { TZ: 'UTC' },
    stdio,
  });
}
