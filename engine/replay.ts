// A run again, from its own events: they are the recording. Replies, and the ends of waits between attempts, come in the order in which they came then,
// each after what the one before it set off, and so do answers of connectors. What functions and tools do by themselves is theirs, and takes the time that it takes.
import { type Clock, systemClock } from './clock.ts';
import type { Playback, RecordedCall } from './connector.ts';
import type { RunEvent } from './events.ts';
import type { ConversationScope, Model, ModelReply } from './model.ts';
import { WorkflowError } from './workflow-error.ts';

/** Longest wait for something that came earlier then and does not come now: the run has gone another way. */
const PATIENCE_MS = 10_000;

/**
 * What to give `execute` in place of the model, the clock and the connectors that were recorded: `execute(workflow, input, { ...replay(events) })`.
 * `events` may have been read back from JSON. A request that was not recorded fails its node with `not-recorded`.
 */
export function replay(events: Iterable<RunEvent>): { readonly model: Model; readonly clock: Clock; readonly connectors: Playback } {
  const { replies, calls, waits, together } = readRecording(events);
  const turns = new Turns(together);
  const model: Model = {
    name: 'replay',
    open: (_, scope) => ({
      addUser: () => {},
      addReply: () => {},
      addResults: () => {},
      ask: async () => {
        const node = scope.node ?? '';
        const recorded = replies.get(node)?.shift();
        if (recorded === undefined) throw new WorkflowError('not-recorded', `the recording holds no further reply to node "${node}"`);
        await inTurn(turns, recorded.at, node, (stop) => scope.onAbort(stop));
        if (recorded.reply instanceof WorkflowError) throw recorded.reply;
        return recorded.reply;
      },
      close: () => {},
    }),
  };
  const clock: Clock = {
    nowMs: systemClock.nowMs,
    after: (delayMs, callback) => {
      const at = waits.get(delayMs)?.shift();
      return at === undefined ? systemClock.after(delayMs, callback) : turns.wait(at, callback);
    },
  };
  const connectors: Playback = {
    kind: 'playback',
    play: async (connector, request, { node, signal }) => {
      const recorded = calls.get(`${connector} ${node} ${request}`)?.shift();
      if (recorded === undefined)
        throw new WorkflowError('not-recorded', `the recording holds no further answer of connector "${connector}" to node "${node}"`);
      const untilAbort = (stop: (reason: unknown) => void) => {
        const onAbort = () => stop(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
        return () => signal.removeEventListener('abort', onAbort);
      };
      // It ended with its node then, and does so now.
      if (recorded.call.code === 'cancelled') return new Promise<never>((_, reject) => void untilAbort(reject));
      await inTurn(turns, recorded.at, node, untilAbort);
      return recorded.call;
    },
  };
  return { model, clock, connectors };
}

class Turns {
  readonly #waiting = new Map<number, () => void>();
  readonly #together: ReadonlySet<number>;
  next = 0;

  /** @param together turns that came with the one before them, in one tick */
  constructor(together: ReadonlySet<number>) {
    this.#together = together;
  }

  /** Calls back when all before `at` have had their turn and what they set off has settled. Returns what takes the wish back. */
  wait(at: number, callback: () => void): () => void {
    this.#waiting.set(at, callback);
    if (at === this.next || this.#together.has(at)) this.#callNext();
    return () => void this.#waiting.delete(at);
  }

  #callNext(): void {
    setImmediate(() => {
      const due = [this.next];
      for (let at = this.next + 1; this.#together.has(at); at++) due.push(at);
      if (!due.every((at) => this.#waiting.has(at))) return;
      this.next += due.length;
      for (const at of due) {
        const callback = this.#waiting.get(at);
        this.#waiting.delete(at);
        callback?.();
      }
      this.#callNext();
    });
  }
}

function inTurn(turns: Turns, at: number, node: string, onAbort: ConversationScope['onAbort']): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (reason: unknown) => {
      takeBack();
      cancel();
      leave();
      reject(reason);
    };
    const takeBack = turns.wait(at, () => {
      cancel();
      leave();
      resolve();
    });
    const cancel = systemClock.after(PATIENCE_MS, () => {
      stop(new WorkflowError('not-recorded', `answer ${at + 1} to node "${node}" stands after event ${turns.next + 1} of the recording, which does not come`));
    });
    const leave = onAbort(stop);
  });
}

interface Recording {
  /** Replies, and requests that failed, of each node in their order. */
  readonly replies: ReadonlyMap<string, { readonly at: number; readonly reply: ModelReply | WorkflowError }[]>;
  /** Answers of connectors, by connector, node and request, in their order. */
  readonly calls: ReadonlyMap<string, { readonly at: number; readonly call: RecordedCall }[]>;
  /** Answers that came in one tick with the one before, as those do that share one call. */
  readonly together: ReadonlySet<number>;
  /** When waits of a length ended: jitter makes hardly two alike. */
  readonly waits: ReadonlyMap<number, number[]>;
}

/** Requests and waits that were still open at the end are left out. */
function readRecording(events: Iterable<RunEvent>): Recording {
  const replies = new Map<string, { at: number; reply: ModelReply | WorkflowError }[]>();
  const waits = new Map<number, number[]>();
  const calls = new Map<string, { at: number; call: RecordedCall }[]>();
  const together = new Set<number>();
  let before: RunEvent | undefined;
  const asking = new Set<string>();
  const waiting = new Map<string, number>();
  let at = 0;
  const add = (node: string, reply: ModelReply | WorkflowError) => {
    asking.delete(node);
    listAt(replies, node).push({ at: at++, reply });
  };
  for (const event of events) {
    // Anything that the one before had set off would stand between the two.
    if (isAnswer(event) && before !== undefined && isAnswer(before)) together.add(at);
    switch (event.type) {
      case 'model-start':
        asking.add(event.node);
        break;
      case 'model-end':
        add(event.node, { ...event.reply, truncated: event.truncated, ...(event.usage === undefined ? {} : { usage: event.usage }) });
        break;
      case 'connector-end':
        listAt(calls, `${event.connector} ${event.node} ${event.request}`).push({ at: event.code === 'cancelled' ? -1 : at++, call: event });
        break;
      case 'node-retry':
      case 'node-fallback':
      case 'node-end':
        if (event.code !== undefined && asking.has(event.node)) add(event.node, new WorkflowError(event.code, event.message ?? ''));
        if (event.type === 'node-retry') waiting.set(event.node, event.delayMs);
        break;
      case 'node-start': {
        const delayMs = waiting.get(event.node);
        waiting.delete(event.node);
        if (delayMs !== undefined) listAt(waits, delayMs).push(at++);
        break;
      }
      default:
      // Nothing that a model or a clock gave.
    }
    before = event;
  }
  return { replies, calls, waits, together };
}

function isAnswer(event: RunEvent): boolean {
  return event.type === 'model-end' || (event.type === 'connector-end' && event.code !== 'cancelled');
}

function listAt<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  let list = lists.get(key);
  if (list === undefined) {
    list = [];
    lists.set(key, list);
  }
  return list;
}
