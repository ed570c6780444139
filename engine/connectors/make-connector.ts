// A connector out of a port: what nodes declare and use, and what its owner sees of it.
import type { CallCounts, Connector, ConnectorInPrompt, ConnectorLink, Held } from '../connector.ts';
import type { CallPolicy } from './call-policy.ts';
import { ResultShelf } from './held-result.ts';
import { type CallPort, ManagedCalls } from './managed-call.ts';

/** A connector, and what its owner sees of it. */
export interface ManagedConnector<out Client> extends Connector<Client> {
  /** Over all runs; `waiting` and `atWork` are those of this moment. */
  counts(): Readonly<CallCounts> & { readonly waiting: number; readonly atWork: number };
  /** Forgets all cached answers. */
  clearCache(): void;
}

/** Sends a request for a node. `safe`: repeating it changes nothing. */
export type Call<Request, Value> = (request: Request, safe: boolean) => Promise<Held<Value>>;

/** Makes a connector of a port. @throws WorkflowError `INVALID_OPTIONS` for a name or number that makes no sense */
export function connector<Request, Value, Client>(
  policy: CallPolicy,
  port: CallPort<Request, Value>,
  clientOf: (call: Call<Request, Value>) => Client,
): ManagedConnector<Client> {
  const calls = new ManagedCalls(policy, port);
  return Object.freeze({
    kind: 'connector' as const,
    name: policy.name,
    open: (link: ConnectorLink) => clientOf((request, safe) => calls.call(request, safe, link)),
    newShelf: () => new ResultShelf(),
    counts: () => calls.counts(),
    clearCache: () => calls.clearCache(),
  });
}

/** Asks for the results of a connector whole in the prompts of a node: `connectors: [inPrompt(docs)]`. */
export function inPrompt<Client>(one: Connector<Client>): ConnectorInPrompt<Client> {
  return Object.freeze({ kind: 'connector-in-prompt', connector: one });
}
