// What a node wants to commit, checked before any of it is: its output and each of its writes.
import type { KeptWrite } from './checkpoint.ts';
import type { ReadyNode } from './ready-node.ts';
import type { Checked } from './schema.ts';
import { checkWrite, type KeyDefinition } from './state.ts';
import { WorkflowError } from './workflow-error.ts';

/** Values as their schemas left them. */
export interface CheckedCommit {
  readonly output: unknown;
  readonly writes: readonly KeptWrite[];
}

/** A promise only where a schema's own check is one. @throws WorkflowError `invalid-output` or `invalid-write` */
export function checkCommit(
  keys: readonly KeyDefinition[],
  ready: ReadyNode,
  noted: readonly KeptWrite[] | undefined,
  output: unknown,
): CheckedCommit | Promise<CheckedCommit> {
  const writes = [...(noted ?? [])];
  if (ready.writeOutput >= 0) writes.push({ key: ready.writeOutput, value: output });
  const checks: (Checked | Promise<Checked>)[] = [ready.outputCheck === undefined ? { ok: true, value: output } : ready.outputCheck(output)];
  for (const { key, value } of writes) checks.push(checkWrite(keys[key] as KeyDefinition, value));
  const settle = ([first, ...others]: readonly Checked[]): CheckedCommit => ({
    output: valid(first as Checked, 'invalid-output', 'the output', ready.id),
    writes: writes.map(({ key }, i) => ({ key, value: valid(others[i] as Checked, 'invalid-write', `the write of "${keys[key]?.name}"`, ready.id) })),
  });
  return checks.some((check) => check instanceof Promise) ? Promise.all(checks).then(settle) : settle(checks as Checked[]);
}

function valid(checked: Checked, code: string, what: string, node: string): unknown {
  if (checked.ok) return checked.value;
  throw new WorkflowError(code, `${what} of node "${node}" breaks its schema: ${checked.issues.join('; ')}`, { node });
}
