// The options that `reproduce` takes, and what plan they stand for. Words to values only; the plan itself is checked in runners/plan-spec.ts.

import type { SettingsName, ShapeName } from '../adapters/adapter.ts';
import { ADAPTERS, type AdapterEntry, findAdapter } from '../adapters/registry.ts';
import { UsageError } from '../base/error.ts';
import type { PlanSpecInput, PlanWords, RowSpec } from '../runners/plan-spec.ts';
import type { ResolvedPlan } from '../runners/resolved-plan.ts';
import { defaultRows } from '../runners/rows.ts';
import type { CommandCall, OptionSpec } from './command.ts';
import { badOption, oneOf, text, words } from './option-values.ts';

export { text } from './option-values.ts';

type Values = CommandCall['values'];
type ModelKind = ResolvedPlan['modelKind'];

export const STUDY_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  quick: { type: 'boolean', help: 'a stratified 12 tasks and fewer fresh processes for memory and import times: a first look' },
  full: { type: 'boolean', help: 'every shape and both settings of every row, and memory for each task type' },
  'node-only': { type: 'boolean', help: 'only rows that run on Node' },
  frameworks: { type: 'string', value: 'a,b', help: 'only these adapters (see `list adapters`)', fallback: 'all installed' },
  shape: { type: 'string', value: 'a,b', help: 'only these shapes: single, idiomatic, dag', fallback: 'single, idiomatic, and fetch dag' },
  settings: { type: 'string', value: 'a,b', help: 'default, hardened, or both', fallback: 'default, and fetch and httpx hardened' },
  tasks: { type: 'string', value: 'SET', help: 'task set: open68, generated:seed=N,n=N, gaia:DIR or jsonl:FILE', fallback: 'open68' },
  split: { type: 'string', value: 'NAME', help: 'of gaia:DIR: validation, or test (never scored here)', fallback: 'validation' },
  select: { type: 'string', value: 'paper-shape', help: 'of gaia:DIR or jsonl:FILE: 68 tasks in the composition of the paper, drawn by --seed' },
  ids: { type: 'string', value: 'FILE', help: 'of gaia:DIR or jsonl:FILE: only these, one id a line' },
  'task-types': { type: 'string', value: 'a,b', help: 'only zero-tool, document, web', fallback: 'all three' },
  model: { type: 'string', value: 'NAME', help: 'simulated, upstream:NAME behind --base-url, local:NAME or local:FILE.gguf', fallback: 'simulated' },
  'base-url': { type: 'string', value: 'URL', help: 'OpenAI-compatible server of an upstream model, with /v1' },
  'key-variable': { type: 'string', value: 'NAME', help: 'environment variable with the upstream key', fallback: 'OPENAI_API_KEY' },
  profile: { type: 'string', value: 'NAME', help: 'errors of the simulated model: clean, gpt-4o-mini, gpt-4o', fallback: 'gpt-4o-mini' },
  policy: { type: 'string', value: 'NAME', help: 'how the simulated model works: careful or impatient', fallback: 'careful' },
  rates: { type: 'string', value: 'a=N,b=N', help: 'rates of the simulated model set to other values: a sweep (see `list rates`)' },
  'held-out': { type: 'string', value: 'DIR', help: 'fault kinds and question templates of your own (examples/held-out/)' },
  record: { type: 'string', value: 'FILE', help: 'append every exchange with the model to this cassette' },
  replay: { type: 'string', value: 'FILE', help: 'let this cassette answer in place of the model' },
  temperature: { type: 'string', value: 'N', help: 'asked of the model by every row', fallback: '1' },
  'max-tokens': { type: 'string', value: 'N', help: 'most tokens of a reply, asked of the model by every row', fallback: '2000' },
  seed: { type: 'string', value: 'N', help: 'sets world and faults together', fallback: '1' },
  'task-seed': { type: 'string', value: 'N', help: 'the world alone', fallback: '--seed' },
  'fault-seed': { type: 'string', value: 'N', help: 'the faults alone', fallback: '--seed' },
  trials: { type: 'string', value: 'N', help: 'draws of each task', fallback: '1' },
  cap: { type: 'string', value: 'N', help: 'model calls a trial, counted by the gateway', fallback: '2 × deepest plan + 4' },
  'agent-cap': { type: 'string', value: 'N', help: "the same through each framework's own option", fallback: '--cap' },
  'cap-literal': { type: 'string', value: 'N', help: "a number handed to each framework's own option as it stands" },
  instruction: { type: 'string', value: 'WHERE', help: 'form of the answer in system, user or both', fallback: 'both' },
  'tool-errors': { type: 'string', value: 'HOW', help: 'a failing tool: throw or text', fallback: 'throw' },
  broker: { type: 'string', value: 'HOW', help: 'bad arguments: strict refuses, lenient runs', fallback: 'strict' },
  'search-recall': { type: 'string', value: 'N', help: 'share of the pages that the offline search knows', fallback: '1' },
  'search-noise': { type: 'string', value: 'N', help: 'chance of each search result to be a page of something else', fallback: '0' },
  'tool-cache': { type: 'string', value: 'on|off', help: 'off: tools read anew at every call, so that their own time shows', fallback: 'on' },
  enforce: { type: 'string', value: 'HOW', help: 'what a provider enforces: honoured or ignored', fallback: 'honoured' },
  latency: { type: 'string', value: 'HOW', help: 'latency of the simulated model: zero, fixed:MS, or model', fallback: 'zero' },
  concurrency: { type: 'string', value: 'N', help: 'trials at work at once; more than 1 spoils times', fallback: '1' },
  isolation: { type: 'string', value: 'HOW', help: 'worker (warm, one a row) or trial (fresh each)', fallback: 'worker' },
  timeout: { type: 'string', value: 'SECONDS', help: 'time of a trial beside its model and tool calls', fallback: '20 at zero latency, else 600' },
  out: { type: 'string', value: 'DIR', help: 'parent of runs', fallback: 'runs/' },
  resume: { type: 'string', value: 'RUN', help: 'go on with an unfinished run' },
  'no-transcripts': { type: 'boolean', help: 'do not keep exchanges and tool results' },
  'dry-run': { type: 'boolean', help: 'say what would run, how long and at what cost; start nothing' },
  yes: { type: 'boolean', help: 'ask nothing' },
};

/** A plan's fields under the names of the options that set them. */
export const OPTION_WORDS: PlanWords = {
  code: 'BAD_OPTION',
  heading: 'these options make no plan',
  place: ([field = 'rows', name]) =>
    `--${FIELD_OPTIONS[String(field)] ?? String(field).replace(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`)}${field === 'rates' && name !== undefined ? ` ${String(name)}` : ''}`,
  remedy: 'agentgauge reproduce --help lists the options.',
};
const FIELD_OPTIONS: Readonly<Record<string, string>> = { rows: 'frameworks', timeoutMs: 'timeout' };

/** What still has a meaning beside `--resume`: the run has its own plan. */
const BESIDE_RESUME = new Set(['resume', 'dry-run', 'yes']);

/** @throws UsageError OPTIONS_EXCLUDE when options would be passed over in silence */
export function refuseBesideResume(values: Values, planFile?: string): void {
  const given = Object.keys(values).filter((name) => values[name] !== undefined && !BESIDE_RESUME.has(name));
  const others = [...(planFile === undefined ? [] : [planFile]), ...given.map((name) => `--${name}`)];
  if (others.length > 0)
    throw new UsageError('OPTIONS_EXCLUDE', `--resume and ${others.join(', ')} exclude each other: a run goes on with its own plan`, {
      remedy: 'Leave out the one or the other.',
    });
}

const QUICK_TASKS = 12;
const QUICK_COLD_STARTS = 3;

/** @throws UsageError when an option has no meaning or two exclude each other */
export function planOfOptions(values: Values): PlanSpecInput {
  if (values['quick'] && values['full']) throw new UsageError('OPTIONS_EXCLUDE', '--quick and --full exclude each other', { remedy: 'Choose one.' });
  const whole = (name: string) => wholeNumber(values, name);
  const seconds = text(values, 'timeout');
  if (seconds !== undefined && !(Number(seconds) > 0)) throw badOption('timeout', seconds, 'a number of seconds above 0');
  refuseForeign(values);
  const number = (name: string) => {
    const given = text(values, name);
    if (given !== undefined && !Number.isFinite(Number(given || Number.NaN))) throw badOption(name, given, 'a number');
    return given === undefined ? undefined : Number(given);
  };
  const optional = {
    taskTypes: words(values, 'task-types') as PlanSpecInput['taskTypes'],
    sample: values['quick'] ? QUICK_TASKS : undefined,
    seed: whole('seed'),
    taskSeed: whole('task-seed'),
    faultSeed: whole('fault-seed'),
    trials: whole('trials'),
    tasks: text(values, 'tasks'),
    split: text(values, 'split'),
    select: text(values, 'select'),
    ids: text(values, 'ids'),
    model: text(values, 'model'),
    baseUrl: text(values, 'base-url'),
    keyVariable: text(values, 'key-variable'),
    profile: text(values, 'profile'),
    policy: text(values, 'policy'),
    rates: ratesGiven(values),
    heldOut: text(values, 'held-out'),
    record: text(values, 'record'),
    replay: text(values, 'replay'),
    temperature: number('temperature'),
    maxTokens: whole('max-tokens'),
    capLiteral: whole('cap-literal'),
    cap: whole('cap'),
    agentCap: whole('agent-cap'),
    instruction: text(values, 'instruction'),
    toolErrors: text(values, 'tool-errors'),
    broker: text(values, 'broker'),
    enforce: text(values, 'enforce'),
    searchRecall: number('search-recall'),
    searchNoise: number('search-noise'),
    toolCache: text(values, 'tool-cache'),
    latency: text(values, 'latency'),
    concurrency: whole('concurrency'),
    isolation: text(values, 'isolation'),
    timeoutMs: seconds === undefined ? undefined : Math.round(Number(seconds) * 1000),
    coldStarts: values['quick'] ? QUICK_COLD_STARTS : undefined,
    coldStartsByTaskType: values['full'] === true ? true : undefined,
    transcripts: values['no-transcripts'] === true ? false : undefined,
  };
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return { name: values['quick'] ? 'quick' : values['full'] ? 'full' : 'reproduce', rows: rowsOfOptions(values), ...given } as PlanSpecInput;
}

const OF_MODEL_KIND = {
  simulated: ['profile', 'policy', 'rates', 'enforce', 'latency'],
  upstream: ['base-url', 'key-variable'],
  local: [],
} as const satisfies Record<ModelKind, readonly string[]>;
const KIND_WORDS = { simulated: 'the simulated model', upstream: 'an upstream model', local: 'a local model' } as const satisfies Record<ModelKind, string>;

/** An option of another kind of model would be passed over in silence. */
function refuseForeign(values: Values): void {
  const kind = kindOf(text(values, 'model'));
  for (const [other, options] of Object.entries(OF_MODEL_KIND) as [ModelKind, readonly string[]][]) {
    const foreign = other === kind ? [] : options.filter((name) => values[name] !== undefined);
    if (foreign.length === 0) continue;
    const named = text(values, 'model') === undefined ? 'this is' : '--model names';
    throw new UsageError(
      'OPTIONS_EXCLUDE',
      `${foreign.map((name) => `--${name}`).join(', ')} speaks of ${KIND_WORDS[other]}, and ${named} ${KIND_WORDS[kind]}`,
      {
        remedy: other === 'upstream' && kind === 'simulated' ? 'Name the model with --model upstream:NAME.' : 'Leave it out.',
      },
    );
  }
}

function kindOf(model: string | undefined): ModelKind {
  return model?.startsWith('upstream:') ? 'upstream' : model?.startsWith('local:') ? 'local' : 'simulated';
}

function rowsOfOptions(values: Values): RowSpec[] {
  const shapes = words(values, 'shape')?.map((name) => oneOf('shape', name, SHAPES));
  const wanted = words(values, 'settings')?.map((name) => oneOf('settings', name, SETTINGS));
  const frameworks = words(values, 'frameworks')?.map((name) => findAdapter(name).id);
  const entries = ADAPTERS.filter((entry) => (frameworks?.includes(entry.id) ?? true) && (!values['node-only'] || entry.language === 'node'));
  if (entries.length === 0)
    throw new UsageError('NOTHING_TO_RUN', `none of ${frameworks?.join(', ')} runs on Node`, { remedy: 'Leave out --node-only, or name others.' });
  if (wanted === undefined && shapes === undefined && !values['full']) {
    const ids = new Set(entries.map(({ id }) => id));
    return defaultRows().filter(({ framework, shape }) => ids.has(framework) && (!values['quick'] || shape === 'single'));
  }
  const all = wanted ?? (values['full'] ? ['default', 'hardened'] : ['default']);
  const inShapes = shapes ?? (values['full'] ? SHAPES : ['single']);
  const rowsOf = (among: readonly AdapterEntry[]) =>
    among.flatMap((entry) =>
      SHAPES.filter((shape) => inShapes.includes(shape) && entry.shapes.includes(shape)).flatMap((shape) =>
        entry.settings.filter((settings) => all.includes(settings)).map((settings) => ({ framework: entry.id, shape, settings })),
      ),
    );
  const rows = rowsOf(entries);
  if (rows.length === 0) {
    const shaped = inShapes.includes('single') ? '' : ` in shape ${inShapes.join(' or ')}`;
    throw new UsageError('NOTHING_TO_RUN', `${entries.map(({ id }) => id).join(', ')} has no settings ${all.join(' or ')}${shaped}`, {
      remedy: `These have them: ${[...new Set(rowsOf(ADAPTERS).map(({ framework }) => framework))].join(', ')}.`,
    });
  }
  return rows;
}

const SHAPES = ['single', 'idiomatic', 'dag'] as const satisfies readonly ShapeName[];
const SETTINGS = ['default', 'hardened'] as const satisfies readonly SettingsName[];

/** `refusal=0.02,prose=0.02`: names and bounds are checked with the plan. */
function ratesGiven(values: Values): Record<string, number> | undefined {
  const given = words(values, 'rates');
  if (given === undefined) return undefined;
  return Object.fromEntries(
    given.map((word) => {
      const [name = '', value = ''] = word.split('=');
      if (value === '' || !Number.isFinite(Number(value))) throw badOption('rates', word, 'a name, = and a number, such as refusal=0.02');
      return [name.trim(), Number(value)];
    }),
  );
}

function wholeNumber(values: Values, name: string): number | undefined {
  const value = text(values, name);
  if (value === undefined) return undefined;
  if (!/^\d+$/.test(value)) throw badOption(name, value, 'a whole number');
  return Number(value);
}
