// The lines of a JSON Lines file, one at a time, so that a file larger than memory can be read. Splits at the byte of a line feed and nowhere else:
// Node's readline also splits at U+2028, which JSON may hold unescaped.
import { createReadStream } from 'node:fs';

export interface NumberedLine {
  readonly text: string;
  /** From 1. */
  readonly number: number;
  /** Whether a line feed ended it: a writer that was killed leaves a last line without one. */
  readonly ended: boolean;
}

const LINE_FEED = 0x0a;

export async function* readLines(path: string): AsyncGenerator<NumberedLine[]> {
  let rest: Buffer[] = [];
  let number = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    const lines: NumberedLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const tail = chunk.subarray(start, end);
      const text = rest.length === 0 ? tail.toString('utf8') : Buffer.concat([...rest, tail]).toString('utf8');
      rest = [];
      number += 1;
      lines.push({ text, number, ended: true });
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
    // A batch a chunk: an await a line would cost more than the parsing.
    if (lines.length > 0) yield lines;
  }
  if (rest.length > 0) yield [{ text: Buffer.concat(rest).toString('utf8'), number: number + 1, ended: false }];
}
