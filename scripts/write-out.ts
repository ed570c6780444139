// A file that a user named on the command line: what keeps it from being written is the user's to mend, and told in one line.
import { type WriteFileOptions, writeFileSync } from 'node:fs';
import { messageOf, UsageError } from '../base/error.ts';

/** @throws UsageError CANNOT_WRITE, with `remedy` */
export function writeOut(file: string, text: string, remedy: string, options: WriteFileOptions = {}): void {
  try {
    writeFileSync(file, text, options);
  } catch (cause) {
    throw new UsageError('CANNOT_WRITE', `${file} cannot be written: ${messageOf(cause)}`, { cause, remedy });
  }
}
