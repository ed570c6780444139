// From a plan's words to a finished run: checks what can be checked before anything starts, takes a directory, starts the services, runs, and lets go of all of it again.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { GaugeError, messageOf, UsageError } from '../base/error.ts';
import type { Manifest } from '../metrics/record.ts';
import type { BackEnd } from '../models/control.ts';
import { cacheDirectory } from './cache-directory.ts';
import { latencyChoice } from './latency-choice.ts';
import { localBackEnd } from './local-models.ts';
import { packageRoot, stampManifest } from './manifest.ts';
import { type PlanSpec, parsePlanSpec } from './plan-spec.ts';
import type { Progress } from './progress.ts';
import { Canaries, Redaction } from './redaction.ts';
import type { ResolvedPlan } from './resolved-plan.ts';
import { createRunDirectory, isRunHeld, RunDirectory, readManifest, readStored } from './run-directory.ts';
import { searchDials } from './search-dials.ts';
import { startServices } from './services.ts';
import { runStudy, type StudyOutcome } from './study.ts';
import { tidyCache } from './tidy-cache.ts';
import { CapSignals } from './trial.ts';

export interface StudyRequest {
  readonly plan: ResolvedPlan;
  /** Where paths of a user's own adapters start. */
  readonly baseDirectory: string;
  /** Parent of runs. */
  readonly out: string;
  /** An unfinished run to go on with. */
  readonly resume?: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Told the run's directory as soon as it is ours: from then on something is kept there, whatever happens. */
  readonly onDirectory?: (directory: string) => void;
}

export interface FinishedStudy {
  readonly directory: string;
  readonly outcome: StudyOutcome;
}

/** @throws UsageError and GaugeError with a remedy; what was recorded until then stays on disk */
export async function startStudy(request: StudyRequest): Promise<FinishedStudy> {
  const { plan, progress, signal } = request;
  if (plan.modelKind === 'upstream' && plan.spec.replay === undefined) await checkUpstream(plan.spec);
  // What cannot run is told before a directory is taken.
  const backEnd = backEndOf(plan, request.baseDirectory);
  const record = checkCassette(plan, request.baseDirectory, request.resume !== undefined);
  if (record !== undefined) makeFolderOf(record);
  const directory = request.resume ?? createRunDirectory(request.out, plan.spec.name, systemClock.nowIso());
  if (request.resume !== undefined) checkSamePlan(directory, plan);
  const run = RunDirectory.take(directory, systemClock.nowIso());
  request.onDirectory?.(directory);
  const redaction = plan.taskSet.gated ? Redaction.of(directory) : undefined;
  if (redaction) run.redactWith(redaction);
  const caps = new CapSignals();
  const support = new SupportWatch(plan, progress, signal);
  try {
    const resumed = request.resume === undefined ? undefined : readManifest(directory);
    // They start while the rest is made ready, and workers while they read what they serve.
    const services = startServices({
      backEnd,
      ...(record === undefined ? {} : { record }),
      ...(record === undefined || redaction === undefined ? {} : { recordRedacted: redaction.forCassette() }),
      ...(plan.modelKind === 'simulated' ? { latency: latencyChoice(plan.spec.latency) } : {}),
      replacements: [
        { from: packageRoot(), to: '/agentgauge' },
        { from: tmpdir(), to: '/tmp' },
      ],
      taskSetDirectory: plan.taskSetDirectory,
      cacheDirectory: cacheDirectory(),
      broker: plan.spec.broker,
      toolErrors: plan.spec.toolErrors,
      search: searchDials(plan.manifest),
      ...(plan.manifest.toolCache === undefined ? {} : { toolCache: plan.manifest.toolCache }),
      gatewayEnv: upstreamEnv(plan.spec),
      onCapReached: (trialId) => caps.reached(trialId),
      onDown: (error) => support.end(error),
    });
    try {
      tidyCache(cacheDirectory(), systemClock.nowIso());
      const manifest = resumed ?? manifestOf(plan);
      if (resumed === undefined) {
        run.writePlan({ spec: plan.spec, baseDirectory: request.baseDirectory });
        run.writeManifest(manifest);
      } else if (run.setFragmentsAside() > 0) progress.note('A half-written line of the interrupted run was set aside; its trial runs again.');
      const ready = services.configured.then(({ python }) => notePython(python, manifest, run, progress));
      const outcome = await runStudy({ plan, run, services, ready, caps, hostName: hostname(), progress: support.progress, signal: support.signal });
      if (support.down !== undefined) throw support.down;
      if (plan.taskSet.gated) canariesOf(plan).check(directory, ...(record === undefined ? [] : [record]));
      return { directory, outcome };
    } finally {
      await services.stop();
    }
  } finally {
    run.release();
  }
}

/** What can be told of a plan without starting, writing or asking anything: weights or a cassette that are not there. @throws UsageError */
export function checkStart(plan: ResolvedPlan, baseDirectory: string): void {
  backEndOf(plan, baseDirectory);
  checkCassette(plan, baseDirectory, false);
}

/** The spec of an earlier run, to resume it without its options. */
export function specOfRun(directory: string): { spec: PlanSpec; baseDirectory: string } {
  readManifest(directory);
  const file = join(directory, 'plan.json');
  if (!existsSync(file))
    throw new UsageError('NO_RUN', `${directory} has no plan.json to resume from`, { remedy: 'It was stopped before it began: start a new run.' });
  const stored = readStored<{ spec: unknown; baseDirectory: string }>(file);
  return { spec: parsePlanSpec(stored.spec, file), baseDirectory: stored.baseDirectory };
}

/** Runs of the same plan below `out` that have something to go on from and that nobody is working on, newest first. */
export function unfinishedRuns(out: string, plan: ResolvedPlan): string[] {
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const planned = plan.rows.length * plan.tasks.length * plan.spec.trials;
  return readdirSync(out)
    .map((name) => join(out, name))
    .filter((directory) => {
      const file = join(directory, 'manifest.json');
      if (!existsSync(file) || isRunHeld(directory)) return false;
      try {
        const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
        const recorded = countLines(join(directory, 'trials.jsonl'));
        return manifest.planHash === plan.hash && recorded > 0 && recorded < planned;
      } catch {
        // A damaged run is not offered.
        return false;
      }
    })
    .sort()
    .reverse();
}

/** Questions, and truths long enough not to stand anywhere by chance. */
function canariesOf({ tasks, targets }: ResolvedPlan): Canaries {
  return new Canaries([...tasks.map(({ id, question }) => ({ taskId: id, text: question })), ...[...targets].map(([taskId, text]) => ({ taskId, text }))]);
}

function countLines(file: string): number {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
}

function checkSamePlan(directory: string, plan: ResolvedPlan): void {
  const manifest = readManifest(directory);
  if (manifest.planHash === plan.hash) return;
  const changed = manifest.taskSet.hash === plan.taskSet.hash ? 'rows, options or an adapter file differ' : 'the task set has changed since';
  throw new UsageError('PLAN_CHANGED', `${directory} was started from another plan: ${changed}`, {
    remedy: 'Start a new run; results of two plans do not mix.',
  });
}

function manifestOf(plan: ResolvedPlan): Manifest {
  const { name, seed, hash, tasks, pages } = plan.taskSet;
  return stampManifest({
    planHash: plan.hash,
    plan: plan.manifest,
    taskSet: { name, seed, hash, tasks, pages },
    ...(plan.latencyTable === undefined ? {} : { latencyTable: plan.latencyTable }),
  });
}

/** Only the broker knows which Python can be shut in here. A resumed run keeps the one that it began with: each trial's record says its own. */
function notePython(python: string | undefined, manifest: Manifest, run: RunDirectory, progress: Progress): void {
  const before = manifest.versions[PYTHON];
  if (python === undefined || python === before) return;
  if (before === undefined) run.writeManifest({ ...manifest, versions: { ...manifest.versions, [PYTHON]: python } });
  else progress.note(`Programs of models ran by ${before} so far, and run by ${python} from here on; the record of each trial says which.`);
}

const PYTHON = 'run_python';

/** @param baseDirectory where paths in the plan start */
function backEndOf({ spec, modelKind, taskSetDirectory }: ResolvedPlan, baseDirectory: string): BackEnd {
  if (spec.replay !== undefined) return { kind: 'replay', file: resolve(baseDirectory, spec.replay) };
  if (modelKind === 'local') return localBackEnd(spec.model, baseDirectory);
  if (modelKind === 'upstream') return { kind: 'upstream', baseUrl: spec.baseUrl as string, keyVariable: spec.keyVariable };
  const rates = Object.fromEntries(Object.entries(spec.rates ?? {}).filter((entry): entry is [string, number] => entry[1] !== undefined));
  return {
    kind: 'simulated',
    profile: spec.profile,
    policy: spec.policy,
    rates,
    taskSetDirectory,
    enforce: spec.enforce,
    ...(spec.heldOut === undefined ? {} : { heldOut: resolve(baseDirectory, spec.heldOut) }),
  };
}

/** @throws UsageError CASSETTE_EXISTS: two runs on one cassette would play each other's words; CASSETTE_MISSING */
function checkCassette({ spec }: ResolvedPlan, baseDirectory: string, resumed: boolean): string | undefined {
  if (spec.replay !== undefined && statSync(resolve(baseDirectory, spec.replay), { throwIfNoEntry: false })?.isFile() !== true)
    throw new UsageError('CASSETTE_MISSING', `there is no cassette ${spec.replay}`, { remedy: 'Record one first: --record FILE.' });
  if (spec.record === undefined) return undefined;
  const file = resolve(baseDirectory, spec.record);
  if (!resumed && existsSync(file))
    throw new UsageError('CASSETTE_EXISTS', `${spec.record} exists already`, { remedy: 'Name another file, or play it with --replay.' });
  return file;
}

/** @throws UsageError CANNOT_WRITE */
function makeFolderOf(cassette: string): void {
  try {
    mkdirSync(dirname(cassette), { recursive: true });
  } catch (cause) {
    throw new UsageError('CANNOT_WRITE', `${cassette} cannot be written: ${messageOf(cause)}`, { cause, remedy: 'Name another file with --record.' });
  }
}

function upstreamEnv(spec: PlanSpec): Record<string, string> {
  const key = process.env[spec.keyVariable];
  return spec.model === 'simulated' || key === undefined ? {} : { [spec.keyVariable]: key };
}

/** Ends the study when what it stands on has gone: gateway, broker, or the upstream, which is looked for again when a trial ends by its fault. */
class SupportWatch {
  readonly progress: Progress;
  readonly signal: AbortSignal;
  down: unknown;
  #looking = false;
  readonly #stop = new AbortController();

  constructor(plan: ResolvedPlan, progress: Progress, signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#stop.signal]);
    const look = async () => {
      this.#looking = true;
      try {
        await checkUpstream(plan.spec);
      } catch (error) {
        this.end(error);
      }
      this.#looking = false;
    };
    const trial: Progress['trial'] = (record, rowName) => {
      progress.trial(record, rowName);
      if (
        plan.modelKind === 'upstream' &&
        plan.spec.replay === undefined &&
        record.events.some(({ code }) => code === 'provider-error') &&
        !this.#looking &&
        this.down === undefined
      )
        void look();
    };
    this.progress = { ...progress, trial };
  }

  /** The first reason stays. */
  end(error: unknown): void {
    this.down ??= error;
    this.#stop.abort();
  }
}

const UPSTREAM_CHECK_MS = 4_000;

/** One request before anything starts, so that a server that is down is told by address and cause, not by 600 failed trials. */
async function checkUpstream(spec: PlanSpec): Promise<void> {
  const url = `${(spec.baseUrl as string).replace(/\/$/, '')}/models`;
  const key = process.env[spec.keyVariable];
  let status: number;
  try {
    const reply = await fetch(url, { headers: key === undefined ? {} : { authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(UPSTREAM_CHECK_MS) });
    await reply.body?.cancel();
    status = reply.status;
  } catch (error) {
    const cause = (error as { cause?: unknown }).cause ?? error;
    throw new GaugeError('UPSTREAM_DOWN', `no model server answers at ${url}: ${(cause as { code?: string }).code ?? messageOf(cause)}`, {
      cause: error,
      remedy: 'Start the server, or correct --base-url.',
    });
  }
  if (status === 401 || status === 403)
    throw new GaugeError('UPSTREAM_REFUSED_KEY', `${url} refused the key (HTTP ${status})`, {
      remedy: key === undefined ? `Set ${spec.keyVariable}, or name another variable with --key-variable.` : `Check the key in ${spec.keyVariable}.`,
    });
}
