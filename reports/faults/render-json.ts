// The table of faults as JSON: `{caption, patienceMs, rows: [{id, versions, cells: {fault: {response, requests, toolCalls, wallMs}}}], faults, notes}`.
import { captionOf, type FaultMatrix, notesOf } from './fault-matrix.ts';

export function renderFaultsJson(matrix: FaultMatrix): string {
  return `${JSON.stringify({ caption: captionOf(matrix), ...matrix, notes: notesOf(matrix) }, null, 2)}\n`;
}
