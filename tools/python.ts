// Which Python a run has: chosen once for a toolbox, so that every program of a run meets the same. Each result names it in its first line.
import { openBubblewrap } from './bubblewrap-python.ts';
import type { CodeRequest } from './code-run.ts';
import { openPyodide } from './pyodide-python.ts';
import type { PythonLimits, PythonOutcome } from './python-process.ts';
import { Slots } from './slots.ts';

export interface Python {
  /** Under what its results are kept. */
  readonly key: string;
  /** For the record: `Pyodide 314.0.7 (CPython 3.14.2)`, or `CPython 3.12.7 in bubblewrap (numpy 2.4.6, …)`. */
  readonly name: string;
  describe(version: string): string;
  /** @throws ToolError when it cannot be started */
  run(request: CodeRequest): Promise<PythonOutcome>;
}

const PYTHON_LIMITS: PythonLimits = { timeMs: 15_000, memoryBytes: 1_000_000_000, outputBytes: 100_000 };
const MOST_AT_ONCE = 2;

export interface PythonOptions {
  /** Of the environment with numpy and pandas. Absent where it was not set up. */
  readonly interpreter?: string | undefined;
  readonly cacheDirectory: string;
  readonly limits?: PythonLimits;
}

/** @throws ToolError `MISSING_PACKAGE` when there is neither */
export async function openPython({ interpreter, cacheDirectory, limits = PYTHON_LIMITS }: PythonOptions): Promise<Python> {
  const shut = interpreter === undefined ? undefined : await openBubblewrap(interpreter, limits);
  const python = shut ?? (await openPyodide(limits, cacheDirectory));
  const slots = new Slots(MOST_AT_ONCE);
  return { ...python, run: (request) => slots.within(() => python.run(request)) };
}
