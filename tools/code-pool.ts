// Child processes that run programs for the broker. A program that outlives its time takes its process with it; nothing but the messages below passes
// between the two. Processes start when first needed; an idle one keeps nothing alive.
import type { ChildProcess } from 'node:child_process';
import type { CodeOutcome, CodeRequest } from './code-run.ts';
import { Slots } from './slots.ts';
import { ToolError } from './tool-error.ts';

export type ChildReply = { readonly outcome: CodeOutcome } | { readonly failure: string };

export interface CodePoolOptions {
  /** Must come with an IPC channel. */
  readonly start: () => ChildProcess;
  /** Sent along with each request. */
  readonly limits: unknown;
  /** From sending the request; then the process is killed. Longer than the child's own limit, which says more. */
  readonly killAfterMs: number;
  /** Processes at once. @default 2 */
  readonly most?: number;
}

export class CodePool {
  readonly #options: CodePoolOptions;
  readonly #idle: ChildProcess[] = [];
  readonly #busy = new Set<ChildProcess>();
  readonly #slots: Slots;

  constructor(options: CodePoolOptions) {
    this.#options = options;
    this.#slots = new Slots(options.most ?? 2);
  }

  /** @throws ToolError `SANDBOX_FAILED` when the process cannot start or answers with its own failure */
  run(request: CodeRequest): Promise<CodeOutcome> {
    return this.#slots.within(() => this.#runNow(request));
  }

  /** Ends every process, also those at work. */
  close(): void {
    for (const child of [...this.#idle.splice(0), ...this.#busy]) child.kill('SIGKILL');
  }

  async #runNow(request: CodeRequest): Promise<CodeOutcome> {
    const child = this.#idle.pop() ?? this.#start();
    this.#busy.add(child);
    hold(child);
    try {
      const { reply, usable } = await this.#replyOf(child, request);
      if (usable) {
        release(child);
        this.#idle.push(child);
      } else child.kill('SIGKILL');
      if ('outcome' in reply) return reply.outcome;
      throw new ToolError('SANDBOX_FAILED', reply.failure);
    } finally {
      this.#busy.delete(child);
    }
  }

  #start(): ChildProcess {
    const child = this.#options.start();
    // One that dies idle is no failure of anything; the next program gets another.
    child.on('error', () => {});
    child.on('exit', () => {
      const at = this.#idle.indexOf(child);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    return child;
  }

  #replyOf(child: ChildProcess, request: CodeRequest): Promise<{ readonly reply: ChildReply; readonly usable: boolean }> {
    const { killAfterMs, limits } = this.#options;
    return new Promise((resolve) => {
      let words = '';
      const hear = (text: Buffer) => {
        words = `${words}${text}`.slice(-2_000);
      };
      const settle = (reply: ChildReply, usable: boolean) => {
        clearTimeout(timer);
        child.off('message', answer).off('exit', exit).off('error', fail);
        child.stderr?.off('data', hear);
        resolve({ reply, usable });
      };
      const answer = (reply: ChildReply) => settle(reply, 'outcome' in reply);
      const exit = (code: number | null, signal: string | null) => {
        // Whoever asks for more memory than there is dies by it, and so does a thread that runs out of stack.
        if (signal !== null || /out of memory|heap limit/i.test(words)) settle({ outcome: { output: '', stopped: 'memory' } }, false);
        else settle({ failure: `the sandbox ended with code ${code}: ${lastLine(words)}` }, false);
      };
      const fail = (error: Error) => settle({ failure: `the sandbox cannot be reached: ${error.message}` }, false);
      const timer = setTimeout(() => settle({ outcome: { output: '', stopped: 'time' } }, false), killAfterMs);
      child.on('message', answer).on('exit', exit).on('error', fail);
      child.stderr?.on('data', hear);
      child.send({ request, limits }, (error) => error && fail(error));
    });
  }
}

function lastLine(words: string): string {
  return words.trim().split('\n').at(-1) ?? '';
}

function hold(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

function release(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  const { stderr } = child;
  if (stderr && 'unref' in stderr) (stderr as unknown as { unref(): void }).unref();
}
