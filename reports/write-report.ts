// Puts a report on disk: report.md, report.json, tables/*.csv and the pictures. Each file appears whole or not at all, and a file that somebody else put there stays.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GaugeError, messageOf } from '../base/error.ts';
import { type PlotOptions, plotColumn } from './plot-column.ts';
import { plotRange, type RangePlotOptions } from './plot-range.ts';
import { renderTableCsv } from './render/csv.ts';
import { renderJson } from './render/json.ts';
import { type Picture, renderMarkdown } from './render/markdown.ts';
import type { Report } from './report.ts';

interface PlotDraft extends PlotOptions {
  readonly file: string;
  readonly table: string;
  readonly column: string;
}

/** @returns the files as name → text; names use `/` */
export function reportFiles(report: Report): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  const pictures: Record<string, Picture[]> = {};
  for (const draft of plotDrafts(report)) {
    const table = report.tables[draft.table];
    const picture = table === undefined ? undefined : plotColumn(table, draft.column, draft);
    if (picture === undefined) continue;
    files[draft.file] = picture;
    pictures[draft.table] = [...(pictures[draft.table] ?? []), { title: draft.title, path: draft.file }];
  }
  for (const { file, table, ...options } of rangeDrafts(report)) {
    const drawn = report.tables[table];
    const picture = drawn === undefined ? undefined : plotRange(drawn, options);
    if (picture === undefined) continue;
    files[file] = picture;
    pictures[table] = [...(pictures[table] ?? []), { title: options.title, path: file }];
  }
  for (const table of Object.values(report.tables)) {
    if (table.columns.length > 0) files[`tables/${table.id}.csv`] = renderTableCsv(table);
  }
  files['report.json'] = renderJson(report);
  files['report.md'] = renderMarkdown(report, { pictures });
  return files;
}

/** @returns the directory written. @throws GaugeError `REPORT_WRITE` naming the file and what the system said */
export async function writeReport(runDirectory: string, report: Report): Promise<string> {
  const directory = join(runDirectory, 'report');
  for (const [name, text] of Object.entries(reportFiles(report))) await writeWhole(join(directory, name), text);
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

function plotDrafts({ manifest }: Report): PlotDraft[] {
  const { plan } = manifest;
  const model = plan.modelKind === 'simulated' ? `simulated model, profile ${plan.profile ?? plan.model}` : `model ${plan.model}`;
  return [
    {
      file: 'accuracy.svg',
      table: 'table1',
      column: 'accuracyPercent',
      title: `Accuracy, ${model}`,
      axis: '% of planned trials right; whisker: 95 % Wilson over tasks, one run of one seed; filled: ranked',
    },
    {
      file: 'overhead.svg',
      table: 'table1',
      column: 'overheadAndSetupMs',
      title: `Overhead + set-up, ${model}`,
      axis: 'ms, median of undisturbed trials; whisker: 95 % order statistics, from n 6; filled: ranked',
    },
  ];
}

/** Of several seeds: what is drawn is the range (method M9.1). */
function rangeDrafts({ manifest }: Report): (RangePlotOptions & { file: string; table: string })[] {
  const model = `simulated model, profile ${manifest.plan.profile ?? manifest.plan.model}`;
  return ['accuracy', 'not repaired', 'caused'].flatMap((measure) => {
    const name = measure.replace(' ', '-');
    return [
      {
        file: `range-${name}.svg`,
        table: 'differences',
        title: `${capital(measure)}: differences to floors and defaults, ${model}`,
        measure: `${measure} over`,
      },
      { file: `range-pairs-${name}.svg`, table: 'pairs', title: `${capital(measure)}: differences between rows, ${model}`, measure: `${measure} over` },
    ];
  });
}

function capital(words: string): string {
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
}
