// How the program is called where it stands: through npm's scripts in a clone, through its bin where it is installed. What people copy goes through here.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Every command, in the order of their list. */
export const COMMAND_NAMES = [
  'reproduce',
  'ablate',
  'run',
  'report',
  'faults',
  'conformance',
  'init',
  'tasks',
  'export',
  'score',
  'setup',
  'doctor',
  'gateway',
  'list',
] as const;
export type CommandName = (typeof COMMAND_NAMES)[number];

const inClone = existsSync(fileURLToPath(new URL(import.meta.url.includes('/dist/') ? '../../tsconfig.json' : '../tsconfig.json', import.meta.url)));

/** A whole command as a shell reads it back, paths with blanks and all. */
export function called(command: CommandName, ...words: readonly string[]): string {
  return [start(command), ...words.map(quoted)].join(' ');
}

/** A text with `agentgauge NAME` in it as it is typed here. Where output goes on into a file or a program, npm is told to say nothing of its own. */
export function asCalled(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const typed = line.replaceAll(NAMED, (_, command: string) => start(command));
      return / [<>] |\| npm/.test(typed) ? typed.replaceAll('npm run ', 'npm run -s ') : typed;
    })
    .join('\n');
}

const NAMED = new RegExp(`\\bagentgauge (${COMMAND_NAMES.join('|')}|COMMAND)\\b`, 'g');

function start(command: string): string {
  if (!inClone) return `npx agentgauge ${command}`;
  return command === 'reproduce' ? 'npm run reproduce --' : `npm run agentgauge -- ${command}`;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
