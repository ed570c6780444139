// One Python program in one process, whichever interpreter that is. The process gets the program and the files in a folder of its own, writes to standard
// output, and says two lines of JSON on descriptor 3: which Python it is once it is ready, and how the program ended. It is killed whatever happens.
import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { CodeOutcome, CodeRequest } from './code-run.ts';
import { ToolError } from './tool-error.ts';

export interface PythonLimits {
  /** Of the program, from when the interpreter is ready. */
  readonly timeMs: number;
  readonly memoryBytes: number;
  readonly outputBytes: number;
}

export interface PythonOutcome extends CodeOutcome {
  /** `3.14.2` */
  readonly version: string;
}

/** The program as `program.py`, attachments by name in `files/`; the process may read these and write nothing. */
export interface ProgramFolder {
  readonly folder: string;
  readonly names: readonly string[];
}

/** An interpreter that is not ready by then never will be. */
const START_MS = 60_000;

/** @throws ToolError `SANDBOX_FAILED` when the interpreter does not start */
export async function runPythonProcess(
  { code, files }: CodeRequest,
  start: (program: ProgramFolder) => ChildProcess,
  { timeMs, outputBytes }: PythonLimits,
): Promise<PythonOutcome> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'agentgauge-python-'));
  try {
    writeFileSync(path.join(folder, 'program.py'), code);
    mkdirSync(path.join(folder, 'files'));
    for (const { name, bytes } of files) writeFileSync(path.join(folder, 'files', path.basename(name)), bytes, { mode: 0o444 });
    // Whoever the program runs as may read it, also where the broker's umask is strict.
    for (const each of [folder, path.join(folder, 'files')]) chmodSync(each, 0o755);
    return await outcomeOf(start({ folder, names: files.map(({ name }) => path.basename(name)) }), timeMs, outputBytes);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function outcomeOf(child: ChildProcess, timeMs: number, outputBytes: number): Promise<PythonOutcome> {
  return new Promise((resolve, reject) => {
    const decoder = new StringDecoder('utf8');
    let output = '';
    let left = outputBytes;
    let told = '';
    let version: string | undefined;
    let stopped: CodeOutcome['stopped'];
    const stop = (limit: NonNullable<CodeOutcome['stopped']>) => {
      stopped ??= limit;
      child.kill('SIGKILL');
    };
    let timer = setTimeout(() => stop('time'), START_MS);
    const hear = (bytes: Buffer) => {
      output += decoder.write(bytes.subarray(0, Math.max(0, left)));
      left -= bytes.length;
      if (left < 0) stop('output');
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    (child.stdio[3] as Readable).on('data', (bytes: Buffer) => {
      // The program can write here too: what is more than it may print is no result.
      if (told.length < 2 * outputBytes) told += bytes;
      if (version !== undefined || !told.includes('\n')) return;
      version = String((parsed(told.slice(0, told.indexOf('\n'))) as { python?: unknown } | undefined)?.python);
      clearTimeout(timer);
      timer = setTimeout(() => stop('time'), timeMs);
    });
    child.on('error', (cause) => reject(new ToolError('SANDBOX_FAILED', `Python cannot be started: ${cause.message}`, { cause })));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (version === undefined) {
        reject(new ToolError('SANDBOX_FAILED', `Python did not start (${signal ?? `code ${code}`}): ${output.trim().slice(-300)}`));
        return;
      }
      if (stopped !== undefined) return resolve({ version, output, stopped });
      const ended = outcomeIn(told) ?? { error: `the interpreter broke off (${signal ?? `code ${code}`})` };
      resolve({ version, output, ...ended });
    });
  });
}

function outcomeIn(told: string): Partial<CodeOutcome> | undefined {
  const lines = told.trimEnd().split('\n');
  const said = lines.length < 2 ? undefined : parsed(lines.at(-1) as string);
  if (typeof said !== 'object' || said === null) return undefined;
  const { value, error, stopped } = said as Readonly<Record<string, unknown>>;
  return {
    ...(typeof value === 'string' ? { value } : {}),
    ...(typeof error === 'string' ? { error } : {}),
    ...(stopped === 'memory' ? { stopped } : {}),
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Words of the program, not of its runner.
    return undefined;
  }
}
