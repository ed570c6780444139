// A process that measures one thing, so that nothing it leaves behind (heap, compiled code, a hang) reaches the next. It answers over IPC, once or each time it is asked.
import { type ChildProcess, fork } from 'node:child_process';
import { childEntry } from '../runners/child-entry.ts';

export type Outcome<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly reason: string };

export interface ChildOptions {
  /** Longest time of one answer; then the process is ended. */
  readonly deadlineMs: number;
  /** For Node itself. */
  readonly nodeArgs?: readonly string[];
}

const KEPT_CHARS = 20_000;

export class MeasuringChild {
  readonly #process: ChildProcess;
  readonly #deadlineMs: number;
  #said = '';

  /** @param module path from the root without extension, such as `bench/graph-child` */
  constructor(module: string, args: readonly string[], { deadlineMs, nodeArgs = [] }: ChildOptions) {
    this.#deadlineMs = deadlineMs;
    this.#process = fork(childEntry(module), [...args], { execArgv: [...nodeArgs], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.#process.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      this.#said = (this.#said + chunk).slice(-KEPT_CHARS);
    });
  }

  /** The next message of the child, after it was sent `question` if there is one. A dead or late child is an outcome, and ended. */
  ask<Value>(question?: string): Promise<Outcome<Value>> {
    const child = this.#process;
    return new Promise((resolve) => {
      const settle = (outcome: Outcome<Value>) => {
        clearTimeout(timer);
        child.off('message', onMessage).off('close', onClose);
        resolve(outcome);
      };
      const onMessage = (value: unknown) => settle({ ok: true, value: value as Value });
      const onClose = (code: number | null) => settle({ ok: false, reason: this.#reasonOf(code) });
      const timer = setTimeout(() => {
        settle({ ok: false, reason: `no answer within ${this.#deadlineMs / 1000} s` });
        child.kill('SIGKILL');
      }, this.#deadlineMs);
      child.on('message', onMessage).on('close', onClose);
      if (child.exitCode !== null || child.signalCode !== null) onClose(child.exitCode);
      else if (question !== undefined) child.send(question);
    });
  }

  /** Ends the process; may be called twice. */
  end(): void {
    this.#process.kill('SIGKILL');
  }

  #reasonOf(code: number | null): string {
    if (/heap out of memory|invalid table size|Map maximum size/i.test(this.#said)) return 'out of memory';
    const told = this.#said.split('\n').filter((line) => /\w*Error\b/.test(line));
    return told.at(0)?.trim().slice(0, 160) ?? `ended with ${code === null ? 'a signal' : `code ${code}`}`;
  }
}

/** One answer of a process of its own. */
export async function askOnce<Value>(module: string, args: readonly string[], options: ChildOptions): Promise<Outcome<Value>> {
  const child = new MeasuringChild(module, args, options);
  try {
    return await child.ask<Value>();
  } finally {
    child.end();
  }
}

/** The child's side: gives `value` and lets the process end. */
export function answer(value: unknown): void {
  process.send?.(value);
}

/** The child's side: answers each question. The process ends with its parent. */
export function answerEach(reply: (question: string) => Promise<unknown>): void {
  process.on('message', (question: string) => {
    reply(question).then(answer, (error) => {
      process.stderr.write(`${String(error instanceof Error ? error.stack : error)}\n`, () => process.exit(1));
    });
  });
  process.on('disconnect', () => process.exit(0));
}
