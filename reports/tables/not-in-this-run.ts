// Tables of studies that a run did not hold: one line in place of a table, so that nobody looks for a lost one.
import type { Table } from '../report.ts';

export function table3(): Table {
  return missing('table3', 'Table 3: Memory ablation', 'The memory ablation was not part of this run.');
}

export function table7(): Table {
  return missing('table7', 'Table 7: Cross-platform consistency', 'The cross-platform study was not part of this run: one host stands in it.');
}

function missing(id: string, title: string, caption: string): Table {
  return { id, title, caption, runs: 0, trials: 0, excluded: [], columns: [], rows: [], notes: [] };
}
