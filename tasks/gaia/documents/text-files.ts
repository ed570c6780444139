// CSV, JSON, text and code as bytes. A comma file puts no three-digit number behind another number, or the two would read as one with a thousands mark.
import type { AttachedFile } from '../template.ts';
import type { SheetTable } from './table.ts';

export function textFile(extension: 'txt' | 'json' | 'py' | 'js' | 'csv' | 'md', text: string): AttachedFile {
  return { extension, bytes: new TextEncoder().encode(text.endsWith('\n') ? text : `${text}\n`) };
}

export function csvText({ columns, rows }: SheetTable, delimiter: ',' | ';' = ','): string {
  for (const row of rows) {
    row.forEach((cell, i) => {
      if (delimiter === ',' && typeof cell === 'number' && typeof row[i + 1] === 'number') throw new RangeError('two numbers side by side need semicolons');
      if (typeof cell === 'string' && /[",;\n]/.test(cell)) throw new RangeError(`${JSON.stringify(cell)} would need quotes`);
    });
  }
  return [columns, ...rows].map((line) => line.join(delimiter)).join('\n');
}

export function jsonFile(value: unknown): AttachedFile {
  return textFile('json', JSON.stringify(value, null, 2));
}
