// Runs a program of the set-up to its end: shown as it comes on a terminal, else kept back and shown when it fails. Ended with all that it started on Ctrl-C.
import { spawn } from 'node:child_process';

export interface Ran {
  readonly code: number;
  /** Standard output, and the end of standard error; empty when both went to the terminal. */
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  /** Standard error goes to ours: programs draw their own progress there. */
  readonly show?: boolean;
}

const KEPT_CHARACTERS = 20_000;

/** Resolves also when the program fails; code 127 when it cannot be started, 130 when it was interrupted. */
export function runProgram(command: string, args: readonly string[], { env = process.env, signal, show = false }: RunOptions = {}): Promise<Ran> {
  return new Promise((resolve) => {
    let out = '';
    let err = '';
    const child = spawn(command, [...args], { env, ...(signal === undefined ? {} : { signal }), stdio: ['ignore', 'pipe', show ? 'inherit' : 'pipe'] });
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out = (out + text).slice(-KEPT_CHARACTERS);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      err = (err + text).slice(-KEPT_CHARACTERS);
    });
    child.on('error', (error) => resolve({ code: signal?.aborted ? 130 : 127, out, err: err + error.message }));
    child.on('close', (code) => resolve({ code: signal?.aborted ? 130 : (code ?? 1), out, err }));
  });
}
