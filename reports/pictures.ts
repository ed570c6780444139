// Which pictures a report has, by the table that each is drawn from. How they are drawn stands in plot-column and plot-range.
import { type PlotOptions, plotColumn } from './plot-column.ts';
import { plotRange, type RangePlotOptions } from './plot-range.ts';
import type { Report } from './report.ts';

export interface Picture {
  readonly title: string;
  /** Where it lies, relative to the report. */
  readonly path: string;
  readonly svg: string;
}

/** @returns by the id of the table; one that no row has a cell for is not there */
export function picturesOf(report: Report): Readonly<Record<string, readonly Picture[]>> {
  const pictures: Record<string, Picture[]> = {};
  const keep = (table: string, path: string, title: string, svg: string | undefined) => {
    if (svg === undefined) return;
    pictures[table] = [...(pictures[table] ?? []), { title, path, svg }];
  };
  for (const { file, table, column, ...options } of plotDrafts(report)) {
    const drawn = report.tables[table];
    keep(table, file, options.title, drawn && plotColumn(drawn, column, options));
  }
  for (const { file, table, ...options } of rangeDrafts(report)) {
    const drawn = report.tables[table];
    keep(table, file, options.title, drawn && plotRange(drawn, options));
  }
  return pictures;
}

function plotDrafts({ manifest }: Report): (PlotOptions & { file: string; table: string; column: string })[] {
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
      file: 'caused.svg',
      table: 'table1',
      column: 'causedPercent',
      title: `Caused faults, ${model}`,
      axis: '% of planned trials: concealed, lost, or failed without any fault of the model; whisker: 95 % Wilson over tasks',
    },
    {
      file: 'overhead.svg',
      table: 'table1',
      column: 'overheadAndSetupMs',
      title: `Overhead + set-up, ${model}`,
      axis: 'ms, median of undisturbed trials; whisker: 95 % order statistics, from n 6; filled: ranked',
    },
    {
      file: 'tokens.svg',
      table: 'table8',
      column: 'totalTokens',
      title: `Tokens a trial, ${model}`,
      axis: 'prompt + completion, mean of recorded trials; whisker: 95 % Student t; a trial that fails early spends little',
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
