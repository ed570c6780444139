// One attempt of one node: its scratch, its noted writes, its signal. All of it is let go when the attempt ends, also by failure.

import type { Connector, ConnectorLink, Held, Shelf } from './connector.ts';
import type { ReadyNode } from './ready-node.ts';
import type { StateStore } from './state.ts';
import { WorkflowError } from './workflow-error.ts';

/** What the shell lends to a node that declares connectors. */
export interface ConnectorHost {
  readonly shelf: Shelf | undefined;
  lend(connector: Connector, node: string, signal: AbortSignal): ConnectorLink;
}

/** What node functions know as NodeContext. The functions may be taken out of it (`{ get, set }`), and what is not asked for is not made. */
export class Attempt {
  readonly ready: ReadyNode;
  readonly attempt: number;
  /** Noted writes: key number and value. Committed by the shell when the node completes. */
  noted: { readonly key: number; readonly value: unknown }[] | undefined = undefined;
  over = false;
  /** Set where the node declares connectors. */
  connectors: ConnectorHost | undefined = undefined;
  /** Takes down the attempt's time-out. */
  disarm: (() => void) | undefined = undefined;
  #used = false;
  readonly #state: StateStore;
  #scratch: Map<string, unknown> | undefined = undefined;
  #controller: AbortController | undefined = undefined;
  #onAbort: Set<(reason: unknown) => void> | undefined = undefined;

  constructor(ready: ReadyNode, state: StateStore, attempt: number) {
    this.ready = ready;
    this.attempt = attempt;
    this.#state = state;
  }

  /** An attempt at one item of a map. Ends by itself; whoever made it ends it with this one. */
  nested(ready: ReadyNode, attempt: number): Attempt {
    const nested = new Attempt(ready, this.#state, attempt);
    nested.connectors = this.connectors;
    return nested;
  }

  get nodeId(): string {
    return this.ready.id;
  }

  get scratch(): Map<string, unknown> {
    this.#scratch ??= new Map();
    return this.#scratch;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.over) this.#controller.abort(new WorkflowError('cancelled', `the attempt of node "${this.ready.id}" is over`, { node: this.ready.id }));
    }
    return this.#controller.signal;
  }

  /** For the engine's own parts: a callback costs a twentieth of a signal. */
  onAbort(callback: (reason: unknown) => void): () => void {
    this.#onAbort ??= new Set();
    const callbacks = this.#onAbort.add(callback);
    return () => void callbacks.delete(callback);
  }

  get get(): (key: string) => unknown {
    return (key) => {
      const number = this.ready.reads.get(key);
      if (number === undefined) {
        throw new WorkflowError('UNDECLARED_READ', `node "${this.ready.id}" reads the state key "${key}", which its \`reads\` does not declare`, {
          node: this.ready.id,
          remedy: `Declare it: reads: ["${key}"].`,
        });
      }
      return this.#state.read(number);
    };
  }

  get set(): (key: string, value: unknown) => void {
    return (key, value) => {
      const number = this.ready.writes.get(key);
      if (number === undefined) {
        throw new WorkflowError('UNDECLARED_WRITE', `node "${this.ready.id}" writes the state key "${key}", which its \`writes\` does not declare as a list`, {
          node: this.ready.id,
          remedy: `Declare it: writes: ["${key}"].`,
        });
      }
      if (this.over) throw new WorkflowError('cancelled', `node "${this.ready.id}" writes "${key}" after its attempt has ended`, { node: this.ready.id });
      this.noted ??= [];
      this.noted.push({ key: number, value });
    };
  }

  get use(): <Client>(connector: Connector<Client>) => Client {
    return (connector) => this.open(connector, this.signal);
  }

  get held(): (handle: string) => Held {
    return (handle) => this.find(handle);
  }

  /** A connector for as long as the signal lets it: the attempt's own, or that of a tool with a time-out. */
  open<Client>(connector: Connector<Client>, signal: AbortSignal): Client {
    this.#checkDeclared(connector?.name, this.ready.connectors.get(connector?.name)?.connector === connector);
    this.#used = true;
    return connector.open((this.connectors as ConnectorHost).lend(connector, this.ready.id, signal));
  }

  find(handle: string): Held {
    const found = this.connectors?.shelf?.find(handle);
    if (found === undefined) throw new WorkflowError('unknown-handle', `there is no result with the handle ${JSON.stringify(handle)}`, { node: this.ready.id });
    this.#checkDeclared(found.connector, this.ready.connectors.has(found.connector));
    return found;
  }

  #checkDeclared(name: string, declared: boolean): void {
    if (declared) return;
    throw new WorkflowError('UNDECLARED_CONNECTOR', `node "${this.ready.id}" uses the connector "${name}", which its \`connectors\` does not declare`, {
      node: this.ready.id,
      remedy: 'Declare it: connectors: [the connector].',
    });
  }

  /** Ends the attempt. With a reason, work in flight is aborted. */
  close(reason?: unknown): void {
    this.over = true;
    this.disarm?.();
    this.disarm = undefined;
    this.#scratch = undefined;
    this.noted = undefined;
    if (reason === undefined) {
      // A call that nobody waited for ends with the attempt.
      if (this.#used) this.#controller?.abort(new WorkflowError('cancelled', `the attempt of node "${this.ready.id}" is over`, { node: this.ready.id }));
      return;
    }
    this.#controller?.abort(reason);
    for (const callback of this.#onAbort ?? []) callback(reason);
  }
}
