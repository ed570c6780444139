// Names of what requests looked like. Wires are few and heavy with schemas, so each is read, spelt canonically and hashed once: comparing it as it came costs a fifth.
import { hashOf } from '../base/canonical-json.ts';

export interface Wire {
  readonly hash: string;
  readonly facts: unknown;
}

/** A framework that writes something of the task into its wire has as many wires as tasks. */
const MOST = 256;
const known = new Map<string, Wire>();

/** @param spelled the facts as JSON */
export function wireOf(spelled: string): Wire {
  const found = known.get(spelled);
  if (found !== undefined) return found;
  if (known.size >= MOST) known.clear();
  const facts: unknown = JSON.parse(spelled);
  const wire = { hash: hashOf(facts), facts };
  known.set(spelled, wire);
  return wire;
}
