// Hashes of what requests looked like. Wires are few and heavy with schemas, so each is spelt canonically and hashed once: spelling it as it came tells it again
// at a fifth of the cost.
import { hashOf } from '../base/canonical-json.ts';

/** A framework that writes something of the task into its wire has as many wires as tasks. */
const MOST = 256;
const known = new Map<string, string>();

export function wireHash(facts: unknown): string {
  const spelt = JSON.stringify(facts);
  const found = known.get(spelt);
  if (found !== undefined) return found;
  if (known.size >= MOST) known.clear();
  const hash = hashOf(facts);
  known.set(spelt, hash);
  return hash;
}
