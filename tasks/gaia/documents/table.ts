// A table before it is a file, and where its cells stand in the text that each reading tool gives.
import type { DraftRead } from '../plan-draft.ts';

export interface SheetTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The first cell of a row is its key. Dates are `YYYY-MM-DD` text. */
  readonly rows: readonly (readonly (string | number)[])[];
}

/** How to read one cell, as the text of the tool gives it. `format` is the file's. */
export function cellRead(format: 'xlsx' | 'csv' | 'semicolon' | 'pdf' | 'document', table: SheetTable, key: string, column: string, label: string): DraftRead {
  const index = table.columns.indexOf(column);
  const row = table.rows.findIndex(([first]) => first === key);
  const value = table.rows[row]?.[index];
  if (value === undefined || index < 1) throw new RangeError(`${table.name} has no cell ${key}, ${column}`);
  const kind = typeof value === 'number' ? 'number' : /^\d{4}-\d{2}-\d{2}$/.test(value) ? 'date' : 'text';
  // A slip of the eye lands in the row above or below.
  const wrong = (table.rows[row + 1] ?? table.rows[row - 1])?.[index];
  const base = { label, kind, value, ...(wrong === undefined || wrong === value ? {} : { wrong }) } as const;
  switch (format) {
    case 'xlsx':
      return { ...base, after: [`Sheet "${table.name}"`, `: ${key} |`, ...Array<string>(index - 1).fill('|')], until: ['|', '\n'] };
    case 'csv':
      return { ...base, after: [`${key},`, ...Array<string>(index - 1).fill(',')], until: [',', '\n'] };
    case 'semicolon':
      return { ...base, after: [`${key};`, ...Array<string>(index - 1).fill(';')], until: [';', '\n'] };
    case 'document':
      // The head tells this table from another one of the same keys.
      return { ...base, after: [`| ${table.columns.join(' | ')} |`, `| ${key} |`, ...Array<string>(index - 1).fill('|')], until: ['|', '\n'] };
    case 'pdf': {
      if (kind === 'text') throw new RangeError('a PDF table has no marks between columns: only numbers and dates are read from it');
      const numbersBefore = table.rows[row]?.slice(1, index).filter((cell) => typeof cell === 'number').length ?? 0;
      return { ...base, after: [table.name, key], ...(kind === 'number' && numbersBefore > 0 ? { skip: numbersBefore } : {}) };
    }
    default:
      return format satisfies never;
  }
}
