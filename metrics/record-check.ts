// Whether a parsed line is surely a trial record, at a twentieth of what the schema costs: a report reads a million of them.
// The schema in record-schema.ts stays the authority: what this does not accept it judges and explains, and a test holds the two together.
import { ASK_PLACES } from './asks-by-place.ts';
import { FAULT_RESPONSES } from './fault-response.ts';
import { MEMORY_TIERS, PARTS, type PartUsage, RECORD_VERSION, type TrialRecord } from './record.ts';

type Check = (value: unknown) => boolean;
/** A check for each field of the type, or it does not compile; `optional` marks those that may be absent. */
type Fields<T> = { readonly [K in keyof Required<T>]: Check | { readonly optional: Check } };

const isText: Check = (value) => typeof value === 'string';
const isWord: Check = (value) => typeof value === 'string' && value !== '';
const isNumber: Check = (value) => Number.isFinite(value);
const isAmount: Check = (value) => Number.isFinite(value) && (value as number) >= 0;
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isFlag: Check = (value) => typeof value === 'boolean';
const isTrue: Check = (value) => value === true;
const isTimeOrOpen: Check = (value) => value === null || isNumber(value);
const maybe = (check: Check) => ({ optional: check });

function oneOf(...words: readonly unknown[]): Check {
  const known = new Set(words);
  return (value) => known.has(value);
}

function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

function tuple(...checks: readonly Check[]): Check {
  return (value) => Array.isArray(value) && value.length === checks.length && checks.every((check, at) => check(value[at]));
}

/** Of these names any, each with such a value, and no other. */
function maybeEach(names: readonly string[], check: Check): Check {
  return object(Object.fromEntries(names.map((name) => [name, maybe(check)])));
}

/** An object of these fields and no others. */
function object<T>(fields: Fields<T>): Check {
  const known = new Map<string, { readonly check: Check; readonly required: boolean }>();
  let required = 0;
  for (const [name, field] of Object.entries<Check | { readonly optional: Check }>(fields)) {
    const isRequired = typeof field === 'function';
    known.set(name, isRequired ? { check: field, required: true } : { check: field.optional, required: false });
    if (isRequired) required += 1;
  }
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    let found = 0;
    for (const name of Object.keys(value)) {
      const field = known.get(name);
      if (field === undefined || !field.check((value as Readonly<Record<string, unknown>>)[name])) return false;
      if (field.required) found += 1;
    }
    return found === required;
  };
}

const check = object<TrialRecord>({
  recordVersion: oneOf(RECORD_VERSION),
  framework: isWord,
  shape: isWord,
  settings: isWord,
  configuration: maybe(isWord),
  taskId: isWord,
  taskType: oneOf('zero-tool', 'document', 'web'),
  level: oneOf(1, 2, 3),
  template: isWord,
  width: isCount,
  trialIndex: isCount,
  seed: isNumber,
  modelKind: isWord,
  model: isWord,
  profile: maybe(isWord),
  host: isWord,
  outcome: oneOf('completed', 'failed', 'limit', 'cancelled', 'infrastructure'),
  failure: maybe(object<NonNullable<TrialRecord['failure']>>({ code: isWord, message: isText })),
  stoppedBy: maybe(oneOf('framework', 'gateway', 'host')),
  output: maybe(isText),
  answer: maybe(isText),
  noMarker: maybe(isTrue),
  score: maybe(object<NonNullable<TrialRecord['score']>>({ rule: oneOf('number', 'list', 'string', 'exact', 'words'), correct: isFlag })),
  handling: maybe(oneOf('repaired', 'reported', 'concealed', 'lost')),
  code: maybe(isWord),
  events: listOf(
    object<TrialRecord['events'][number]>({
      code: isWord,
      source: oneOf('framework', 'model', 'infrastructure'),
      step: maybe(isWord),
      ask: maybe(isCount),
      repaired: maybe(isTrue),
    }),
  ),
  usage: object<TrialRecord['usage']>({ modelCalls: isCount, toolCalls: isCount, inputTokens: isCount, outputTokens: isCount }),
  calls: listOf(tuple(isNumber, isTimeOrOpen, isCount, isCount, isCount)),
  toolCalls: listOf(tuple(isWord, isNumber, isTimeOrOpen, isCount)),
  parts: maybe(maybeEach(PARTS, object<PartUsage>({ modelCalls: isCount, inputTokens: isCount, largestInputTokens: isCount, answers: isCount }))),
  readings: maybe(listOf(tuple(isWord, isCount, oneOf('lexical', 'associative', 'handed-over')))),
  tierBytes: maybe(maybeEach(MEMORY_TIERS, isAmount)),
  wire: isWord,
  injection: maybe(oneOf('shown', 'obeyed')),
  leak: maybe(oneOf('question', 'truth')),
  python: maybe(isWord),
  response: maybe(oneOf(...FAULT_RESPONSES)),
  forced: maybe(isCount),
  asks: maybe(maybeEach(ASK_PLACES, isCount)),
  undisturbed: maybe(isFlag),
  cut: maybe(isTrue),
  block: maybe(isCount),
  wallMs: maybe(isAmount),
  overheadMs: maybe(isAmount),
  overheadUpperMs: maybe(isAmount),
  modelMs: maybe(isAmount),
  toolMs: maybe(isAmount),
  stubMs: maybe(isAmount),
  cpuMs: maybe(isAmount),
  setupMs: maybe(isAmount),
  peakRssBytes: maybe(isAmount),
  baselineRssBytes: maybe(isAmount),
  rssMethod: maybe(isWord),
});

/** @returns false also when in doubt: ask the schema then */
export function isSurelyTrialRecord(value: unknown): value is TrialRecord {
  return check(value);
}
