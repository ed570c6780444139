// A plan as its author writes it (TypeScript or JSON), checked at this border only. Defaults are applied here once; nothing behind it looks at a default again.
import { z } from 'zod';
import { UsageError } from '../base/error.ts';
import { BURSTS } from '../base/forced-fault.ts';
import { POLICIES, PROFILES } from '../models/control.ts';
import { RATE_NAMES } from '../models/rates.ts';
import { SPLITS } from '../tasks/gaia/official/read-official.ts';
import { searchProblem } from './search-dials.ts';

/** Names become parts of file names, also on systems that reserve signs. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}._@ -]*$/u;
const NAME_RULE = 'expected letters, digits, blanks and . _ @ -';
/** A day: timers hold no more than 24 of them, and a longer wait is a slip of the pen. */
const LONGEST_TIMEOUT_MS = 86_400_000;

const rowSpec = z.strictObject({
  framework: z.string().min(1).max(60).regex(NAME, NAME_RULE).describe('Id of a built-in adapter (`agentgauge list`), or a name of your own beside `module`.'),
  shape: z.enum(['single', 'idiomatic', 'dag']).default('single').describe('How the framework is used: one agent, its idiom, or the shared graph.'),
  settings: z.enum(['default', 'hardened']).default('default').describe('What a newcomer gets, or the documented options for faults.'),
  configuration: z.string().min(1).max(40).optional().describe('Of an ablation: what the adapter is to switch off, such as `without-scratch`.'),
  module: z.string().optional().describe('Path of your own adapter file, relative to the plan file.'),
  python: z.string().optional().describe('Of your own adapter in Python: the program that runs it, such as `.venv/bin/python`, relative to the plan file.'),
  exportName: z.string().optional().describe('Name under which the adapter file exports its Adapter (default: `adapter`).'),
});

export const planSpecSchema = z.strictObject({
  $schema: z.string().optional().describe('Path of plan.schema.json, for editors.'),
  name: z.string().min(1).max(40).regex(NAME, NAME_RULE).describe('Stands in the run directory name and in captions.'),
  rows: z.array(rowSpec).min(1).describe('What is compared, in any order.'),
  tasks: z.string().default('open68').describe('Task set: `open68`, `generated:seed=N,n=N`, `gaia:DIR`, or `jsonl:FILE`, relative to the plan file.'),
  split: z.enum(SPLITS).optional().describe('Of `gaia:DIR`: `validation` (default), or `test`, which is never scored here.'),
  select: z.enum(['paper-shape']).optional().describe('Of `gaia:DIR` or `jsonl:FILE`: 68 tasks, 7/19/42 by type and 29/36/3 by level, drawn by `seed`.'),
  ids: z.string().optional().describe('Of `gaia:DIR` or `jsonl:FILE`: a file with one id a line.'),
  taskTypes: z
    .array(z.enum(['zero-tool', 'document', 'web']))
    .min(1)
    .optional()
    .describe('Only tasks of these types.'),
  sample: z.int().min(1).optional().describe('A stratified sample of so many tasks; absent means all.'),
  seed: z.int().min(0).default(1).describe('Sets world and faults together.'),
  taskSeed: z.int().min(0).optional().describe('Seed of the world alone.'),
  faultSeed: z.int().min(0).optional().describe('Seed of the faults alone.'),
  trials: z.int().min(1).max(1000).default(1).describe('Draws of each task. `faults` brings its own number.'),
  faults: z
    .strictObject({
      bursts: z.array(z.literal(BURSTS)).min(1).optional().describe('How often in a row a fault is met: 1, 2, 3, `endless`. Default: all four.'),
      draws: z.int().min(0).max(200).default(20).describe('Trials of each task in which `rates` draw faults.'),
    })
    .optional()
    .describe('The reliability study: each fault at each place on six tasks, one a trial. Needs the profile `clean`; `rates` are those of the draws.'),
  model: z
    .string()
    .default('simulated')
    .describe('`simulated`, `upstream:NAME` for a model behind `baseUrl`, or `local:NAME` or `local:FILE.gguf` for one on this machine.'),
  profile: z.enum(PROFILES).default('gpt-4o-mini').describe('Error rates of the simulated model.'),
  policy: z.enum(POLICIES).default('careful').describe('How the simulated model goes about a task.'),
  rates: z.partialRecord(z.enum(RATE_NAMES), z.number().min(0).max(1)).optional().describe("Rates set to other values than the profile's: a sweep."),
  heldOut: z.string().min(1).optional().describe('Folder with fault kinds and question templates of your own, relative to the plan file.'),
  record: z.string().min(1).optional().describe('Cassette to which every exchange with the model is appended.'),
  replay: z.string().min(1).optional().describe('Cassette that answers in place of the model.'),
  baseUrl: z.string().optional().describe('OpenAI-compatible server of an upstream model, up to and with `/v1`.'),
  keyVariable: z.string().default('OPENAI_API_KEY').describe('Environment variable that holds the upstream key. The key itself is never stored.'),
  cap: z.int().min(1).optional().describe('Model calls per trial, counted by the gateway. Default: 2 × the deepest plan of the set + 4.'),
  agentCap: z.int().min(1).optional().describe("The same through each framework's own option. Default: the cap."),
  capLiteral: z.int().min(1).optional().describe("A number handed to each framework's own option as it stands, whatever it counts there."),
  instruction: z.enum(['system', 'user', 'both']).default('both').describe('Where the form of the answer is asked for.'),
  toolErrors: z.enum(['throw', 'text']).default('throw').describe('Whether a failed tool throws or returns text.'),
  broker: z.enum(['strict', 'lenient']).default('strict').describe('Whether the broker refuses bad arguments or runs with what it got.'),
  enforce: z.enum(['honoured', 'ignored']).default('honoured').describe('Whether the simulated model honours what a provider enforces.'),
  searchRecall: z.number().min(0).max(1).optional().describe('Share of the pages that the offline search knows. Default: 1.'),
  searchNoise: z.number().min(0).max(1).optional().describe('Chance of each place among the results to be taken by a page of something else. Default: 0.'),
  toolCache: z.enum(['on', 'off']).optional().describe('Whether what a tool once read is kept for all rows, or read anew at every call. Default: on.'),
  latency: z
    .string()
    .regex(/^(?:zero|model|fixed:\d{1,6})$/, 'expected zero, model or fixed:MS')
    .default('zero')
    .describe('Latency of the simulated model: `zero`, `fixed:MS`, or `model` by the table of latencies.'),
  temperature: z.number().min(0).max(2).default(1),
  maxTokens: z.int().min(1).default(2000),
  concurrency: z.int().min(1).max(64).default(1).describe('Trials at work at once; keep 1 while times are measured.'),
  isolation: z.enum(['worker', 'trial']).default('worker').describe('One warm process a row, or a fresh process a trial.'),
  timeoutMs: z
    .int()
    .min(100)
    .max(LONGEST_TIMEOUT_MS)
    .optional()
    .describe('A trial may take so long beside its model and tool calls. Default 20,000 at zero latency, else 600,000.'),
  coldStarts: z.int().min(0).max(50).default(7).describe('Fresh processes a row for memory, import and set-up times.'),
  coldStartsByTaskType: z.boolean().default(false).describe('So many for each task type instead.'),
  transcripts: z.boolean().default(true).describe('Keep exchanges and tool results, one file a trial.'),
});

export type PlanSpecInput = z.input<typeof planSpecSchema>;
export type PlanSpec = z.output<typeof planSpecSchema>;
export type RowSpec = PlanSpec['rows'][number];

/** How a plan is spoken of to its author: as a file, or as the options that it was made from. */
export interface PlanWords {
  readonly code: string;
  readonly heading: string;
  readonly place: (path: readonly PropertyKey[]) => string;
  readonly remedy: string;
}

function fileWords(source: string): PlanWords {
  return {
    code: 'PLAN_INVALID',
    heading: `${source} is not a plan`,
    place: (path) => path.join('.') || '(top)',
    remedy: 'examples/plans/ has plans that work, and plan.schema.json says what each field may be.',
  };
}

/** @throws UsageError that names every wrong place at once, with what was found there */
export function parsePlanSpec(value: unknown, source: string | PlanWords): PlanSpec {
  const words = typeof source === 'string' ? fileWords(source) : source;
  const parsed = planSpecSchema.safeParse(value, { reportInput: true });
  const problems = parsed.success
    ? problemsOf(parsed.data)
    : parsed.error.issues.map(({ path, message, input, code }) => ({ path, message: code === 'unrecognized_keys' ? message : `${message}${found(input)}` }));
  if (parsed.success && problems.length === 0) return parsed.data;
  const lines = problems.map(({ path, message }) => `${words.place(path)}: ${message}`);
  const text = lines.length === 1 ? `${words.heading}: ${lines[0]}` : `${words.heading}:\n${lines.map((line) => `  ${line}`).join('\n')}`;
  throw new UsageError(words.code, text, { remedy: words.remedy });
}

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

const BASE_URL_RULE = 'expected an http or https address up to and with /v1, such as http://127.0.0.1:8080/v1';

function problemsOf(spec: PlanSpec): Problem[] {
  const search = searchProblem(spec);
  return [...(search === undefined ? [] : [search]), ...modelProblems(spec)];
}

function modelProblems(spec: PlanSpec): Problem[] {
  const { model, baseUrl, record, replay } = spec;
  if (spec.faults !== undefined && (model !== 'simulated' || spec.profile !== 'clean'))
    return [{ path: ['faults'], message: 'needs the simulated model in the profile clean: nothing but the fault may differ from its twin' }];
  if (record !== undefined && replay !== undefined) return [{ path: ['replay'], message: 'stands beside a recording: what is replayed was recorded before' }];
  // A cassette stands in for the server: none is asked.
  if (replay !== undefined && baseUrl === undefined && /^upstream:\S/.test(model)) return [];
  if (/^local:\S/.test(model)) return baseUrl === undefined ? [] : [{ path: ['baseUrl'], message: 'stands beside a local model, which has no server' }];
  if (model === 'simulated') return baseUrl === undefined ? [] : [{ path: ['baseUrl'], message: 'stands beside the simulated model, which has no server' }];
  if (!/^upstream:\S/.test(model))
    return [{ path: ['model'], message: `expected \`simulated\`, \`upstream:NAME\`, \`local:NAME\` or \`local:FILE.gguf\`${found(model)}` }];
  if (baseUrl === undefined) return [{ path: ['baseUrl'], message: `model ${model} needs a server; ${BASE_URL_RULE}` }];
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return [{ path: ['baseUrl'], message: `${BASE_URL_RULE}${found(baseUrl)}` }];
  // Addresses are stored and printed, keys never are.
  if (url.username !== '' || url.password !== '')
    return [{ path: ['baseUrl'], message: 'holds a user or password; the key belongs into the variable of keyVariable' }];
  return [];
}

function found(value: unknown): string {
  if (value === undefined || (typeof value === 'object' && value !== null)) return '';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return `, found ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`;
}

/** The JSON Schema that `examples/plans/plan.schema.json` publishes. */
export function planJsonSchema(): unknown {
  return z.toJSONSchema(planSpecSchema, { io: 'input' });
}
