// One turn of tool calls: every call is checked before any runs, then all run at once, and the results stand in call order.
// A faulty call becomes a result that names what is wrong and what exists; it never ends the run.

import { type Clock, pause, type Random } from './clock.ts';
import type { Connector, Held } from './connector.ts';
import type { RawCall, ToolResult, ToolSpec } from './model.ts';
import { retryDelayMs } from './retry.ts';
import { type Check, type Checked, resolvePort } from './schema.ts';
import type { Tool, ToolContext } from './tool.ts';
import { messageOf, WorkflowError } from './workflow-error.ts';

export type CallFault = 'unknown-tool' | 'malformed-arguments' | 'invalid-arguments' | 'truncated-call';

/** A tool with its check compiled. */
export interface ReadyTool {
  readonly tool: Tool;
  readonly check: Check;
}

export interface ToolBox {
  readonly byName: ReadonlyMap<string, ReadyTool>;
  /** What a model is shown; the same list for every conversation, so that a model may serialise it once. */
  readonly specs: readonly ToolSpec[];
  readonly unchecked: readonly string[];
}

/** @throws WorkflowError `INVALID_TOOL` for two tools of one name or a schema without JSON Schema. */
export function buildToolBox(tools: readonly Tool[]): ToolBox {
  const byName = new Map<string, ReadyTool>();
  const specs: ToolSpec[] = [];
  const unchecked: string[] = [];
  for (const one of tools) {
    if (byName.has(one.name))
      throw new WorkflowError('INVALID_TOOL', `two tools have the name "${one.name}"`, { remedy: 'Give each tool of an agent its own name.' });
    const port = resolvePort(one.input);
    if (port.json === undefined) {
      throw new WorkflowError('INVALID_TOOL', `the input schema of tool "${one.name}" offers no JSON Schema, so no model could be shown it`, {
        remedy: 'Use a schema library with Standard JSON Schema, or put one beside it: withJsonSchema(schema, { … }).',
      });
    }
    byName.set(one.name, { tool: one, check: port.check });
    specs.push(Object.freeze({ name: one.name, description: one.description, parameters: port.json }));
    unchecked.push(...port.unchecked.map((keyword) => `tool ${one.name}: ${keyword}`));
  }
  return { byName, specs: Object.freeze(specs), unchecked };
}

export interface CallScope {
  /** Results go into the context whole, whatever a tool's limit is. */
  readonly uncut?: boolean;
  readonly connectors: ConnectorAccess;
  /** What stands for a result of a connector; absent while none was used. */
  readonly show?: ((value: unknown) => unknown) | undefined;
  /** Made when first asked for. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly random: Random;
  fault(code: CallFault, message: string, call: RawCall): void;
  toolStarted(call: RawCall): void;
  toolEnded(call: RawCall, ok: boolean, text: string, code?: string): void;
}

/** What of an attempt tools may use. */
export interface ConnectorAccess {
  open<Client>(connector: Connector<Client>, signal: AbortSignal): Client;
  find(handle: string): Held;
}

type Planned = { readonly call: RawCall; readonly ready: ReadyTool; readonly input: unknown } | { readonly call: RawCall; readonly refused: string };

/** Checks and runs the calls of one reply. `truncated`: none of them runs, each is told so. */
export async function runToolCalls(box: ToolBox, calls: readonly RawCall[], truncated: boolean, scope: CallScope): Promise<ToolResult[]> {
  const planned: Planned[] = [];
  for (const call of calls) {
    const checked = checkCall(box, call, truncated, scope);
    planned.push(checked instanceof Promise ? await checked : checked);
  }
  if (planned.length === 1) return [await perform(planned[0] as Planned, scope)];
  return Promise.all(planned.map((one) => perform(one, scope)));
}

function checkCall(box: ToolBox, call: RawCall, truncated: boolean, scope: CallScope): Planned | Promise<Planned> {
  const refuse = (code: CallFault, message: string): Planned => {
    scope.fault(code, message, call);
    return { call, refused: message };
  };
  if (truncated) {
    return refuse(
      'truncated-call',
      `Error: the reply that held this call of ${quoted(call.name)} was cut at the token limit, so the call was not run. Send it again, shorter.`,
    );
  }
  const ready = box.byName.get(call.name);
  if (ready === undefined) {
    return refuse(
      'unknown-tool',
      `Error: there is no tool ${quoted(call.name)}. Tools: ${[...box.byName.keys()].join(', ') || 'none'}. Call one of these or answer.`,
    );
  }
  const parsed = parseArguments(call.arguments);
  if ('problem' in parsed)
    return refuse(
      'malformed-arguments',
      `Error: the arguments of ${call.name} ${parsed.problem}; the call was not run. Send the call again with one JSON object.`,
    );
  const judge = (checked: Checked): Planned =>
    checked.ok
      ? { call, ready, input: checked.value }
      : refuse('invalid-arguments', `Error: the arguments of ${call.name} do not fit its schema: ${checked.issues.join('; ')}. The call was not run.`);
  const checked = ready.check(parsed.value);
  return checked instanceof Promise ? checked.then(judge) : judge(checked);
}

/** Text is parsed; an object is taken as it is; nothing at all means no arguments. */
export function parseArguments(given: unknown): { readonly value: Record<string, unknown> } | { readonly problem: string } {
  if (given === undefined || given === null) return { value: {} };
  let value = given;
  if (typeof given === 'string') {
    if (given.trim() === '') return { value: {} };
    try {
      value = JSON.parse(given);
    } catch (error) {
      return { problem: `are not valid JSON (${messageOf(error)})` };
    }
    if (value === null) return { value: {} };
  }
  if (typeof value !== 'object' || Array.isArray(value)) return { problem: `must be a JSON object, found ${Array.isArray(value) ? 'a list' : typeof value}` };
  return { value: value as Record<string, unknown> };
}

async function perform(planned: Planned, scope: CallScope): Promise<ToolResult> {
  const { call } = planned;
  if ('refused' in planned) return { callId: call.id, name: call.name, text: planned.refused };
  const { tool } = planned.ready;
  scope.toolStarted(call);
  try {
    const returned = await callTool(tool, planned.input, scope);
    const given = asText(returned, scope.show);
    const text = scope.uncut === true ? given : limitText(given, tool.resultLimit);
    scope.toolEnded(call, true, text);
    return { callId: call.id, name: call.name, text };
  } catch (error) {
    // An abort is the run's end, not something to tell the model.
    if (scope.signal.aborted) throw scope.signal.reason;
    // A mistake of the author's, which no model can mend.
    if (error instanceof WorkflowError && error.code === 'UNDECLARED_CONNECTOR') throw error;
    const text = limitText(`Error: ${call.name} failed: ${messageOf(error)}`, tool.resultLimit);
    scope.toolEnded(call, false, text, error instanceof WorkflowError ? error.code : undefined);
    return { callId: call.id, name: call.name, text };
  }
}

/** Runs a tool with its retries and time-out. Used by agents and by tool nodes. */
export async function callTool(tool: Tool, input: unknown, scope: Pick<CallScope, 'signal' | 'clock' | 'random' | 'connectors'>): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (tool.timeoutMs === undefined) return await tool.run(input as never, new LazyContext(scope));
      return await within(tool.timeoutMs, scope, (signal) => tool.run(input as never, new LazyContext({ signal, connectors: scope.connectors })));
    } catch (error) {
      if (scope.signal.aborted) throw scope.signal.reason;
      const delayMs = retryDelayMs(tool.retry, attempt, error, scope.random);
      if (delayMs === undefined) throw error;
      await pause(scope.clock, delayMs, scope.signal);
    }
  }
}

/** Only a tool that looks at the signal has one made. */
class LazyContext implements ToolContext {
  readonly #scope: Pick<CallScope, 'signal' | 'connectors'>;

  constructor(scope: Pick<CallScope, 'signal' | 'connectors'>) {
    this.#scope = scope;
  }

  get signal(): AbortSignal {
    return this.#scope.signal;
  }

  get use(): ToolContext['use'] {
    const { signal, connectors } = this.#scope;
    return (connector) => connectors.open(connector, signal);
  }

  get held(): ToolContext['held'] {
    return (handle) => this.#scope.connectors.find(handle);
  }
}

/** Work that may take so long: then, or with the scope's signal, its own signal is aborted and nothing more is waited for. */
export function within<Value>(
  timeoutMs: number,
  scope: Pick<CallScope, 'signal' | 'clock'>,
  work: (signal: AbortSignal) => Value | Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const give = (reason: unknown) => {
      controller.abort(reason);
      reject(reason);
    };
    const onAbort = () => give(scope.signal.reason);
    scope.signal.addEventListener('abort', onAbort, { once: true });
    const cancel = scope.clock.after(timeoutMs, () => give(new WorkflowError('timeout', `no result within ${timeoutMs} ms`)));
    const done = () => {
      cancel();
      scope.signal.removeEventListener('abort', onAbort);
    };
    controller.signal.addEventListener('abort', done, { once: true });
    Promise.resolve()
      .then(() => work(controller.signal))
      .then(resolve, reject)
      .finally(done);
  });
}

/** What a tool returned, as a model reads it. */
export function asText(value: unknown, show?: (value: unknown) => unknown): string {
  if (show !== undefined && value !== null && typeof value === 'object') return textShown(value, show);
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed();
  if (value === undefined || value === null) return '';
  // A value without a JSON form (a cycle, a bigint) throws here and is told to the model as the tool's error.
  const text = JSON.stringify(value);
  return text === undefined ? String(value) : text.isWellFormed() ? text : text.toWellFormed();
}

/** As above, with what stands for results of connectors, wherever in the value these are. */
function textShown(value: object, show: (value: unknown) => unknown): string {
  const shown = show(value);
  return asText(
    typeof shown === 'string'
      ? shown
      : JSON.stringify(shown ?? value, function (this: Record<string, unknown>, key, part) {
          return show(this[key]) ?? part;
        }),
  );
}

/** At most `limit` UTF-16 units, note included, never ending inside a character; the note states the full size. */
export function limitText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const note = `\n[cut: this is the beginning of ${text.length} characters]`;
  if (limit <= note.length) return cutAt(text, limit);
  return cutAt(text, limit - note.length) + note;
}

function cutAt(text: string, at: number): string {
  const before = text.charCodeAt(at - 1);
  return text.slice(0, before >= 0xd800 && before <= 0xdbff ? at - 1 : at);
}

function quoted(name: string): string {
  return JSON.stringify(name.length > 80 ? `${cutAt(name, 80)}…` : name);
}
