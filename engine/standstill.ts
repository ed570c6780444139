// The words for a run that came to a standstill: who waits for whom.
import type { Plan } from './plan.ts';
import { COMPLETED, WAITING } from './transition.ts';
import { WorkflowError } from './workflow-error.ts';

const MOST_NAMED = 20;

export function standstill({ nodes, sourceOffsets, sources }: Plan, phase: Uint8Array): WorkflowError {
  const lines: string[] = [];
  for (let node = 0; node < nodes.length && lines.length < MOST_NAMED; node++) {
    const at = phase[node] as number;
    if (at >= COMPLETED) continue;
    if (at === WAITING) {
      lines.push(`${nodes[node]?.id} waits for an answer`);
      continue;
    }
    const open = [...sources.subarray(sourceOffsets[node], sourceOffsets[node + 1])].filter((source) => (phase[source] as number) < COMPLETED);
    lines.push(`${nodes[node]?.id} waits for ${open.map((source) => nodes[source]?.id).join(', ') || 'nobody'}`);
  }
  return new WorkflowError('stalled', `the run came to a standstill: ${lines.join('; ')}`);
}
