// Puts a report on disk: report.html, report.md, report.json, tables/*.csv and the pictures. Each file appears whole or not at all, and a file that somebody else put
// there stays.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GaugeError, messageOf } from '../base/error.ts';
import { picturesOf } from './pictures.ts';
import { tableCsvPieces } from './render/csv.ts';
import { renderHtml } from './render/html.ts';
import { jsonPieces } from './render/json.ts';
import { markdownPieces } from './render/markdown.ts';
import type { Report } from './report.ts';

/** @returns the files as name → text; names use `/` */
export function reportFiles(report: Report): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from(eachFile(report), ([name, pieces]) => [name, [...pieces].join('')]));
}

/** One at a time and in pieces: of a long run each is large. */
function* eachFile(report: Report): Generator<readonly [name: string, pieces: readonly string[] | Generator<string>]> {
  const pictures = picturesOf(report);
  for (const { path, svg } of Object.values(pictures).flat()) yield [path, [svg]];
  for (const table of Object.values(report.tables)) {
    if (table.columns.length > 0) yield [`tables/${table.id}.csv`, tableCsvPieces(table)];
  }
  yield ['report.json', jsonPieces(report)];
  yield ['report.md', markdownPieces(report, { pictures, page: 'report.html' })];
  yield ['report.html', [renderHtml(report, { pictures })]];
}

/** @returns the directory written. @throws GaugeError `REPORT_WRITE` naming the file and what the system said */
export async function writeReport(runDirectory: string, report: Report): Promise<string> {
  const directory = join(runDirectory, 'report');
  for (const [name, pieces] of eachFile(report)) await writeWhole(join(directory, name), pieces);
  return directory;
}

async function writeWhole(path: string, pieces: Iterable<string>): Promise<void> {
  const partial = `${path}.${process.pid}.part`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(partial, pieces);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined); // the first error is the one to tell
    if (error instanceof GaugeError) throw error;
    throw new GaugeError('REPORT_WRITE', `${path} cannot be written: ${messageOf(error)}`, {
      remedy: 'Make room or rights there and run `agentgauge report` again; the records are untouched.',
      cause: error,
    });
  }
}
