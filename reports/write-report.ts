// Puts a report on disk: report.html, report.md, report.json, tables/*.csv and the pictures. Each file appears whole or not at all, and a file that somebody else put
// there stays.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GaugeError, messageOf } from '../base/error.ts';
import { picturesOf } from './pictures.ts';
import { renderTableCsv } from './render/csv.ts';
import { renderHtml } from './render/html.ts';
import { renderJson } from './render/json.ts';
import { renderMarkdown } from './render/markdown.ts';
import type { Report } from './report.ts';

/** @returns the files as name → text; names use `/` */
export function reportFiles(report: Report): Readonly<Record<string, string>> {
  return Object.fromEntries(eachFile(report));
}

/** One at a time: of a long run each is large. */
function* eachFile(report: Report): Generator<readonly [name: string, text: string]> {
  const pictures = picturesOf(report);
  for (const { path, svg } of Object.values(pictures).flat()) yield [path, svg];
  for (const table of Object.values(report.tables)) {
    if (table.columns.length > 0) yield [`tables/${table.id}.csv`, renderTableCsv(table)];
  }
  yield ['report.json', renderJson(report)];
  yield ['report.md', renderMarkdown(report, { pictures, page: 'report.html' })];
  yield ['report.html', renderHtml(report, { pictures })];
}

/** @returns the directory written. @throws GaugeError `REPORT_WRITE` naming the file and what the system said */
export async function writeReport(runDirectory: string, report: Report): Promise<string> {
  const directory = join(runDirectory, 'report');
  for (const [name, text] of eachFile(report)) await writeWhole(join(directory, name), text);
  return directory;
}

async function writeWhole(path: string, text: string): Promise<void> {
  const partial = `${path}.${process.pid}.part`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(partial, text);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined); // the first error is the one to tell
    throw new GaugeError('REPORT_WRITE', `${path} cannot be written: ${messageOf(error)}`, {
      remedy: 'Make room or rights there and run `agentgauge report` again; the records are untouched.',
      cause: error,
    });
  }
}
