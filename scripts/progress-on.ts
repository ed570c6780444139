// Progress of a long command where its user looks: on standard error, as wide as that is.
import { systemClock } from '../base/clock.ts';
import { createProgress, type Progress } from '../runners/progress.ts';
import type { CommandIo } from './command.ts';

/** @param total how many trials, or cells, there are to come */
export function progressOn(io: CommandIo, total: number): Progress {
  return createProgress({ total, clock: systemClock, write: io.err, terminal: io.errTerminal ?? io.terminal, columns: io.errColumns ?? io.columns });
}
