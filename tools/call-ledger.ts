// Who may call tools now, and what was called: workers by token, at most one open trial a worker, every call with its times.
// Knows nothing of HTTP or of what tools do.
import type { Clock } from '../base/clock.ts';
import { GaugeError } from '../base/error.ts';
import { StrayCount, type StrayWork } from '../base/stray-count.ts';
import type { ToolCall } from '../base/traffic.ts';

/** How long a closing trial waits for calls in flight; what is open then is stray work (method M5.3). */
const CLOSE_WAIT_MS = 250;

export interface OpenTrial<Setting> {
  readonly trialId: number;
  readonly setting: Setting;
}

/** A call from its first byte on. `finish` is called exactly once, when the last byte of the answer was handed over or the client had left. */
export interface OpenCall {
  received(given: unknown): void;
  finish(facts: Pick<ToolCall, 'status' | 'resultBytes' | 'orders' | 'urls' | 'ranBy'> & { readonly result?: string; readonly endMs: number }): void;
}

interface RecordedCall {
  readonly name: string;
  readonly startMs: number;
  readonly stray: boolean;
  given?: unknown;
  done?: ToolCall;
}

interface Trial<Setting> extends OpenTrial<Setting> {
  readonly calls: RecordedCall[];
  inFlight: number;
  closing: boolean;
  whenIdle?: () => void;
}

interface Worker<Setting> {
  trial?: Trial<Setting>;
  readonly stray: StrayCount;
}

export class CallLedger<Setting> {
  readonly clock: Clock;
  readonly #workers = new Map<string, Worker<Setting>>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  openWorker(token: string): void {
    if (this.#workers.has(token)) throw new GaugeError('WORKER_OPEN', 'a worker with this token is open already');
    this.#workers.set(token, { stray: new StrayCount() });
  }

  closeWorker(token: string): void {
    this.#workers.delete(token);
  }

  knows(token: string): boolean {
    return this.#workers.has(token);
  }

  /** @returns calls that came since, and no trial took */
  openTrial(token: string, trialId: number, setting: Setting): StrayWork {
    const worker = this.#worker(token);
    if (worker.trial) throw new GaugeError('TRIAL_OPEN', `trial ${worker.trial.trialId} of this worker is still open`);
    worker.trial = { trialId, setting, calls: [], inFlight: 0, closing: false };
    return worker.stray.open(trialId);
  }

  /**
   * @param addressed the trial that the address names; none: whichever is open
   * @returns `undefined` when no such trial takes calls now
   */
  trialOf(token: string, addressed?: string): OpenTrial<Setting> | undefined {
    const trial = this.#workers.get(token)?.trial;
    return trial === undefined || trial.closing || !isAddressed(trial, addressed) ? undefined : trial;
  }

  /** Counts a call whether or not its trial takes it: one that comes too late is stray work. */
  begin(token: string, name: string, addressed?: string): OpenCall {
    const worker = this.#worker(token);
    const trial = worker.trial;
    if (!trial || !isAddressed(trial, addressed)) {
      worker.stray.add(addressed);
      return { received: () => {}, finish: () => {} };
    }
    const call: RecordedCall = { name, startMs: this.clock.nowMs(), stray: trial.closing };
    trial.calls.push(call);
    trial.inFlight++;
    return {
      received: (given) => {
        call.given = given;
      },
      finish: (facts) => {
        call.done = { name, arguments: call.given, ...facts, startMs: call.startMs, ...(call.stray ? { stray: true } : {}) };
        trial.inFlight--;
        if (trial.inFlight === 0) trial.whenIdle?.();
      },
    };
  }

  intervals(token: string, trialId: number): { readonly startMs: number; readonly endMs?: number }[] {
    return this.#trial(token, trialId).calls.map(({ startMs, done }) => (done?.endMs === undefined ? { startMs } : { startMs, endMs: done.endMs }));
  }

  /** Takes no more calls for the trial, waits for those in flight, and gives what was called in order of start. */
  async closeTrial(token: string, trialId: number): Promise<ToolCall[]> {
    const trial = this.#trial(token, trialId);
    trial.closing = true;
    if (trial.inFlight > 0) await idleOrLate(trial);
    const worker = this.#workers.get(token);
    if (worker) delete worker.trial;
    return trial.calls.map(({ name, startMs, given, done }) => done ?? { name, arguments: given, startMs, status: 0, resultBytes: 0, stray: true });
  }

  #worker(token: string): Worker<Setting> {
    const worker = this.#workers.get(token);
    if (!worker) throw new GaugeError('WORKER_UNKNOWN', 'no worker is open under this token');
    return worker;
  }

  #trial(token: string, trialId: number): Trial<Setting> {
    const trial = this.#worker(token).trial;
    if (trial?.trialId !== trialId) throw new GaugeError('TRIAL_UNKNOWN', `trial ${trialId} is not open for this worker`);
    return trial;
  }
}

function isAddressed({ trialId }: { readonly trialId: number }, addressed: string | undefined): boolean {
  return addressed === undefined || addressed === String(trialId);
}

function idleOrLate(trial: { whenIdle?: () => void }): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, CLOSE_WAIT_MS);
    trial.whenIdle = () => {
      clearTimeout(late);
      resolve();
    };
  });
}
