// What `reproduce` does when Python rows are wanted that are not set up: with --yes it sets them up, on a terminal it asks, else the study runs without them.
import { GaugeError } from '../../base/error.ts';
import { environmentsMissing, pythonFolder } from '../../runners/python-environments.ts';
import type { CommandIo } from '../command.ts';
import { ask, canAsk } from './ask.ts';
import { findPython } from './find-python.ts';
import { costOf, setUp } from './set-up.ts';

/**
 * A set-up that fails leaves the study without these rows, and says so: the rows that can run are worth their study.
 * @throws GaugeError INTERRUPTED
 */
export async function offerPython(ids: readonly string[], yes: boolean, io: CommandIo): Promise<void> {
  const environments = environmentsMissing(ids);
  if (environments.length === 0 || !(yes || canAsk(io)) || (await findPython()) === undefined) return;
  io.err(`Python rows are not set up yet: ${costOf(environments)}.\nPlace: ${pythonFolder()}\n`);
  if (!yes && !(await ask('Set them up now? Without them the others run.', io))) return;
  try {
    await setUp({ environments, say: (line) => io.err(`${line}\n`), terminal: io.errTerminal ?? io.terminal, signal: io.signal });
  } catch (error) {
    if (io.signal.aborted || !(error instanceof GaugeError)) throw error;
    io.err(`${error.message}\n${error.remedy ?? ''}\nThe study goes on without these rows.\n`);
  }
}
