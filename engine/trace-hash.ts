// The trace hash: one digest over what every node was told and gave, in the order of the graph and never of time. Loaded only by runs that ask for it.
// Left out: times, waits, call ids and messages, since these may differ between two runs that did the same.
import { createHash } from 'node:crypto';
import { encodeValue } from './checkpoint-value.ts';
import type { RunEvent, TraceEnd } from './events.ts';
import type { Plan } from './plan.ts';
import { ANY, SKIPPED_AFTER_FAILURE, SKIPPED_BY_BRANCH } from './transition.ts';

/** What one node was told and gave so far; items of a map and nodes of a subgraph stand below it. */
interface NodeLog {
  readonly entries: string[];
  readonly below: Set<string>;
  /** Ends of calls that run at the same time: sorted before they are taken in. */
  calls: string[];
}

export class TraceHash {
  readonly #logs = new Map<string, NodeLog>();
  /** Digests of nodes that an earlier execution finished. */
  readonly #kept = new Map<string, string>();
  /** Failures that were taken in before their event. */
  readonly #failed = new Set<string>();
  readonly #ids: ReadonlySet<string>;
  #cutShort: string | undefined;

  constructor({ nodes }: Plan) {
    this.#ids = new Set(nodes.map(({ id }) => id));
  }

  /** Why there is no hash; the first reason stays. */
  cut(reason: string): void {
    this.#cutShort ??= reason;
  }

  take(event: RunEvent): void {
    switch (event.type) {
      case 'model-end': {
        const { reply, usage } = event;
        this.#add(event.node, ['reply', reply?.text, reply?.calls.map(({ name, arguments: args }) => [name, args]), reply?.refusal, event.truncated, usage]);
        return;
      }
      case 'tool-end':
        if (event.code === 'timeout') this.cut(`tool "${event.tool}" of node "${event.node}" ran out of time`);
        this.#logOf(event.node).calls.push(textOf([event.tool, event.ok, event.text]));
        return;
      case 'connector-end':
        if (event.code === 'cancelled') return this.cut(`node "${event.node}" gave up a call of connector "${event.connector}"`);
        if (event.code === 'timeout') this.cut(`connector "${event.connector}" of node "${event.node}" ran out of time`);
        this.#logOf(event.node).calls.push(textOf(['connector', event.connector, event.request, event.digest ?? event.code]));
        return;
      case 'reply-fault':
        this.#add(event.node, ['fault', event.code, event.tool]);
        return;
      case 'node-retry':
        if (event.code === 'timeout') this.cut(`node "${event.node}" ran out of time`);
        this.#add(event.node, ['retry', event.attempt, event.code]);
        return;
      case 'node-fallback':
        if (event.code === 'timeout') this.cut(`node "${event.node}" ran out of time`);
        this.#add(event.node, ['fallback', event.attempt, event.code]);
        return;
      case 'node-end':
        if (event.code === 'timeout') this.cut(`node "${event.node}" ran out of time`);
        if (event.code !== undefined && !this.#failed.delete(event.node)) this.#add(event.node, ['failed', event.code]);
        return;
      default:
      // Starts and ends of the run and of requests follow from the others, or belong to the transport.
    }
  }

  /** A node has failed for good; said before its checkpoint is written, its event comes after. */
  fail(node: string, code: string): void {
    this.#add(node, ['failed', code]);
    this.#failed.add(node);
  }

  /** Digest of a node that is finished, for its checkpoint; `undefined` where there is nothing but its output. */
  digestOf(node: string): string | undefined {
    const kept = this.#kept.get(node);
    if (kept !== undefined) return kept;
    const log = this.#logs.get(node);
    if (log === undefined) return undefined;
    flush(log);
    const below = [...log.below].sort().map((path) => `${JSON.stringify(path)} ${this.digestOf(path)}`);
    return createHash('sha256')
      .update([...log.entries, ...below].join('\n'))
      .digest('hex')
      .slice(0, 32);
  }

  /** Takes a digest back from a checkpoint. */
  keep(node: string, digest: string): void {
    this.#kept.set(node, digest);
    this.#place(node);
  }

  /** Looks at a run, or a run inside it, when it has ended: whether time decided anything in it. */
  look(plan: Plan, phase: Uint8Array, stopped: string | undefined): void {
    if (stopped !== undefined) this.cut(`stopped: ${stopped}`);
    this.#findRaces(plan, phase);
  }

  end(plan: Plan, input: unknown, phase: Uint8Array, outputs: readonly unknown[], result: RunEnd): TraceEnd {
    if (this.#cutShort !== undefined) return { cutShort: this.#cutShort };
    const hash = createHash('sha256').update(textOf([plan.name, input]));
    let lines = '';
    for (const [node, { id }] of plan.nodes.entries()) {
      // Appending to a hash costs more than to a text.
      lines += `\n${phase[node]} ${JSON.stringify(id)} ${this.digestOf(id) ?? ''} ${textOf(outputs[node])}`;
      if (lines.length < 65_536) continue;
      hash.update(lines);
      lines = '';
    }
    const { status, output, error, state } = result;
    return { hash: hash.update(`${lines}\n${textOf([status, output, error?.code, { ...state }])}`).digest('hex') };
  }

  /** Where two could have let an `any` join start, time chose one of them. */
  #findRaces({ topology, nodes, sourceOffsets, sources }: Plan, phase: Uint8Array): void {
    if (!topology.races) return;
    for (const [node, { id }] of nodes.entries()) {
      if (topology.join[node] !== ANY) continue;
      let able = 0;
      for (const source of sources.subarray(sourceOffsets[node], sourceOffsets[node + 1])) {
        if (phase[source] !== SKIPPED_BY_BRANCH && phase[source] !== SKIPPED_AFTER_FAILURE) able++;
      }
      if (able > 1) this.cut(`node "${id}" took whichever came first`);
    }
  }

  #add(node: string, entry: readonly unknown[]): void {
    const log = this.#logOf(node);
    flush(log);
    log.entries.push(textOf(entry));
  }

  #logOf(node: string): NodeLog {
    let log = this.#logs.get(node);
    if (log === undefined) {
      log = { entries: [], below: new Set(), calls: [] };
      this.#logs.set(node, log);
      this.#place(node);
    }
    return log;
  }

  /** `outer/inner` and `outer[3]` stand below `outer`. */
  #place(path: string): void {
    if (this.#ids.has(path)) return;
    const above = path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('[')));
    if (above !== '') this.#logOf(above).below.add(path);
  }
}

interface RunEnd {
  readonly status: string;
  readonly output?: unknown;
  readonly error?: { readonly code: string };
  readonly state: Readonly<Record<string, unknown>>;
}

function flush(log: NodeLog): void {
  if (log.calls.length > 0) log.entries.push(...log.calls.sort());
  log.calls = [];
}

/** Values that have no text of their own count by their kind alone. */
function textOf(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return String(value);
  try {
    return encodeValue(value, 'a value');
  } catch {
    return `?${typeof value}`;
  }
}
