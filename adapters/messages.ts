// Frames of protocol.ts: one JSON object a line. Checked by hand on both ends (a schema library in the worker would be measured as part of the bare loop),
// and bounded, so that neither side can be made to hold more than one frame.
import type { HostMessage, WorkerMessage } from './protocol.ts';

/** A frame may carry an output or a prompt, not a flood: 16 MiB of UTF-8. */
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** What a frame turned out to be. `foreign` is a well-formed frame of a type that we do not know: ignored, so that a later version may say more. */
export type Decoded<Message> =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'problem'; readonly problem: FrameProblem }
  | { readonly kind: 'foreign'; readonly type: string };

export interface FrameProblem {
  /** Path of the offending field, such as `tools[0].name`; empty when the frame as a whole is at fault. */
  readonly field: string;
  readonly expected: string;
  readonly found: string;
  /** The frame's own type and trial, where they could be read. */
  readonly type?: string;
  readonly trialId?: number;
}

type Check = (value: unknown, path: string) => FrameProblem | undefined;
type Checks<Message extends { readonly type: string }> = {
  readonly [Type in Message['type']]: { readonly [Field in keyof Omit<Extract<Message, { readonly type: Type }>, 'type'>]-?: Check };
};

export function encodeMessage(message: HostMessage | WorkerMessage): string {
  return `${JSON.stringify(message)}\n`;
}

/** Reads a frame that came from the host. */
export function decodeHostMessage(line: string): Decoded<HostMessage> {
  return decode<HostMessage>(line, hostChecks);
}

/** Reads a frame that came from a worker. */
export function decodeWorkerMessage(line: string): Decoded<WorkerMessage> {
  return decode<WorkerMessage>(line, workerChecks);
}

/** One sentence for a person. */
export function describeProblem(problem: FrameProblem): string {
  const where = problem.field === '' ? 'frame' : `field ${problem.field}`;
  return `${problem.type === undefined ? '' : `${problem.type}: `}${where} should be ${problem.expected}, found ${problem.found}`;
}

/**
 * Cuts a byte stream into lines. Holds at most `maxBytes` of an unfinished line; a longer one is reported once and skipped to its end.
 * @returns a function to feed with chunks
 */
export function frameReader(onLine: (line: string) => void, onOversized: (problem: FrameProblem) => void, maxBytes = MAX_FRAME_BYTES): (chunk: Buffer) => void {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let skipping = false;
  const take = (part: Buffer) => {
    if (skipping) return;
    if (heldBytes + part.length > maxBytes) {
      held = [];
      heldBytes = 0;
      skipping = true;
      onOversized({ field: '', expected: `at most ${maxBytes} bytes`, found: 'more' });
      return;
    }
    held.push(part);
    heldBytes += part.length;
  };
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      take(chunk.subarray(from, end));
      from = end + 1;
      if (!skipping && heldBytes > 0) onLine(Buffer.concat(held).toString('utf8'));
      held = [];
      heldBytes = 0;
      skipping = false;
    }
    if (from < chunk.length) take(chunk.subarray(from));
  };
}

const text: Check = (value, path) => (typeof value === 'string' ? undefined : problem(path, 'a string', value));
const finite: Check = (value, path) => (Number.isFinite(value) ? undefined : problem(path, 'a finite number', value));
const whole: Check = (value, path) => (Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : problem(path, 'a whole number from 0', value));
const no: Check = (value, path) => (value === false ? undefined : problem(path, 'false', value));
const optional =
  (check: Check): Check =>
  (value, path) =>
    value === undefined ? undefined : check(value, path);
const oneOf =
  (...words: readonly string[]): Check =>
  (value, path) =>
    words.includes(value as string) ? undefined : problem(path, words.map((word) => `'${word}'`).join(' or '), value);
const list =
  (check: Check): Check =>
  (value, path) =>
    Array.isArray(value) ? firstOf(value.map((member, index) => check(member, `${path}[${index}]`))) : problem(path, 'a list', value);
const values =
  (check: Check): Check =>
  (value, path) =>
    isObject(value) ? firstOf(Object.entries(value).map(([key, member]) => check(member, `${path}.${key}`))) : problem(path, 'an object', value);
const object =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value, path) =>
    isObject(value)
      ? firstOf(Object.entries(fields).map(([key, check]) => check(value[key], path === '' ? key : `${path}.${key}`)))
      : problem(path, 'an object', value);

const settings = oneOf('default', 'hardened');
const toolSchema = object({
  name: text,
  description: text,
  parameters: object({
    type: oneOf('object'),
    properties: values(object({ type: oneOf('string', 'number', 'integer', 'boolean'), description: text })),
    required: list(text),
    additionalProperties: no,
  }),
});

const hostChecks: Checks<HostMessage> = {
  start: {
    protocolVersion: whole,
    adapterModule: text,
    exportName: text,
    shape: oneOf('single', 'idiomatic', 'dag'),
    settings,
    configuration: optional(text),
    packages: list(text),
    modelUrl: text,
    toolUrl: text,
  },
  'trial-start': {
    trialId: whole,
    systemText: text,
    userText: text,
    tools: list(toolSchema),
    model: object({ name: text, temperature: finite, maxTokens: whole, timeoutMs: finite }),
    agentCap: whole,
    capLiteral: optional(whole),
  },
  'trial-cancel': { trialId: whole, reason: text },
  'clock-probe': { probe: whole },
  stop: {},
};

const workerChecks: Checks<WorkerMessage> = {
  'worker-ready': { protocolVersion: whole, versions: values(text), runtime: text, importMs: finite, rssAfterImportBytes: whole },
  'trial-end': {
    trialId: whole,
    output: optional(text),
    error: optional(object({ name: text, message: text, phase: oneOf('prepare', 'run'), code: optional(text) })),
    startMs: optional(finite),
    endMs: optional(finite),
    setupMs: finite,
    cpuMs: optional(finite),
    stubMs: optional(finite),
    stubWallMs: optional(finite),
    peakRssBytes: optional(whole),
    rssMethod: optional(oneOf('vm-hwm', 'max-rss', 'sampled')),
    tierBytes: optional(values(whole)),
  },
  'clock-reading': { probe: whole, atMs: finite },
  'worker-failed': { code: oneOf('MISSING_PACKAGE', 'LOAD_FAILED', 'NO_SHAPE'), message: text, package: optional(text) },
  'worker-stopped': {},
};

function decode<Message extends { readonly type: string }>(line: string, checks: Readonly<Record<string, Readonly<Record<string, Check>>>>): Decoded<Message> {
  let frame: unknown;
  try {
    frame = JSON.parse(line);
  } catch {
    return { kind: 'problem', problem: { field: '', expected: 'a JSON object on one line', found: shown(line) } };
  }
  if (!isObject(frame)) return { kind: 'problem', problem: problem('', 'a JSON object', frame) };
  const { type, trialId } = frame;
  if (typeof type !== 'string') return { kind: 'problem', problem: problem('type', 'a string', type) };
  if (!Object.hasOwn(checks, type)) return { kind: 'foreign', type };
  const found = object(checks[type] as Readonly<Record<string, Check>>)(frame, '');
  if (found === undefined) return { kind: 'message', message: frame as unknown as Message };
  return { kind: 'problem', problem: { ...found, type, ...(Number.isSafeInteger(trialId) ? { trialId: trialId as number } : {}) } };
}

function problem(field: string, expected: string, value: unknown): FrameProblem {
  return { field, expected, found: value === undefined ? 'nothing' : shown(JSON.stringify(value)) };
}

function shown(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}… (${text.length} characters)` : text;
}

function firstOf(found: readonly (FrameProblem | undefined)[]): FrameProblem | undefined {
  return found.find((one) => one !== undefined);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
