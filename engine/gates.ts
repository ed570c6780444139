// The gates of a run and of all runs inside it: which of them wait for an answer, and what was answered, before the run began or while it is at work.
import type { Checked } from './schema.ts';
import { WorkflowError } from './workflow-error.ts';

/** A `wait` node without an answer. */
export interface OpenGate {
  /** Its id; inside a subgraph `outer/inner`, inside a map `outer[3]/inner`. */
  readonly node: string;
  readonly question?: string;
  /** What flowed into it. */
  readonly input: unknown;
}

export interface WaitingGate {
  readonly gate: OpenGate;
  readonly check: ((answer: unknown) => Checked | Promise<Checked>) | undefined;
  /** Whether it still waits: its run may have ended, or somebody else have answered. */
  waits(): boolean;
  goOn(): void;
}

export class Gates {
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #late = new Map<string, unknown>();
  readonly #opened = new Map<string, WaitingGate>();

  constructor(given: Readonly<Record<string, unknown>> = {}) {
    this.#given = given;
  }

  answerTo(path: string): { readonly value: unknown } | undefined {
    if (this.#late.has(path)) return { value: this.#late.get(path) };
    return Object.hasOwn(this.#given, path) ? { value: this.#given[path] } : undefined;
  }

  opened(waiting: WaitingGate): void {
    this.#opened.set(waiting.gate.node, waiting);
  }

  /** Those that wait now, in the order in which they were reached. */
  open(): readonly OpenGate[] {
    return [...this.#opened.values()].filter((one) => one.waits()).map(({ gate }) => gate);
  }

  /** `why` says of a gate that does not wait what is the matter. @throws WorkflowError `NOT_WAITING` or `INVALID_ANSWER`; then the gate stays as it is */
  async answer(path: string, value: unknown, why: () => string): Promise<void> {
    const waiting = this.#waitingAt(path, why);
    const checked = await waiting.check?.(value);
    if (checked?.ok === false) {
      throw new WorkflowError('INVALID_ANSWER', `the answer to gate "${path}" breaks its schema: ${checked.issues.join('; ')}`, {
        node: path,
        remedy: 'The gate still waits: answer again.',
      });
    }
    // While a check was at work somebody else may have answered.
    if (this.#waitingAt(path, why) !== waiting) throw notWaiting(path, 'it was reached again meanwhile', this.open());
    this.#opened.delete(path);
    this.#late.set(path, value);
    waiting.goOn();
  }

  #waitingAt(path: string, why: () => string): WaitingGate {
    const waiting = this.#opened.get(path);
    if (waiting?.waits() === true) return waiting;
    const ended = 'its run ended while it waited; `holdGates` keeps one open, and `resume` goes on with { answers }';
    throw notWaiting(path, this.#late.has(path) ? 'it has been answered' : waiting === undefined ? why() : ended, this.open());
  }
}

function notWaiting(path: string, why: string, open: readonly OpenGate[]): WorkflowError {
  const names = open.map(({ node }) => `"${node}"`).join(', ');
  return new WorkflowError('NOT_WAITING', `"${path}" waits for no answer: ${why}`, {
    node: path,
    remedy: names === '' ? 'No gate waits now; an event `node-waiting` says when one does.' : `These wait: ${names}.`,
  });
}
