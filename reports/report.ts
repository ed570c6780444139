// A report as data: what every renderer reads and what `--format json` prints. Nothing here computes or formats.
// A cell that cannot be known is an absent key: never null, NaN or a zero in its place.
import type { Manifest } from '../metrics/record.ts';

/** `percent` is 0–100; `percentOfCore` may pass 100 when several cores work; `megabytes` are 10^6 bytes. */
export type Unit =
  | 'percent'
  | 'percentOfCore'
  | 'ms'
  | 'seconds'
  | 'megabytes'
  | 'tokens'
  | 'tokensPerSecond'
  | 'perMinute'
  | 'mean'
  | 'ratio'
  | 'count'
  | 'text';

export interface Column {
  readonly id: string;
  readonly title: string;
  readonly unit: Unit;
  /** Equal in two runs of one seed; `--exact` keeps only such columns. */
  readonly exact: boolean;
}

export interface NumberCell {
  readonly value: number;
  /** How many observations stand behind the value. */
  readonly n: number;
  readonly low?: number;
  readonly high?: number;
  /** The paper's figure, only beside rows that the paper measured (method M9.3). */
  readonly published?: number;
  /** The published figure is about an engine whose code was not measured here. */
  readonly publishedIsClaim?: true;
}

export interface TextCell {
  readonly value: string;
  readonly n: number;
}

export type Cell = NumberCell | TextCell;

export interface RowKey {
  readonly framework: string;
  readonly shape: string;
  readonly settings: string;
  readonly taskType?: string;
  readonly level?: number;
  readonly configuration?: string;
  readonly host?: string;
}

/** Rows are ranked only within shape `single` and never across shapes (method M1.4); our own engine and the floors stand apart; other shapes go by name. */
export type Section = 'ranked' | 'apart' | 'floor' | 'by-name';

export interface Row {
  readonly key: RowKey;
  readonly section: Section;
  /** Place in the row's block by the table's lead column; ties share one. Absent outside `ranked`. */
  readonly rank?: number;
  readonly cells: Readonly<Record<string, Cell>>;
}

export interface Excluded {
  readonly why: string;
  readonly n: number;
}

export interface Table {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  readonly runs: number;
  readonly trials: number;
  readonly excluded: readonly Excluded[];
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** A list rather than a comparison: a screen shows its first rows, files have all. */
  readonly isList?: true;
  /** One line each: how a column is made, which row is missing and how to get it. */
  readonly notes: readonly string[];
}

export type ExactManifest = Pick<Manifest, 'recordVersion' | 'agentgauge' | 'planHash' | 'plan' | 'taskSet' | 'latencyTable'>;

export interface Report {
  readonly manifest: Manifest | ExactManifest;
  /** In the order in which they are printed. */
  readonly tables: Readonly<Record<string, Table>>;
  /** Three sentences: who leads, by how much, what may not be concluded. */
  readonly headline: readonly string[];
}
