// CSV, JSON, text and code as bytes. A comma file puts no three-digit number behind another number, or the two would read as one with a thousands mark.
import type { AttachedFile } from '../template.ts';
import type { SheetTable } from './table.ts';

export function textFile(extension: 'txt' | 'json' | 'jsonld' | 'geojson' | 'xml' | 'pdb' | 'py' | 'js' | 'csv' | 'md', text: string): AttachedFile {
  return { extension, bytes: new TextEncoder().encode(text.endsWith('\n') ? text : `${text}\n`) };
}

/** As programs of a certain age write it: every letter in one byte of Windows-1252, or UTF-8 behind a byte order mark. */
export function agedCsvFile(text: string, encoding: 'windows-1252' | 'utf-8 with mark'): AttachedFile {
  const lines = `${text.replaceAll('\n', '\r\n')}\r\n`;
  if (encoding === 'utf-8 with mark') return { extension: 'csv', bytes: new TextEncoder().encode(`\uFEFF${lines}`) };
  const bytes = Uint8Array.from(lines, (sign) => {
    const code = sign.charCodeAt(0);
    if (code > 0xff || (code > 0x7f && code < 0xa0)) throw new RangeError(`${JSON.stringify(sign)} is not written in Windows-1252 here`);
    return code;
  });
  return { extension: 'csv', bytes };
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
