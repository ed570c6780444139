// What running a program means for both languages: what is asked, how it ended, and the text that the model reads.

export interface CodeFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Absent when the file is no text. */
  readonly text?: string;
}

export interface CodeRequest {
  readonly code: string;
  /** Attachments of the task: all that the program can read. */
  readonly files: readonly CodeFile[];
}

export interface CodeOutcome {
  /** Everything printed, cut at the limit. */
  readonly output: string;
  /** Value of the last expression, where there is one. */
  readonly value?: string;
  readonly error?: string;
  /** The limit at which the program was ended. */
  readonly stopped?: 'time' | 'memory' | 'output';
}

/** As bytes that differ whenever the result may. */
export function fingerprintOf({ code, files }: CodeRequest): Uint8Array {
  return Buffer.concat([Buffer.from(JSON.stringify([code, files.map(({ name, bytes }) => [name, bytes.length])])), ...files.map(({ bytes }) => bytes)]);
}

/** @param limits in words, for whoever hit one */
export function outcomeText({ output, value, error, stopped }: CodeOutcome, limits: Readonly<Record<NonNullable<CodeOutcome['stopped']>, string>>): string {
  const lines = output === '' ? [] : ['Output:', output.replace(/\n$/, '')];
  if (value !== undefined) lines.push(`Value: ${value}`);
  if (stopped !== undefined) lines.push(`Stopped: ${limits[stopped]}`);
  else if (error !== undefined) lines.push(`Error: ${error}`);
  return lines.length === 0 ? 'The program ended without output. Print what you want to see.' : lines.join('\n');
}
