// Checks what stored files hold before anything is computed from it. A record of another version is another error than a broken one: the remedy differs.
import { z } from 'zod';
import { GaugeError } from '../base/error.ts';
import { BURSTS, PLACES } from '../base/forced-fault.ts';
import { ASK_PLACES } from './asks-by-place.ts';
import { FAULT_RESPONSES } from './fault-response.ts';
import { type Manifest, MEMORY_TIERS, PARTS, RECORD_VERSION, type TrialRecord, type WireRecord, type WorkerRecord } from './record.ts';
import { isSurelyTrialRecord } from './record-check.ts';

/** A schema names each field of its type and no other, or does not compile. */
type Fields<T> = Record<keyof T, z.ZodType>;

const count = z.int().nonnegative();
/** Durations, bytes and the like: finite and not negative. zod refuses NaN and Infinity by itself. */
const amount = z.number().nonnegative();
const text = z.string();
const word = z.string().min(1);
const taskType = z.enum(['zero-tool', 'document', 'web']);
const level = z.union([z.literal(1), z.literal(2), z.literal(3)]);
const row = { framework: word, shape: word, settings: word, configuration: word.optional() };
const version = { recordVersion: z.literal(RECORD_VERSION) };

/** Of these names any, and no other. */
function maybeEach(names: readonly string[], value: z.ZodType) {
  return z.strictObject(Object.fromEntries(names.map((name) => [name, value.optional()])));
}

const event = z.strictObject({
  code: word,
  source: z.enum(['framework', 'model', 'infrastructure']),
  step: word.optional(),
  ask: count.optional(),
  repaired: z.literal(true).optional(),
});

/** The authority on what a line of trials.jsonl may hold. */
export const trialRecordSchema = z.strictObject({
  ...version,
  ...row,
  taskId: word,
  taskType,
  level,
  template: word,
  width: count,
  trialIndex: count,
  seed: z.number(),
  modelKind: word,
  model: word,
  profile: word.optional(),
  host: word,
  outcome: z.enum(['completed', 'failed', 'limit', 'cancelled', 'infrastructure']),
  failure: z.strictObject({ code: word, message: text }).optional(),
  stoppedBy: z.enum(['framework', 'gateway', 'host']).optional(),
  output: text.optional(),
  answer: text.optional(),
  noMarker: z.literal(true).optional(),
  score: z.strictObject({ rule: z.enum(['number', 'list', 'string', 'exact', 'words']), correct: z.boolean() }).optional(),
  handling: z.enum(['repaired', 'reported', 'concealed', 'lost']).optional(),
  code: word.optional(),
  events: z.array(event),
  usage: z.strictObject({ modelCalls: count, toolCalls: count, inputTokens: count, outputTokens: count }),
  calls: z.array(z.tuple([z.number(), z.number().nullable(), count, count, count])),
  toolCalls: z.array(z.tuple([word, z.number(), z.number().nullable(), count])),
  parts: maybeEach(PARTS, z.strictObject({ modelCalls: count, inputTokens: count, largestInputTokens: count, answers: count })).optional(),
  readings: z.array(z.tuple([word, count, z.enum(['lexical', 'associative', 'handed-over'])])).optional(),
  tierBytes: maybeEach(MEMORY_TIERS, amount).optional(),
  wire: word,
  injection: z.enum(['shown', 'obeyed']).optional(),
  leak: z.enum(['question', 'truth']).optional(),
  python: word.optional(),
  response: z.enum(FAULT_RESPONSES).optional(),
  forced: count.optional(),
  asks: maybeEach(ASK_PLACES, count).optional(),
  undisturbed: z.boolean().optional(),
  cut: z.literal(true).optional(),
  block: count.optional(),
  wallMs: amount.optional(),
  overheadMs: amount.optional(),
  overheadUpperMs: amount.optional(),
  modelMs: amount.optional(),
  toolMs: amount.optional(),
  stubMs: amount.optional(),
  cpuMs: amount.optional(),
  setupMs: amount.optional(),
  peakRssBytes: amount.optional(),
  baselineRssBytes: amount.optional(),
  rssMethod: word.optional(),
} satisfies Fields<TrialRecord>);

const workerRecord = z.strictObject({
  ...version,
  ...row,
  host: word,
  kind: z.enum(['cold', 'warm']),
  versions: z.record(text, text),
  runtime: text,
  importMs: amount,
  rssAfterImportBytes: amount,
  firstRunMs: amount.optional(),
  setupMs: amount.optional(),
  peakRssBytes: amount.optional(),
  rssMethod: word.optional(),
  treePeakRssBytes: amount.optional(),
  taskId: word.optional(),
  taskType: taskType.optional(),
  clockBracketMs: amount.optional(),
  ended: z.strictObject({ code: word, exitCode: z.int().optional(), signal: word.optional(), stderr: text.optional() }).optional(),
} satisfies Fields<WorkerRecord>);

const wireRecord = z.strictObject({ wire: word, ...row, facts: z.unknown() } satisfies Fields<WireRecord>);

const latencyEntry = z.strictObject({ model: word, firstTokenMs: amount, perOutputTokenMs: amount, sigma: amount, source: word, dated: word });

const manifest = z.strictObject({
  ...version,
  agentgauge: word,
  planHash: word,
  plan: z.strictObject({
    name: word,
    rows: z.array(
      z.strictObject({
        ...row,
        title: word,
        language: z.enum(['node', 'python']),
        floor: z.boolean(),
        publishedAs: word.optional(),
        publishedIsClaim: z.literal(true).optional(),
      }),
    ),
    absentRows: z.array(z.strictObject({ framework: word, why: word })),
    tasks: z.array(z.strictObject({ taskId: word, taskType, level })),
    trials: z.int().positive(),
    conditions: z
      .array(
        z.discriminatedUnion('what', [
          z.strictObject({ what: z.literal('twin'), policy: z.literal('impatient').optional() }),
          z.strictObject({ what: z.literal('forced'), kind: word, form: word.optional(), place: z.enum(PLACES), burst: z.literal(BURSTS) }),
          z.strictObject({ what: z.literal('drawn') }),
        ]),
      )
      .optional(),
    seed: z.number(),
    taskSeed: z.number().optional(),
    faultSeed: z.number().optional(),
    modelKind: word,
    model: word,
    localModel: z.strictObject({ quantisation: word.optional(), sha256: word.optional(), threads: z.int().positive(), contextTokens: count }).optional(),
    profile: word.optional(),
    policy: word.optional(),
    rates: z.record(text, z.number()).optional(),
    heldOut: word.optional(),
    cap: z.int().positive(),
    agentCap: z.int().positive(),
    capLiteral: z.int().positive().optional(),
    temperature: z.number(),
    maxTokens: z.int().positive(),
    isolation: z.enum(['worker', 'trial']),
    concurrency: z.int().positive(),
    timeoutMs: amount,
    latency: word,
    instruction: z.enum(['system', 'user', 'both']),
    toolErrors: z.enum(['throw', 'text']),
    broker: z.enum(['strict', 'lenient']),
    searchRecall: z.number().optional(),
    searchNoise: z.number().optional(),
    toolCache: z.enum(['off']).optional(),
    enforce: z.enum(['honoured', 'ignored']),
    coldStarts: count,
    coldStartsByTaskType: z.literal(true).optional(),
  } satisfies Fields<Manifest['plan']>),
  taskSet: z.strictObject({ name: word, seed: z.number(), hash: word, tasks: count, pages: count }),
  versions: z.record(text, text),
  machine: z.strictObject({
    cpu: word,
    cores: z.int().positive(),
    memoryBytes: amount,
    memoryLimitBytes: amount.optional(),
    os: word,
    arch: word,
    node: word,
    container: z.boolean(),
  }),
  latencyTable: latencyEntry.optional(),
  git: z.strictObject({ commit: word, dirty: z.boolean() }).optional(),
  startedAt: word,
  host: word,
} satisfies Fields<Manifest>);

/** What was stored is not what this program reads. `code` tells why: `RECORD_VERSION` or `RECORD_BROKEN`. */
export class DataError extends GaugeError {}

/** @param place such as `trials.jsonl:17`. @throws DataError RECORD_VERSION, RECORD_BROKEN */
export function parseTrialRecord(value: unknown, place: string): TrialRecord {
  return isSurelyTrialRecord(value) ? value : (checked(trialRecordSchema, value, place) as TrialRecord);
}

/** @throws DataError RECORD_VERSION, RECORD_BROKEN */
export function parseWorkerRecord(value: unknown, place: string): WorkerRecord {
  return checked(workerRecord, value, place) as WorkerRecord;
}

/** Has no version of its own: it stands beside records that have one. @throws DataError RECORD_BROKEN */
export function parseWireRecord(value: unknown, place: string): WireRecord {
  return checked(wireRecord, value, place, false) as WireRecord;
}

/** @throws DataError RECORD_VERSION, RECORD_BROKEN */
export function parseManifest(value: unknown, place: string): Manifest {
  return checked(manifest, value, place) as Manifest;
}

function checked(schema: z.ZodType, value: unknown, place: string, versioned = true): unknown {
  if (versioned) assertVersion(value, place);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the record'}: ${message}`);
  const more = issues.length > 3 ? ` (and ${issues.length - 3} more)` : '';
  throw new DataError('RECORD_BROKEN', `${place}: ${issues.slice(0, 3).join('; ')}${more}`, {
    remedy: 'Restore the file from where it came, or leave this run out.',
  });
}

function assertVersion(value: unknown, place: string): void {
  if (typeof value !== 'object' || value === null || !('recordVersion' in value)) return;
  const { recordVersion } = value;
  if (typeof recordVersion !== 'number' || recordVersion === RECORD_VERSION) return;
  throw new DataError('RECORD_VERSION', `${place}: record version ${recordVersion}, this program reads version ${RECORD_VERSION}`, {
    remedy:
      recordVersion > RECORD_VERSION
        ? 'Read it with the newer agentgauge that wrote it.'
        : 'Read it with the older agentgauge that wrote it, or run the study again.',
  });
}
