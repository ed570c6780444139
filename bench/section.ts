// What a part of the bench `engine` is: something measured, and how it is told. Each part is a file `engine-NAME.ts` beside this one.

export interface SectionOptions {
  readonly quick: boolean;
  /** Whether graphs are also run by the programs under bench/peers. */
  readonly peers: boolean;
  readonly nowMs: () => number;
  /** Tells whoever waits what is being measured; never part of the result. */
  readonly say: (line: string) => void;
}

export interface Section<Figures> {
  readonly name: string;
  readonly measures: string;
  /** On two quiet cores, in full and quick. */
  readonly takes: string;
  /** Gives figures that are whole as JSON. */
  measure(options: SectionOptions): Promise<Figures>;
  textOf(figures: Figures): readonly string[];
}
