// Runs a program to its end and keeps what it said. For the checks only: a study has its own, measured way to start processes.
import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone: these files are compiled to dist/scripts, and run from the sources in tests. */
export const cloneRoot = dirname(findScripts());

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface ChildOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Resolves also when the program fails; a program that cannot be started rejects. */
export function runChild(command: string, args: readonly string[], { cwd = cloneRoot, env = process.env }: ChildOptions = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const signalCode = signal === null ? 1 : 128;
      resolve({ code: code ?? signalCode, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() });
    });
  });
}

/** @throws Error with the last lines of what the program said, when it fails */
export async function mustRun(what: string, command: string, args: readonly string[], options?: ChildOptions): Promise<Ended> {
  const ended = await runChild(command, args, options);
  if (ended.code === 0) return ended;
  const said = `${ended.out}\n${ended.err}`.trim().split('\n').slice(-20).join('\n');
  throw new Error(`${what}: exit code ${ended.code} of ${command} ${args.join(' ')}\n${said}`);
}

/** An environment as a stranger's shell has it: nothing that npm or this clone put there. */
export function strangerEnvironment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|node_env$|init_cwd$|vitest|agentgauge)/i.test(name));
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter), ...extra };
}

function findScripts(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  return here.endsWith(join('dist', 'scripts')) ? dirname(here) : here;
}
