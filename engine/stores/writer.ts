// Who writes a run: one process at a time. A claim names its process so exactly that one which died, also by kill -9 or with its machine, is told from one at work.
// Not a lock of the operating system, which Node does not offer; so a claim from another machine is believed until somebody removes it.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { threadId } from 'node:worker_threads';
import { currentDate } from '../clock.ts';
import { WorkflowError } from '../workflow-error.ts';

export interface Writer {
  /** Of this claim, so that a process knows its own. */
  readonly token: string;
  readonly pid: number;
  readonly thread: number;
  /** When the process began, in the kernel's ticks, since numbers of processes come again; absent where the system does not say. */
  readonly began?: string;
  /** Of the machine's last start. */
  readonly boot?: string;
  readonly host: string;
  /** Point in time of the claim. */
  readonly since: string;
}

/** Claims of this thread that have not been let go. */
const held = new Set<string>();
let claims = 0;

export function newWriter(): Writer {
  const began = processOf('self')?.began;
  const boot = textOf('/proc/sys/kernel/random/boot_id');
  const token = `${process.pid}-${threadId}-${began ?? process.hrtime.bigint()}-${claims++}`;
  held.add(token);
  const facts = { ...(began === undefined ? {} : { began }), ...(boot === undefined ? {} : { boot }) };
  return { token, pid: process.pid, thread: threadId, ...facts, host: hostname(), since: currentDate().toISOString() };
}

export function letGo({ token }: Writer): void {
  held.delete(token);
}

/** Whether what made this claim may still write. */
export function isAtWork({ token, pid, thread, began, boot, host }: Writer): boolean {
  if (host !== hostname()) return true;
  if (boot !== undefined && boot !== textOf('/proc/sys/kernel/random/boot_id')) return false;
  const found = processOf(String(pid));
  if (found !== undefined && (found.dead || (began !== undefined && found.began !== began))) return false;
  if (pid === process.pid) return thread === threadId ? held.has(token) : true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { readonly code?: unknown }).code === 'EPERM'; // it is there, and somebody else's
  }
}

/** A claim as text; `undefined` where it is none, as one that a power cut left half-written. */
export function readWriter(text: string): Writer | undefined {
  try {
    const read = JSON.parse(text) as Writer;
    return typeof read.token === 'string' && Number.isInteger(read.pid) && read.pid > 0 && typeof read.host === 'string' ? read : undefined;
  } catch {
    return undefined;
  }
}

export function inUse(run: string, { pid, host, since }: Writer): WorkflowError {
  const [who, remedy] =
    host === hostname()
      ? [`process ${pid}`, pid === process.pid ? 'That is this process: wait for the result of the other execution.' : 'Wait until it ends, or end it.']
      : [`process ${pid} of the machine "${host}"`, 'Wait until it ends. If that machine is gone, delete the claim from the store and go on.'];
  return new WorkflowError('checkpoint-in-use', `run "${run}" is being written by ${who} since ${since}`, { remedy });
}

function processOf(pid: string): { readonly began: string; readonly dead: boolean } | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  // The name before it may hold blanks and brackets.
  const [state, ...fields] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  const began = fields[18];
  return state === undefined || began === undefined ? undefined : { began, dead: state === 'Z' || state === 'X' };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined; // no Linux, or no such process
  }
}
