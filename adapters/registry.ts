// Rows as data: ids, packages, shapes. Nothing here imports a framework; only a worker imports an adapter file, and times that import.
import type { SettingsName, ShapeName } from './adapter.ts';

export interface AdapterEntry {
  readonly id: string;
  readonly title: string;
  readonly language: 'node' | 'python';
  /** File beside this one, without extension; its export has the name `exportName`. */
  readonly module: string;
  readonly exportName: string;
  /** npm packages that must be there; the first is the one named in the manifest. */
  readonly packages: readonly string[];
  readonly shapes: readonly ShapeName[];
  readonly settings: readonly SettingsName[];
  /** A bare loop: the floor of its language. */
  readonly floor: boolean;
  /** Name in the paper's tables, where the paper measured this very system; published figures stand only beside these (method M9.3). */
  readonly publishedAs?: string;
  /** The published figure is a claim about an engine that was not measured here. */
  readonly publishedIsClaim?: true;
  readonly documentation: string;
}
