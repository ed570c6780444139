// What each kind of node does with its input. A function runs, a tool is checked and called, an agent loops; all see only what was declared.
import { type AgentScope, type ReadyAgent, type ReplyFault, runAgent } from './agent-node.ts';
import type { Attempt } from './attempt.ts';
import type { Clock, Random } from './clock.ts';
import type { Shelf } from './connector.ts';
import type { RunEvent, Tally } from './events.ts';
import type { Gates, OpenGate } from './gates.ts';
import { runMap } from './map-node.ts';
import type { RunMemory } from './memory.ts';
import type { Model, ModelNotice, ModelReply, RawCall } from './model.ts';
import { inOwnClass } from './own-class.ts';
import type { Plan } from './plan.ts';
import type { MapPlan, ReadyNode } from './ready-node.ts';
import type { ResourcePool } from './resource-pool.ts';
import type { Checked } from './schema.ts';
import type { Tool } from './tool.ts';
import { asText, callTool } from './tool-calls.ts';
import { WorkflowError } from './workflow-error.ts';

/** What a node gives back in place of an output when it cannot go on before someone has answered. */
export class OpenGates {
  readonly gates: readonly OpenGate[];

  constructor(gates: readonly OpenGate[]) {
    this.gates = gates;
  }
}

/** What a way gives back in place of an output when it is not taken. */
export const DECLINED: unique symbol = Symbol('declined');

/** Keeps items of maps in the run's checkpoint. */
export interface ItemKeeper {
  /** What an earlier execution finished. */
  kept(id: string): { readonly output: unknown } | undefined;
  /** Calls back once the item is durable. @throws WorkflowError `not-storable` */
  keep(attempt: Attempt, output: unknown, done: () => void): void;
}

/** The part of the shell that nodes may use. */
export interface NodeHost {
  readonly keeper: ItemKeeper | undefined;
  readonly options: { readonly model?: Model; readonly onWait?: (gate: OpenGate) => unknown };
  readonly pool: ResourcePool | undefined;
  /** The outermost run: limits are shared out between runs, not between their parts. */
  readonly root: object;
  readonly failures: WorkflowError[];
  /** Of the outermost run. */
  readonly gates: Gates;
  /** Results that were shown by handle; absent while no connector was used. */
  readonly shelf: Shelf | undefined;
  /** Absent unless the run was given `memory`. */
  readonly memory: RunMemory | undefined;
  pathOf(id: string): string;
  /** Paths of all nodes that this one (or the map whose item it is) follows, in the order of the graph. */
  nodesBefore(id: string): readonly string[];
  runNested(plan: Plan, input: unknown, id: string, attempt: Attempt): Promise<unknown>;
  readonly clock: Clock;
  readonly random: Random;
  readonly tally: Tally;
  readonly listening: boolean;
  emit(event: RunEvent extends infer One ? (One extends RunEvent ? Omit<One, 'atMs'> : never) : never): void;
}

/** Checks the input and runs the node. Returns a promise only where something asynchronous is in it. */
export function runNode(host: NodeHost, ready: ReadyNode, input: unknown, attempt: Attempt): unknown {
  const { pool } = host;
  if (ready.ownClass === undefined || pool === undefined) return runFitting(host, ready, input, attempt);
  return inOwnClass(pool, host.root, ready.ownClass, attempt, () => runFitting(host, ready, input, attempt));
}

function runFitting(host: NodeHost, ready: ReadyNode, input: unknown, attempt: Attempt): unknown {
  if (ready.inputCheck === undefined) return runChecked(host, ready, input, attempt);
  const checked = ready.inputCheck(input);
  if (checked instanceof Promise) {
    // The attempt may have been stopped while the check was at work; then nothing more is begun.
    return checked.then((settled) => (attempt.over ? undefined : runChecked(host, ready, validOf(settled, ready), attempt)));
  }
  return runChecked(host, ready, validOf(checked, ready), attempt);
}

function validOf(checked: Checked, ready: ReadyNode): unknown {
  if (checked.ok) return checked.value;
  throw new WorkflowError('invalid-input', `the input of node "${ready.id}" breaks its schema: ${checked.issues.join('; ')}`, { node: ready.id });
}

function runChecked(host: NodeHost, ready: ReadyNode, input: unknown, attempt: Attempt): unknown {
  switch (ready.kind) {
    case 'function':
      return (ready.run as (input: unknown, context: unknown) => unknown)(input, attempt);
    case 'tool':
      return callTool(ready.tool as Tool, input, { signal: attempt.signal, clock: host.clock, random: host.random, connectors: attempt });
    case 'agent':
      if (host.memory !== undefined) return runRemembered(host, host.memory, ready, input, attempt);
      return runAgent(ready.agent as ReadyAgent, promptOf(host, ready, input, attempt), new NodeScope(host, ready.id, attempt));
    case 'branch':
      return input;
    case 'way':
      return ready.holds === undefined || ready.holds(attempt.get) ? input : DECLINED;
    case 'aggregate':
      return ready.run === undefined ? input : (ready.run as (input: unknown, context: unknown) => unknown)(input, attempt);
    case 'map':
      return runMap(host, ready, ready.map as MapPlan, input, attempt);
    case 'subgraph':
      return host.runNested(ready.workflow as Plan, input, ready.id, attempt);
    case 'wait':
      return askGate(host, ready, input);
    default:
      return ready.kind satisfies never;
  }
}

function askGate(host: NodeHost, ready: ReadyNode, input: unknown): unknown {
  const node = host.pathOf(ready.id);
  const answered = host.gates.answerTo(node);
  if (answered !== undefined) return answered.value;
  const gate: OpenGate = { node, input, ...(ready.prompt === undefined ? {} : { question: ready.prompt(input) }) };
  const open = () => {
    if (host.listening) host.emit({ type: 'node-waiting', node: ready.id, ...(gate.question === undefined ? {} : { question: gate.question }) });
    return new OpenGates([gate]);
  };
  const answer = host.options.onWait?.(gate);
  if (answer instanceof Promise) return answer.then((value) => (value === undefined ? open() : value));
  return answer === undefined ? open() : answer;
}

/** The declared input, then each declared key. Text stays as it is. */
function promptOf(host: NodeHost, ready: ReadyNode, input: unknown, attempt: Attempt): string {
  const show = shower(host, ready);
  let prompt = ready.prompt === undefined ? asText(input, show) : ready.prompt(input);
  for (const key of ready.reads.keys()) prompt += `\n\n${key}:\n${asText(attempt.get(key), show)}`;
  return prompt;
}

/** How results of connectors stand in the prompts of an agent: as summaries, unless it asks for more or the tier is switched off. */
function shower({ shelf, memory }: NodeHost, { connectors }: ReadyNode): ((value: unknown) => unknown) | undefined {
  if (shelf === undefined) return undefined;
  return (value) => shelf.show(value, (connector) => memory?.raw === true || connectors.get(connector)?.inPrompt === true);
}

/** An agent of a run whose memory tiers are switched or counted. */
async function runRemembered(host: NodeHost, memory: RunMemory, ready: ReadyNode, input: unknown, attempt: Attempt): Promise<unknown> {
  const agent = ready.agent as ReadyAgent;
  const node = host.pathOf(ready.id);
  return memory.run(node, agent.model ?? host.options.model, (model) => {
    // While it waited for its turn the run may have been stopped.
    attempt.signal.throwIfAborted();
    return runAgent({ ...agent, model }, rememberedPrompt(host, memory, ready, input, attempt), new NodeScope(host, ready.id, attempt));
  });
}

function rememberedPrompt(host: NodeHost, memory: RunMemory, ready: ReadyNode, input: unknown, attempt: Attempt): string {
  const show = shower(host, ready);
  const asked = ready.prompt === undefined ? asText(input, show) : ready.prompt(input);
  // What the keys hold stands in the transcript that all share.
  if (memory.shared) return asked;
  const told = memory.state
    ? promptOf(host, ready, input, attempt)
    : [asked, ...[...ready.reads.keys()].map((key) => asText(attempt.get(key), show))].join('\n\n');
  return told + memory.leftBefore(host.nodesBefore(ready.id));
}

/** What an agent may use of the run, as one object for loop, calls and conversation: a class, since a set of closures would be most of what a run allocates. */
class NodeScope implements AgentScope {
  readonly #host: NodeHost;
  readonly #node: string;
  readonly #attempt: Attempt;

  constructor(host: NodeHost, node: string, attempt: Attempt) {
    this.#host = host;
    this.#node = node;
    this.#attempt = attempt;
  }

  get node(): string {
    return this.#host.pathOf(this.#node);
  }

  get model(): Model | undefined {
    return this.#host.options.model;
  }

  get uncut(): boolean {
    return this.#host.memory?.raw === true;
  }

  get connectors(): Attempt {
    return this.#attempt;
  }

  get show(): ((value: unknown) => unknown) | undefined {
    return shower(this.#host, this.#attempt.ready);
  }

  get signal(): AbortSignal {
    return this.#attempt.signal;
  }

  get clock(): Clock {
    return this.#host.clock;
  }

  get random(): Random {
    return this.#host.random;
  }

  onAbort(callback: (reason: unknown) => void): () => void {
    return this.#attempt.onAbort(callback);
  }

  asked(iteration: number, tools: boolean): void {
    if (this.#host.listening) this.#host.emit({ type: 'model-start', node: this.#node, iteration, tools });
  }

  replied(iteration: number, reply: ModelReply): void {
    this.#host.tally.reply(reply.usage);
    if (!this.#host.listening) return;
    const usage = reply.usage === undefined ? {} : { usage: reply.usage };
    this.#host.emit({ type: 'model-end', node: this.#node, iteration, calls: reply.calls.length, truncated: reply.truncated, ...usage, reply: toldOf(reply) });
  }

  fault(code: ReplyFault, message: string, call?: RawCall): void {
    this.#host.tally.fault(code);
    if (this.#host.listening) this.#host.emit({ type: 'reply-fault', node: this.#node, code, message, ...(call === undefined ? {} : { tool: call.name }) });
  }

  toolStarted(call: RawCall): void {
    this.#host.tally.toolCalls++;
    if (this.#host.listening) this.#host.emit({ type: 'tool-start', node: this.#node, tool: call.name, callId: call.id });
  }

  toolEnded(call: RawCall, ok: boolean, text: string, code?: string): void {
    if (!this.#host.listening) return;
    const failed = code === undefined ? {} : { code };
    this.#host.emit({ type: 'tool-end', node: this.#node, tool: call.name, callId: call.id, ok, chars: text.length, text, ...failed });
  }

  notice(notice: ModelNotice): void {
    if (notice.type === 'request-retry') this.#host.tally.requestRetries++;
    if (this.#host.listening) this.#host.emit({ ...notice, node: this.#node });
  }
}

/** The reply without what only its wire understands. */
function toldOf({ text, calls, refusal, reasoning }: ModelReply): Pick<ModelReply, 'text' | 'calls' | 'refusal' | 'reasoning'> {
  return { text, calls, ...(refusal === undefined ? {} : { refusal }), ...(reasoning === undefined ? {} : { reasoning }) };
}
