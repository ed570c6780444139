// A plan as its author writes it (TypeScript or JSON), checked at this border only. Defaults are applied here once; nothing behind it looks at a default again.
import { z } from 'zod';
import { UsageError } from '../base/error.ts';

const rowSpec = z.strictObject({
  framework: z.string().min(1).describe('Id of a built-in adapter (`agentgauge list`), or a name of your own beside `module`.'),
  shape: z.enum(['single', 'idiomatic', 'dag']).default('single').describe('How the framework is used: one agent, its idiom, or the shared graph.'),
  settings: z.enum(['default', 'hardened']).default('default').describe('What a newcomer gets, or the documented options for faults.'),
  module: z.string().optional().describe('Path of your own adapter file, relative to the plan file.'),
  exportName: z.string().optional().describe('Name under which the adapter file exports its Adapter (default: the framework id).'),
});

export const planSpecSchema = z.strictObject({
  $schema: z.string().optional().describe('Path of plan.schema.json, for editors.'),
  name: z.string().min(1).max(40).describe('Stands in the run directory name and in captions.'),
  rows: z.array(rowSpec).min(1).describe('What is compared, in any order.'),
  tasks: z.string().default('open68').describe('Task set: `open68`.'),
  taskTypes: z
    .array(z.enum(['zero-tool', 'document', 'web']))
    .min(1)
    .optional()
    .describe('Only tasks of these types.'),
  sample: z.int().min(1).optional().describe('A stratified sample of so many tasks; absent means all.'),
  seed: z.int().min(0).default(1).describe('Sets world and faults together.'),
  taskSeed: z.int().min(0).optional().describe('Seed of the world alone.'),
  faultSeed: z.int().min(0).optional().describe('Seed of the faults alone.'),
  trials: z.int().min(1).max(1000).default(1).describe('Draws of each task.'),
  model: z.string().default('simulated').describe('`simulated`, or `upstream:NAME` for a model behind `baseUrl`.'),
  profile: z.enum(['clean', 'gpt-4o-mini']).default('gpt-4o-mini').describe('Error rates of the simulated model.'),
  baseUrl: z.string().optional().describe('OpenAI-compatible server of an upstream model, up to and with `/v1`.'),
  keyVariable: z.string().default('OPENAI_API_KEY').describe('Environment variable that holds the upstream key. The key itself is never stored.'),
  cap: z.int().min(1).optional().describe('Model calls per trial, counted by the gateway. Default: 2 × the deepest plan of the set + 4.'),
  agentCap: z.int().min(1).optional().describe("The same through each framework's own option. Default: the cap."),
  instruction: z.enum(['system', 'user', 'both']).default('both').describe('Where the form of the answer is asked for.'),
  toolErrors: z.enum(['throw', 'text']).default('throw').describe('Whether a failed tool throws or returns text.'),
  broker: z.enum(['strict', 'lenient']).default('strict').describe('Whether the broker refuses bad arguments or runs with what it got.'),
  enforce: z.enum(['honoured', 'ignored']).default('honoured').describe('Whether the simulated model honours what a provider enforces.'),
  latency: z.literal('zero').default('zero').describe('Latency of the simulated model.'),
  temperature: z.number().min(0).max(2).default(1),
  maxTokens: z.int().min(1).default(2000),
  concurrency: z.int().min(1).max(64).default(1).describe('Trials at work at once; keep 1 while times are measured.'),
  isolation: z.enum(['worker', 'trial']).default('worker').describe('One warm process a row, or a fresh process a trial.'),
  timeoutMs: z.int().min(100).optional().describe('A trial may take so long beside its model and tool calls. Default 20,000 at zero latency, else 600,000.'),
  coldStarts: z.int().min(0).max(50).default(7).describe('Fresh processes a row for memory, import and set-up times.'),
  coldStartsByTaskType: z.boolean().default(false).describe('So many for each task type instead.'),
  transcripts: z.boolean().default(true).describe('Keep exchanges and tool results, one file a trial.'),
});

export type PlanSpecInput = z.input<typeof planSpecSchema>;
export type PlanSpec = z.output<typeof planSpecSchema>;
export type RowSpec = PlanSpec['rows'][number];

/** @throws UsageError PLAN_INVALID that names every wrong place at once */
export function parsePlanSpec(value: unknown, source: string): PlanSpec {
  const parsed = planSpecSchema.safeParse(value);
  if (!parsed.success) {
    const places = parsed.error.issues.map((issue) => `  ${issue.path.join('.') || '(top)'}: ${issue.message}`);
    throw new UsageError('PLAN_INVALID', `${source} is not a plan:\n${places.join('\n')}`, {
      remedy: 'examples/plans/ has plans that work, and plan.schema.json says what each field may be.',
    });
  }
  const spec = parsed.data;
  if (spec.model !== 'simulated' && !spec.model.startsWith('upstream:'))
    throw new UsageError('PLAN_INVALID', `model is ${JSON.stringify(spec.model)}`, { remedy: 'Use `simulated`, or `upstream:NAME` with a base URL.' });
  if (spec.model.startsWith('upstream:') && spec.baseUrl === undefined)
    throw new UsageError('PLAN_INVALID', `model ${spec.model} has no base URL`, {
      remedy: 'Give the server with --base-url, such as --base-url http://127.0.0.1:8080/v1.',
    });
  return spec;
}

/** The JSON Schema that `examples/plans/plan.schema.json` publishes. */
export function planJsonSchema(): unknown {
  return z.toJSONSchema(planSpecSchema, { io: 'input' });
}
