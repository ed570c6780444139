// Executes a resolved plan: blocks of trials on warm workers, one record a trial on disk before the next, then the cold starts. Knows how to go on after a kill:
// what has a record is not run again. A failing agent is a record; an exception here is our fault, or the disk's.
import { messageOf } from '../base/error.ts';
import { readMemoryLimit } from '../metrics/memory-limit.ts';
import { RECORD_VERSION, type TrialRecord, type WireRecord, type WorkerRecord } from '../metrics/record.ts';
import type { Task } from '../tasks/task.ts';
import { type ColdStart, coldStartsOf } from './cold-starts.ts';
import { Lanes } from './lanes.ts';
import { type Block, type PlannedRow, type PlannedTrial, trialKey } from './plan.ts';
import type { Progress } from './progress.ts';
import type { ResolvedPlan } from './resolved-plan.ts';
import type { RunnableRow } from './rows.ts';
import type { RunDirectory } from './run-directory.ts';
import type { Services } from './services.ts';
import { type LastTrial, StrayWatch } from './stray-watch.ts';
import { type CapSignals, closeTrial, type EndedTrial, openTrial, runTrial, type TrialContext } from './trial.ts';
import type { WorkerHost } from './worker-host.ts';
import { isStartError, largestPool, WorkerPool } from './worker-pool.ts';
import { lastWords } from './worker-process.ts';

export interface StudyOptions {
  readonly plan: ResolvedPlan;
  readonly run: RunDirectory;
  readonly services: Services;
  /** Resolves when the services can open trials and the manifest says all that it will. */
  readonly ready: Promise<unknown>;
  readonly caps: CapSignals;
  readonly hostName: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

export interface StudyOutcome {
  /** Trials with a record, the ones of earlier sittings included. */
  readonly recorded: number;
  readonly planned: number;
  readonly interrupted: boolean;
  /** Rows whose worker could not start at all, with the reason. */
  readonly unstartable: readonly { readonly row: string; readonly why: string }[];
}

export function rowName({ framework, shape, settings, configuration }: PlannedRow): string {
  return [framework, shape, settings, ...(configuration === undefined ? [] : [configuration])].join('/');
}

export async function runStudy(options: StudyOptions): Promise<StudyOutcome> {
  const study = new Study(options);
  try {
    await study.trials();
    await study.coldStarts();
  } finally {
    await study.stop();
  }
  return study.outcome();
}

class Study {
  readonly #options: StudyOptions;
  readonly #context: TrialContext;
  readonly #pool: WorkerPool;
  readonly #tasks: ReadonlyMap<string, Task>;
  readonly #done = new Set<string>();
  readonly #wires = new Set<string>();
  readonly #unstartable = new Map<string, string>();
  /** Never rejects: what keeps the services from serving ends the study. */
  readonly #ready: Promise<void>;
  readonly #stray = new StrayWatch((last) => this.#finishLast(last));
  #fatal: unknown;
  #nextTrialId = 1;

  constructor(options: StudyOptions) {
    this.#options = options;
    const { plan, services, caps, hostName, signal, run } = options;
    this.#ready = options.ready.then(
      () => undefined,
      (error: unknown) => {
        this.#fatal ??= error;
      },
    );
    this.#context = { plan, services, caps, hostName, signal };
    this.#tasks = new Map(plan.tasks.map((task) => [task.id, task]));
    for (const record of run.lines('trials.jsonl') as TrialRecord[]) this.#done.add(trialKey(record, record.taskId, record.trialIndex));
    for (const record of run.lines('wires.jsonl') as WireRecord[]) this.#wires.add(wireKey(record));
    this.#pool = new WorkerPool({
      services,
      largest: largestPool(readMemoryLimit().limitBytes),
      ready: this.#ready,
      warmUp: (worker) => this.#warmUp(worker),
    });
  }

  async trials(): Promise<void> {
    const { plan, progress } = this.#options;
    const waiting = plan.blocks.map((block) => this.#left(block)).filter((block) => block.trials.length > 0);
    progress.phase(
      'trials',
      waiting.reduce((sum, block) => sum + block.trials.length, 0),
    );
    const lanes = new Lanes(waiting, this.#pool.largest);
    const lane = async () => {
      for (let block = lanes.take(); block !== undefined && !this.#stopped; block = lanes.take()) {
        await this.#runBlock(block);
        lanes.done(block);
      }
    };
    await Promise.all(Array.from({ length: plan.spec.concurrency }, lane));
    await this.#stray.all();
    await this.#ready;
    if (this.#fatal !== undefined) throw this.#fatal;
  }

  /** Fresh processes, one undisturbed task each, rows in turn: memory, import and set-up times come from these (method M6.3). */
  async coldStarts(): Promise<void> {
    const { plan, run, progress } = this.#options;
    const had = new Map<string, number>();
    for (const record of run.lines('workers.jsonl') as WorkerRecord[]) {
      if (record.kind === 'cold') had.set(rowName(record), (had.get(rowName(record)) ?? 0) + 1);
    }
    const left = coldStartsOf(plan).filter(({ row, round }) => !this.#unstartable.has(rowName(row)) && round >= (had.get(rowName(row)) ?? 0));
    progress.phase('memory and import times', left.length);
    for (const cold of left) {
      if (this.#stopped) return;
      await this.#coldStart(cold);
      progress.step(rowName(cold.row));
    }
  }

  async stop(): Promise<void> {
    await this.#pool.stop();
    this.#options.progress.end();
  }

  outcome(): StudyOutcome {
    const { plan, signal } = this.#options;
    return {
      recorded: this.#done.size,
      planned: plan.rows.length * plan.tasks.length * plan.spec.trials,
      interrupted: signal.aborted,
      unstartable: [...this.#unstartable].map(([row, why]) => ({ row, why })),
    };
  }

  get #stopped(): boolean {
    return this.#options.signal.aborted || this.#fatal !== undefined;
  }

  #left(block: Block): Block {
    const row = this.#rowOf(block);
    return { row: block.row, trials: block.trials.filter((trial) => !this.#done.has(trialKey(row, trial.taskId, trial.trialIndex))) };
  }

  #rowOf(block: Block): RunnableRow {
    return this.#options.plan.rows[block.row] as RunnableRow;
  }

  /** One row's turn. A trial's record waits until the next one has opened (or 250 ms), so that work going on after its end is seen. */
  async #runBlock(block: Block): Promise<void> {
    const row = this.#rowOf(block);
    const freshEach = this.#options.plan.spec.isolation === 'trial';
    // The row's next block follows at once: its first trial shows what the last one's framework still did.
    const last = await this.#stray.takeOver(row);
    let worker = last?.worker;
    let ended = last?.ended;
    try {
      for (const planned of block.trials) {
        if (this.#stopped) break;
        worker ??= await this.#takeWorker(row, freshEach);
        // Gateway or broker may have said meanwhile that they cannot serve.
        if (this.#stopped) break;
        const request = this.#request(planned);
        const { strayBefore, olderBefore } = await openTrial(this.#context, worker, request);
        if (ended) await this.#write(ended.record(strayBefore), ended);
        ended = undefined;
        // Also a process that died after its last trial's end: the next trial is not to be told as that death.
        if (strayBefore + olderBefore > 0 || !worker.alive) {
          await closeTrial(this.#context, worker, request.trialId);
          await this.#pool.discard(worker);
          worker = await this.#takeWorker(row, freshEach);
          await openTrial(this.#context, worker, request);
        }
        ended = await runTrial(this.#context, worker, request);
        // An interrupted trial is no result: it runs again on resume.
        if (ended.worker.hostReason === 'cancelled') {
          ended = undefined;
          break;
        }
        const usable = worker.alive && ended.worker.end !== undefined && !ended.traffic.calls.some((call) => call.stray);
        if (usable && !freshEach) continue;
        await this.#write(ended.record(0), ended);
        ended = undefined;
        await this.#pool.discard(worker);
        worker = undefined;
      }
    } catch (error) {
      if (worker) await this.#pool.discard(worker);
      this.#fail(row, error);
      return;
    }
    if (worker === undefined) return;
    if (ended === undefined) this.#pool.giveBack(worker);
    else this.#stray.watch({ worker, ended });
  }

  async #finishLast({ worker, ended }: LastTrial): Promise<void> {
    try {
      const probe = { task: this.#options.plan.tasks[0] as Task, trialIndex: 0, trialId: this.#nextTrialId++ };
      const { strayBefore, olderBefore } = await openTrial(this.#context, worker, probe);
      await closeTrial(this.#context, worker, probe.trialId);
      await this.#write(ended.record(strayBefore), ended);
      if (strayBefore + olderBefore > 0) await this.#pool.discard(worker);
      else this.#pool.giveBack(worker);
    } catch (error) {
      this.#fatal ??= error;
    }
  }

  async #takeWorker(row: RunnableRow, freshEach: boolean): Promise<WorkerHost> {
    return freshEach ? await this.#pool.startFresh(row) : await this.#pool.take(row);
  }

  #request({ taskId, trialIndex, block }: PlannedTrial) {
    const task = this.#tasks.get(taskId);
    if (task === undefined) throw new RangeError(`no task ${taskId} in the plan`);
    return { task, trialIndex, block, trialId: this.#nextTrialId++ };
  }

  async #warmUp(worker: WorkerHost): Promise<void> {
    for (const task of this.#options.plan.warmUps) {
      if (!worker.alive || this.#stopped) return;
      const request = { task, trialIndex: 0, trialId: this.#nextTrialId++, profile: 'clean' as const };
      await openTrial(this.#context, worker, request);
      await runTrial(this.#context, worker, request);
    }
    if (worker.alive) this.#options.run.appendWorker(this.#workerRecord(worker, 'warm'));
  }

  async #coldStart({ row, task, round }: ColdStart): Promise<void> {
    let worker: WorkerHost;
    try {
      worker = await this.#pool.startFresh(row);
    } catch (error) {
      this.#fail(row, error);
      return;
    }
    const request = { task, trialIndex: round, trialId: this.#nextTrialId++, profile: 'clean' as const };
    await openTrial(this.#context, worker, request);
    const ended = await runTrial(this.#context, worker, request);
    const record = ended.record(0);
    if (ended.worker.hostReason !== 'cancelled')
      this.#options.run.appendWorker({
        ...this.#workerRecord(worker, 'cold'),
        taskId: task.id,
        taskType: task.type,
        ...(record.wallMs === undefined || ended.worker.end === undefined ? {} : { firstRunMs: record.wallMs }),
        ...(record.setupMs === undefined ? {} : { setupMs: record.setupMs }),
        ...(record.peakRssBytes === undefined ? {} : { peakRssBytes: record.peakRssBytes }),
        ...(record.rssMethod === undefined ? {} : { rssMethod: record.rssMethod }),
        ...(worker.treePeakBytes === undefined ? {} : { treePeakRssBytes: worker.treePeakBytes }),
      });
    await this.#pool.discard(worker);
  }

  #workerRecord(worker: WorkerHost, kind: 'cold' | 'warm'): WorkerRecord {
    const { framework, shape, settings, configuration } = worker.row;
    const { versions, runtime, importMs, rssAfterImportBytes } = worker.ready;
    return {
      recordVersion: RECORD_VERSION,
      framework,
      shape,
      settings,
      ...(configuration === undefined ? {} : { configuration }),
      host: this.#options.hostName,
      kind,
      versions,
      runtime,
      importMs,
      rssAfterImportBytes,
      ...(worker.clockBracketMs === undefined ? {} : { clockBracketMs: worker.clockBracketMs }),
    };
  }

  async #write(record: TrialRecord, ended: EndedTrial): Promise<void> {
    const { run, progress } = this.#options;
    const key = wireKey(ended.wire);
    if (!this.#wires.has(key)) {
      this.#wires.add(key);
      run.appendWire(ended.wire);
    }
    if (ended.transcript !== undefined) run.writeTranscript(transcriptName(record), ended.transcript);
    run.keepUrls(record, ended.urls);
    run.appendTrial(record);
    await run.trialsOnDisk();
    this.#done.add(trialKey(record, record.taskId, record.trialIndex));
    progress.trial(record, rowName(record));
  }

  /** A row that cannot start is told once and leaves the others alone; anything else ends the study. */
  #fail(row: RunnableRow, error: unknown): void {
    if (!isStartError(error)) {
      this.#fatal ??= error;
      return;
    }
    if (this.#unstartable.has(rowName(row))) return;
    this.#unstartable.set(rowName(row), messageOf(error));
    this.#options.progress.note(`${rowName(row)} cannot start: ${lastWords(messageOf(error))}`);
  }
}

export function transcriptName({ framework, shape, settings, configuration, taskId, trialIndex }: TrialRecord): string {
  const row = [framework, shape, settings, ...(configuration === undefined ? [] : [configuration])].join('.');
  return `${row}.${taskId}.${trialIndex}.json`;
}

function wireKey({ wire, framework, shape, settings, configuration = '' }: WireRecord): string {
  return `${wire} ${framework} ${shape} ${settings} ${configuration}`;
}
