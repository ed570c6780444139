// What a command is: its words for --help, its options, and one function. cli.ts does the parsing and the printing of errors; a command only works.
import type { Readable } from 'node:stream';

export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  /** Shown in --help after the option: `N`, `DIR`, `a,b`. */
  readonly value?: string;
  readonly help: string;
  /** Shown in --help; applied by the command itself. */
  readonly fallback?: string;
}

export interface CommandCall {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

export interface CommandIo {
  readonly stdin: Readable;
  /** Writes text as it stands; add the line break yourself. */
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether standard output is a terminal, and how wide it is. */
  readonly terminal: boolean;
  readonly columns: number;
  /** The same of standard error, where progress goes; absent means as standard output. */
  readonly errTerminal?: boolean;
  readonly errColumns?: number;
  /** Whether people want colour there (`NO_COLOR`); absent means as `terminal`. */
  readonly colour?: boolean;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What follows the name in the usage line, such as `RUN…`. */
  readonly usage: string;
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Paragraphs that teach: what it does, what it prints, an example with its result. */
  readonly help: string;
  /** @returns the exit code: 0 done, 1 could not complete or found something, 2 usage, 130 interrupted. @throws UsageError for the user's mistakes */
  run(call: CommandCall, io: CommandIo): Promise<number>;
}
