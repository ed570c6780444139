// A plan with nothing left open: rows that can run, tasks chosen, caps known, order fixed. Starts nothing; `--dry-run` prints it.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { hashOf } from '../base/canonical-json.ts';
import { UsageError } from '../base/error.ts';
import type { LatencyEntry, ManifestPlan } from '../metrics/record.ts';
import type { ProfileName } from '../models/control.ts';
import { latencyOf } from '../models/latency.ts';
import { heldOutFile } from '../tasks/held-out-folder.ts';
import { ensureHeldOutSet, isHeldOutSetName } from '../tasks/held-out-set.ts';
import { isOwnSetName, namedOwnSet } from '../tasks/own/named-own-set.ts';
import { ensureOwnSet } from '../tasks/own/own-set.ts';
import type { SolutionPlan } from '../tasks/plan.ts';
import type { ScorerName, Task, TaskSetFacts } from '../tasks/task.ts';
import { ensureTaskSet, taskSetName } from '../tasks/task-set.ts';
import { loadFacts, loadPlans, loadScorers, loadTargets, loadTasks, loadWarmUps } from '../tasks/task-set-files.ts';
import { faultConditions, faultTasks } from './fault-conditions.ts';
import { LOCAL, localModelFacts, localModelName } from './local-models.ts';
import { type Block, interleave, rowByRow, stratifiedSample } from './plan.ts';
import type { PlanSpec } from './plan-spec.ts';
import { type RunnableRow, resolveRows } from './rows.ts';
import { turnedSearch } from './search-dials.ts';

export interface ResolvedPlan {
  readonly spec: PlanSpec;
  readonly rows: readonly RunnableRow[];
  readonly tasks: readonly Task[];
  /** Extra tasks that a fresh worker runs first; never recorded. */
  readonly warmUps: readonly Task[];
  readonly targets: ReadonlyMap<string, string>;
  /** Of tasks that name another scorer than the official one. */
  readonly scorers?: ReadonlyMap<string, ScorerName>;
  readonly taskSetDirectory: string;
  readonly taskSet: TaskSetFacts;
  readonly blocks: readonly Block[];
  readonly faultSeed: number;
  readonly cap: number;
  readonly agentCap: number;
  readonly timeoutMs: number;
  readonly modelKind: 'simulated' | 'upstream' | 'local';
  readonly modelName: string;
  readonly manifest: ManifestPlan;
  readonly latencyTable: LatencyEntry | undefined;
  readonly hash: string;
}

export interface ResolveOptions {
  /** Where paths of a user's own adapters start. */
  readonly baseDirectory: string;
  /** Where built task sets are kept. */
  readonly cacheDirectory: string;
}

/** Model name on the wire when the model is simulated: the profile says whose errors it makes. */
const SIMULATED_NAMES = { clean: 'gpt-4o-mini', 'gpt-4o-mini': 'gpt-4o-mini', 'gpt-4o': 'gpt-4o' } as const satisfies Record<ProfileName, string>;
const ZERO_LATENCY_TIMEOUT_MS = 20_000;
export const LIVE_TIMEOUT_MS = 600_000;

/** @throws UsageError when rows or tasks do not exist, or when nothing is left to run */
export async function resolvePlan(written: PlanSpec, options: ResolveOptions): Promise<ResolvedPlan> {
  const { rows, absent } = resolveRows(written.rows, options.baseDirectory);
  const conditions =
    written.faults &&
    faultConditions(
      written.faults,
      rows.map(({ shape }) => shape),
    );
  const spec: PlanSpec = conditions === undefined ? written : { ...written, trials: conditions.length };
  if (rows.length === 0)
    throw new UsageError('NOTHING_TO_RUN', `none of the rows can run here: ${absent.map(({ framework, why }) => `${framework} (${why})`).join('; ')}`, {
      remedy: 'Install one of them, or name others with --frameworks.',
    });
  const { seed, taskSetDirectory } = await setOf(spec, options);
  const taskSet = loadFacts(taskSetDirectory);
  const wanted = loadTasks(taskSetDirectory).filter((task) => spec.taskTypes === undefined || spec.taskTypes.includes(task.type));
  const sampled = () => (spec.sample === undefined ? wanted : stratifiedSample(wanted, spec.sample, spec.seed));
  const tasks = conditions === undefined ? sampled() : faultTasks(wanted, loadPlans(taskSetDirectory), spec.sample, spec.seed);
  if (tasks.length === 0) throw new UsageError('NOTHING_TO_RUN', `${spec.tasks} has no task of type ${spec.taskTypes?.join(', ')}`);
  const faultSeed = spec.faultSeed ?? spec.seed;
  const cap = spec.cap ?? capFor(loadPlans(taskSetDirectory));
  const agentCap = spec.agentCap ?? cap;
  const simulated = spec.model === 'simulated';
  const local = spec.model.startsWith(LOCAL);
  const modelKind = simulated ? 'simulated' : local ? 'local' : 'upstream';
  const modelName = simulated ? SIMULATED_NAMES[spec.profile] : local ? localModelName(spec.model) : spec.model.slice('upstream:'.length);
  const atOnce = spec.replay !== undefined || (simulated && spec.latency === 'zero');
  const timeoutMs = spec.timeoutMs ?? (atOnce ? ZERO_LATENCY_TIMEOUT_MS : LIVE_TIMEOUT_MS);
  const heldOut = spec.heldOut === undefined ? undefined : hashOfFolder(resolve(options.baseDirectory, spec.heldOut), spec.tasks);
  const manifest: ManifestPlan = {
    name: spec.name,
    rows: rows.map(({ module: _module, exportName: _exportName, packages: _packages, interpreter: _interpreter, ...row }) => row),
    absentRows: absent,
    tasks: tasks.map((task) => ({ taskId: task.id, taskType: task.type, level: task.level })),
    trials: spec.trials,
    ...(conditions === undefined ? {} : { conditions }),
    seed: spec.seed,
    ...(seed === spec.seed ? {} : { taskSeed: seed }),
    ...(faultSeed === spec.seed ? {} : { faultSeed }),
    modelKind,
    model: modelName,
    ...(local ? { localModel: await localModelFacts(spec.model, options.baseDirectory) } : {}),
    ...(simulated ? { profile: spec.profile } : {}),
    ...(simulated && spec.policy !== 'careful' ? { policy: spec.policy } : {}),
    ...(simulated && spec.rates !== undefined ? { rates: ratesGiven(spec.rates) } : {}),
    ...(heldOut === undefined ? {} : { heldOut }),
    cap,
    agentCap,
    ...(spec.capLiteral === undefined ? {} : { capLiteral: spec.capLiteral }),
    temperature: spec.temperature,
    maxTokens: spec.maxTokens,
    isolation: spec.isolation,
    concurrency: spec.concurrency,
    timeoutMs,
    latency: spec.latency,
    instruction: spec.instruction,
    toolErrors: spec.toolErrors,
    broker: spec.broker,
    ...turnedSearch(spec),
    ...(spec.toolCache === 'off' ? { toolCache: spec.toolCache } : {}),
    enforce: spec.enforce,
    coldStarts: spec.coldStarts,
    ...(spec.coldStartsByTaskType ? { coldStartsByTaskType: true as const } : {}),
  };
  return {
    spec,
    rows,
    tasks,
    // One loads what a worker loads; of a model on this machine each takes minutes.
    warmUps: local ? loadWarmUps(taskSetDirectory).slice(0, 1) : loadWarmUps(taskSetDirectory),
    targets: loadTargets(taskSetDirectory),
    scorers: loadScorers(taskSetDirectory),
    taskSetDirectory,
    taskSet,
    blocks:
      conditions === undefined
        ? interleave({ rows: rows.length, tasks, trials: spec.trials, seed: spec.seed, timed: spec.concurrency === 1 })
        : rowByRow(rows.length, tasks, spec.trials),
    faultSeed,
    cap,
    agentCap,
    timeoutMs,
    modelKind,
    modelName,
    manifest,
    latencyTable: latencyOf(modelName),
    hash: hashOf({
      spec: withoutCassette(spec),
      ...(heldOut === undefined ? {} : { heldOut }),
      taskSet: taskSet.hash,
      rows: manifest.rows,
      ownAdapters: ownAdapters(spec, rows),
    }),
  };
}

/** Where the words of the model are kept is no part of what was asked. */
function withoutCassette({ record: _record, replay: _replay, ...spec }: PlanSpec): unknown {
  return spec;
}

function ratesGiven(rates: NonNullable<PlanSpec['rates']>): Record<string, number> {
  return Object.fromEntries(Object.entries(rates).filter((entry): entry is [string, number] => entry[1] !== undefined));
}

/** @throws UsageError HELD_OUT_MISSING also when nothing of the folder would be used */
function hashOfFolder(folder: string, tasks: string): string {
  if (heldOutFile(folder, 'faults') === undefined && !isHeldOutSetName(tasks))
    throw new UsageError('HELD_OUT_MISSING', `${folder} holds templates alone, and the tasks are ${tasks}, so nothing of it would be used`, {
      remedy: 'Ask its questions with --tasks held-out, or write faults.ts beside them, as in examples/held-out/.',
    });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => relative(folder, join(parentPath, name))).sort();
  return hashOf(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** Files of a user's own adapters: a run does not go on with another text than it began with. */
function ownAdapters(spec: PlanSpec, rows: readonly RunnableRow[]): string[] {
  const own = new Set(spec.rows.filter((row) => row.module !== undefined).map((row) => row.framework));
  return rows.filter((row) => own.has(row.framework)).map((row) => hashOf(readFileSync(row.module, 'utf8')));
}

/** Questions without plans: nobody knows how deep they are, so this is a choice; `--cap` sets another. */
const CAP_WITHOUT_PLANS = 30;

function capFor(plans: readonly SolutionPlan[]): number {
  return plans.length === 0 ? CAP_WITHOUT_PLANS : 2 * Math.max(...plans.map((plan) => plan.steps.length)) + 4;
}

/** @returns where the set is, and the seed of its world, or of the selection */
async function setOf(spec: PlanSpec, { baseDirectory, cacheDirectory }: ResolveOptions): Promise<{ seed: number; taskSetDirectory: string }> {
  if (isOwnSetName(spec.tasks)) {
    if (spec.model === 'simulated')
      throw new UsageError(
        'NO_PLANS',
        `the simulated model cannot answer ${spec.tasks}: it follows the plans of generated sets, and these questions have none`,
        {
          remedy: 'Name a model that can read: --model upstream:NAME --base-url URL, or --model local:NAME, or replay a cassette with --replay FILE.',
        },
      );
    const seed = spec.taskSeed ?? spec.seed;
    const { split, select, ids } = spec;
    return { seed, taskSetDirectory: ensureOwnSet(await namedOwnSet(spec.tasks, { baseDirectory, seed, split, select, ids }), cacheDirectory) };
  }
  const foreign = (['split', 'select', 'ids'] as const).find((name) => spec[name] !== undefined);
  if (foreign !== undefined)
    throw new UsageError('OPTIONS_EXCLUDE', `--${foreign} chooses from gaia:DIR or jsonl:FILE, and the tasks are ${spec.tasks}`, {
      remedy: '--task-types and --quick choose from a generated set.',
    });
  if (isHeldOutSetName(spec.tasks)) {
    if (spec.heldOut === undefined)
      throw new UsageError('OPTIONS_EXCLUDE', 'the task set held-out needs a folder with templates', {
        remedy: 'Name it: --held-out DIR, such as examples/held-out.',
      });
    const seed = spec.taskSeed ?? spec.seed;
    return { seed, taskSetDirectory: await ensureHeldOutSet(resolve(baseDirectory, spec.heldOut), seed, cacheDirectory) };
  }
  const { kind, seed: namedSeed, n, voice } = taskSetName(spec.tasks);
  const seed = spec.tasks.includes('seed=') ? namedSeed : (spec.taskSeed ?? spec.seed);
  return { seed, taskSetDirectory: await ensureTaskSet({ name: kind, seed, n, voice, cacheDirectory }) };
}
