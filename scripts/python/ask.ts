// One yes-or-no question on a terminal. Without a terminal nothing is asked, and the answer is undefined.
import { createInterface } from 'node:readline';
import type { CommandIo } from '../command.ts';

export function canAsk(io: CommandIo): boolean {
  return (io.errTerminal ?? io.terminal) && (io.stdin as { isTTY?: boolean }).isTTY === true;
}

/** Return alone means yes; the end of the input means no. */
export function ask(question: string, io: CommandIo): Promise<boolean> {
  io.err(`${question} [Y/n] `);
  return new Promise((resolve) => {
    const lines = createInterface({ input: io.stdin });
    const settle = (answer: boolean) => {
      lines.close();
      resolve(answer);
    };
    lines.once('line', (line) => settle(/^\s*(y|yes)?\s*$/i.test(line)));
    lines.once('close', () => settle(false));
    io.signal.addEventListener('abort', () => settle(false), { once: true });
  });
}
