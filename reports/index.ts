// The public face of reports, `agentgauge/reports`: from a run's directory to tables, text and files.

export type { ReportOptions } from './build-report.ts';
export { buildReport } from './build-report.ts';
export type { Explanation, Observation } from './explain.ts';
export { explainCell } from './explain.ts';
export { headline } from './headline.ts';
export type { RunContents } from './load-run.ts';
export { loadRun } from './load-run.ts';
export type { Picture } from './pictures.ts';
export { picturesOf } from './pictures.ts';
export type { PlotOptions } from './plot-column.ts';
export { plotColumn } from './plot-column.ts';
export { PUBLISHED_SOURCE, publishedFigure } from './published.ts';
export type { StoredRun } from './read-run.ts';
export { readRun } from './read-run.ts';
export type { CsvOptions } from './render/csv.ts';
export { renderCsv, renderTableCsv } from './render/csv.ts';
export type { HtmlOptions } from './render/html.ts';
export { renderHtml } from './render/html.ts';
export { renderJson } from './render/json.ts';
export type { MarkdownOptions } from './render/markdown.ts';
export { renderMarkdown } from './render/markdown.ts';
export type { TerminalOptions } from './render/terminal.ts';
export { renderTerminal, renderTerminalTable } from './render/terminal.ts';
export type { Cell, Column, ExactManifest, Excluded, NumberCell, Report, Row, RowKey, Section, Table, TextCell, Unit } from './report.ts';
export { reportFiles, writeReport } from './write-report.ts';
