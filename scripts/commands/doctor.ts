// `agentgauge doctor`: one screen of what this machine has, what is missing, what that costs, and the command that brings it.
import { UsageError } from '../../base/error.ts';
import { asCalled, called } from '../called.ts';
import type { Command, CommandIo } from '../command.ts';
import type { Check, Look } from '../doctor/check.ts';
import { MACHINE } from '../doctor/machine.ts';
import { PARTS } from '../doctor/parts.ts';

export const doctor: Command = {
  name: 'doctor',
  summary: 'say what this machine has, and what brings the rest',
  usage: '[--format json]',
  options: { format: { type: 'string', value: 'text|json', help: 'how to print', fallback: 'text' } },
  help: `One line for each thing that a study may use: ok, absent (with what it is needed for and what brings it) or broken. Nothing is installed or changed,
and no key is shown. Exit code 1 when something is broken that the default study needs; what is absent is no failure.`,
  run: async ({ values, positionals }, io) => {
    const format = values['format'] ?? 'text';
    if (positionals.length > 0 || (format !== 'text' && format !== 'json'))
      throw new UsageError('BAD_OPTION', `doctor takes nothing but --format text or json, found ${JSON.stringify(positionals[0] ?? format)}`, {
        remedy: 'Call: agentgauge doctor',
      });
    return await examine([...MACHINE, ...PARTS], format, io);
  },
};

export async function examine(looks: readonly Look[], format: 'text' | 'json', io: CommandIo): Promise<number> {
  const checks: Check[] = [];
  for (const look of looks) {
    if (io.signal.aborted) return 130;
    const check = await look();
    checks.push(check);
    if (format === 'text') io.out(lineOf(check));
  }
  const broken = checks.filter(({ status }) => status === 'broken').map(({ name }) => name);
  if (format === 'json') io.out(`${JSON.stringify(checks, null, 2)}\n`);
  else
    io.out(broken.length === 0 ? `\nThe default study can run here: ${called('reproduce')}\n` : `\nThe default study cannot run here: ${broken.join(', ')}.\n`);
  return broken.length === 0 ? 0 : 1;
}

const NAME_WIDTH = 20;

/** Written as each comes, since some start a process. */
function lineOf({ name, status, found, neededFor, remedy }: Check): string {
  const missing = [...(neededFor === undefined ? [] : [`for ${neededFor}`]), ...(remedy === undefined ? [] : [asCalled(remedy)])].join(': ');
  const second = missing === '' ? '' : `${' '.repeat(NAME_WIDTH + 10)}${missing}\n`;
  return `${status.padEnd(6)}  ${name.padEnd(NAME_WIDTH)}  ${found}\n${second}`;
}
