// A report as JSON: `{manifest, headline, tables}`. An unknown is an absent key; a number that JSON cannot hold is an error of ours, never a null.
import { GaugeError } from '../../base/error.ts';
import type { Report } from '../report.ts';

/** @throws GaugeError `REPORT_NUMBER` naming the place of a number that is not finite */
export function renderJson(report: Report): string {
  const { manifest, headline, tables } = report;
  const bare = Object.fromEntries(Object.entries(tables).map(([id, { id: _, ...table }]) => [id, table]));
  assertFinite(bare, 'tables');
  return `${JSON.stringify({ manifest, headline, tables: bare }, undefined, 2)}\n`;
}

function assertFinite(value: unknown, place: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new GaugeError('REPORT_NUMBER', `${place} is ${value}, which JSON cannot hold`, { remedy: 'Leave the cell out; this is a defect of the table.' });
  }
  if (value === null || typeof value !== 'object') return;
  for (const [key, member] of Object.entries(value)) assertFinite(member, `${place}.${key}`);
}
