// `agentgauge report`: tables and pictures again, from stored records alone. Runs nothing and changes no record.
import { UsageError } from '../../base/error.ts';
import { buildDialsReport } from '../../reports/build-dials-report.ts';
import { buildReport } from '../../reports/build-report.ts';
import { buildSeedsReport } from '../../reports/build-seeds-report.ts';
import { explainCell } from '../../reports/explain.ts';
import { loadRun, type RunContents } from '../../reports/load-run.ts';
import { picturesOf } from '../../reports/pictures.ts';
import { readRun } from '../../reports/read-run.ts';
import { renderCsv } from '../../reports/render/csv.ts';
import { renderHtml } from '../../reports/render/html.ts';
import { renderJson } from '../../reports/render/json.ts';
import { renderMarkdown } from '../../reports/render/markdown.ts';
import { renderTerminal } from '../../reports/render/terminal.ts';
import type { Report } from '../../reports/report.ts';
import { type SeedRun, seedRunOf } from '../../reports/seed-groups.ts';
import { writeReport } from '../../reports/write-report.ts';
import { jackknife } from '../../runners/jackknife.ts';
import type { Command, CommandCall, CommandIo } from '../command.ts';
import { ownRates } from '../own-rates.ts';

const FORMATS = ['terminal', 'md', 'html', 'csv', 'json'] as const;
type Format = (typeof FORMATS)[number];

/** Columns when nobody looks: the bytes of a pipe must not depend on a window. */
const PIPE_COLUMNS = 120;

export const report: Command = {
  name: 'report',
  summary: 'make tables and pictures again from stored runs',
  usage: 'RUN…',
  options: {
    format: { type: 'string', value: FORMATS.join(','), help: 'print in these formats and write nothing' },
    exact: { type: 'boolean', help: 'only what two runs of one seed must share: no times, no memory; writes nothing' },
    jackknife: { type: 'string', value: 'N', help: 'how far accuracies move under N other selections of 68 tasks in the composition of the paper' },
    dials: { type: 'boolean', help: 'of the runs of `ablate dials`: one table over all of them; writes nothing' },
    seeds: { type: 'boolean', help: 'of runs that differ in their seed alone: means over seeds with the simulation interval' },
    choices: { type: 'boolean', help: 'of the runs of `ablate choices`: the same, and the range of each difference over our choices' },
    out: { type: 'string', value: 'DIR', help: 'of --seeds and --choices: write pages, tables and pictures to DIR/report/' },
    rates: { type: 'string', value: 'RATES', help: 'of a run of `ablate faults`: the estimate for rates of your own, kind=percent,… or a JSON file' },
    explain: { type: 'string', value: 'CELL', help: 'list the trials behind one cell: table:framework/shape/settings[/part]:column' },
  },
  help: `Reads manifest.json, trials.jsonl, workers.jsonl and wires.jsonl of each RUN. Without --format it writes RUN/report/
(report.html for a browser, report.md, report.json, tables/*.csv and pictures) and prints the tables. The same records give the same bytes.

  agentgauge report runs/2026-11-30-a1
  agentgauge report runs/2026-11-30-a1 --format json > report.json
  agentgauge report runs/2026-11-30-a1 --format html > report.html
  agentgauge report runs/2026-11-30-a1 --explain table1:langgraph/single/default:accuracyPercent

--jackknife draws 68 tasks again and again, 7/19/42 by type and 29/36/3 by level, and says how far each row moves and how often it
leads: the paper's own 68 were never published, so a place that hangs on the selection is none.

  agentgauge report runs/2026-11-30-a1 --jackknife 1000

--seeds lays runs of several seeds together. Twenty seeds, an interval without 0 and, with --choices, a sign that no choice of ours
turns make a difference that stands; everything else is called open. No p-value: more seeds would buy any significance.

  agentgauge report runs/2026-12-*-reproduce-* --seeds
  agentgauge report runs/2026-…-ablate-choices-…/2* --choices --out findings

--rates puts your own model's rates into the estimate of a run of ablate faults, in percent an ask; no trial runs for it. What is not
named keeps the rate of the run, and \`correction\` is how often a fault that is shown is mended.

  agentgauge report runs/2026-11-30-f1 --rates empty-reply=0.4,unknown-tool=1,correction=70
  agentgauge report runs/2026-11-30-f1 --rates my-model.json

--format csv prints one line a cell; the files in report/tables/ hold one table each. With several runs, --format json
prints an array, and csv a first column with the run, in the order of the arguments.
`,
  run: runReport,
};

async function runReport({ values, positionals }: CommandCall, io: CommandIo): Promise<number> {
  if (positionals.length === 0) {
    throw new UsageError('REPORT_NO_RUN', 'report needs the directory of a run', {
      remedy: 'For example `agentgauge report runs/NAME`; `reproduce` prints the name at its end.',
    });
  }
  const formats = formatsOf(values.format);
  const exact = values.exact === true;
  const explained = values.explain;
  if (typeof explained === 'string' && positionals.length > 1) {
    throw new UsageError('REPORT_EXPLAIN', `--explain takes one run, found ${positionals.length}`, { remedy: 'Name the run that the cell is from.' });
  }

  const reports: NamedReport[] = [];
  if (values.seeds === true || values.choices === true) {
    await overSeeds(positionals, { mayTurn: values.choices === true, out: values.out, formats }, io);
    return 0;
  }
  if (values.out !== undefined)
    throw new UsageError('OPTIONS_EXCLUDE', '--out is for --seeds and --choices: other reports lie in their run', { remedy: 'Leave it out.' });
  if (values.dials === true) {
    const runs: RunContents[] = [];
    for (const directory of positionals) runs.push(await loadRun(directory));
    for (const format of formats ?? ['terminal']) io.out(render([{ name: 'dials', report: buildDialsReport(runs) }], format, io));
    return 0;
  }
  for (const directory of positionals) {
    const contents = await loadRun(directory);
    if (values.jackknife !== undefined) {
      io.out(jackknifed(contents, String(values.jackknife), formats));
      continue;
    }
    if (typeof explained === 'string') {
      io.out(await explain(directory, contents, explained, formats));
      return 0;
    }
    const rates = typeof values.rates === 'string' ? ownRates(values.rates, contents.manifest.plan) : undefined;
    const built = buildReport(contents, { exact, ...(rates && { rates }) });
    if (formats === undefined) {
      io.out(renderTerminal(built, terminalOptions(io)));
      // What a run's own report holds comes from the run alone.
      if (!exact && rates === undefined)
        io.out(`\nWritten to ${await writeReport(directory, built)}: report.html for a browser, report.md, report.json, tables and pictures\n`);
    } else {
      reports.push({ name: directory, report: built });
    }
  }
  for (const format of formats ?? []) io.out(render(reports, format, io));
  return 0;
}

interface OverSeeds {
  readonly mayTurn: boolean;
  readonly out: string | boolean | undefined;
  readonly formats: readonly Format[] | undefined;
}

async function overSeeds(directories: readonly string[], { mayTurn, out, formats }: OverSeeds, io: CommandIo): Promise<void> {
  const runs: SeedRun[] = [];
  // One after another: of each only the figures are kept.
  for (const directory of directories) runs.push(seedRunOf(directory, await loadRun(directory)));
  const built = buildSeedsReport(runs, mayTurn);
  for (const format of formats ?? ['terminal']) io.out(render([{ name: 'seeds', report: built }], format, io));
  if (typeof out === 'string') io.err(`Written to ${await writeReport(out, built)}\n`);
}

/** @param draws as the user typed it */
function jackknifed({ manifest, trials }: RunContents, draws: string, formats: readonly Format[] | undefined): string {
  const count = Number(draws);
  if (!Number.isInteger(count) || count < 1 || count > 100_000)
    throw new UsageError('BAD_OPTION', `--jackknife is ${JSON.stringify(draws)}`, { remedy: 'A number of selections from 1 to 100000, such as 1000.' });
  const rows = jackknife(manifest.plan, trials, count);
  if (formats?.includes('json') === true) return `${JSON.stringify({ draws: count, tasks: manifest.plan.tasks.length, rows }, undefined, 2)}\n`;
  const shown = rows.map(({ framework, shape, settings, configuration, overall, over, leads }) => [
    [framework, shape, settings, ...(configuration === undefined ? [] : [configuration])].join('/'),
    ...[overall, ...over, leads].map((value) => value.toFixed(1)),
  ]);
  const lines = layOut([['row', `all ${manifest.plan.tasks.length}`, 'least', '2.5 %', 'median', '97.5 %', 'most', 'leads'], ...shown]);
  return `Accuracy in percent over ${count} selections of 68 tasks (7/19/42 by type, 29/36/3 by level); leads: share of selections in which no row of the same shape and settings was better.\n\n${lines.join('\n')}\n`;
}

function layOut(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  '));
}

async function explain(directory: string, contents: RunContents, cell: string, formats: readonly Format[] | undefined): Promise<string> {
  const explanation = await explainCell(contents, (await readRun(directory)).trials(), cell);
  if (formats?.includes('json') === true) return `${JSON.stringify(explanation, undefined, 2)}\n`;
  const { value, n, low, high, observations, meaning } = explanation;
  const interval = low === undefined || high === undefined ? '' : ` [${low}, ${high}]`;
  const lines = [
    `${cell} = ${value}${interval}, n ${n}`,
    meaning,
    ...observations.map(({ trial, value: observed, note }) => [trial, observed ?? '-', note ?? ''].join('\t').trimEnd()),
  ];
  return `${lines.join('\n')}\n`;
}

interface NamedReport {
  readonly name: string;
  readonly report: Report;
}

function render(reports: readonly NamedReport[], format: Format, io: CommandIo): string {
  switch (format) {
    case 'terminal':
      return reports.map(({ report: one }) => renderTerminal(one, terminalOptions(io))).join('\n');
    case 'md':
      return reports.map(({ report: one }) => renderMarkdown(one)).join('\n');
    case 'html': {
      const [only, ...more] = reports;
      if (only !== undefined && more.length === 0) return renderHtml(only.report, { pictures: picturesOf(only.report) });
      throw new UsageError('REPORT_FORMAT', `a page holds one report, found ${reports.length} runs`, {
        remedy: 'Name one run, or lay several together with --seeds, --choices or --dials.',
      });
    }
    case 'csv':
      return reports.map(({ name, report: one }, index) => renderCsv(one, { header: index === 0, ...(reports.length > 1 && { run: name }) })).join('');
    case 'json': {
      const [only, ...more] = reports.map(({ report: one }) => renderJson(one));
      return more.length === 0 ? (only ?? '') : `[\n${[only, ...more].map((text) => (text ?? '').trimEnd()).join(',\n')}\n]\n`;
    }
    default:
      return format satisfies never;
  }
}

function terminalOptions(io: CommandIo): { columns: number; colour: boolean } {
  return { columns: io.terminal ? io.columns : PIPE_COLUMNS, colour: io.colour ?? io.terminal };
}

function formatsOf(value: string | boolean | undefined): Format[] | undefined {
  if (typeof value !== 'string') return undefined;
  return value.split(',').map((word) => {
    const found = FORMATS.find((format) => format === word.trim());
    if (found === undefined) throw new UsageError('REPORT_FORMAT', `unknown format ${JSON.stringify(word)}`, { remedy: `Formats are ${FORMATS.join(', ')}.` });
    return found;
  });
}
