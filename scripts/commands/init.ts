// `agentgauge init adapter NAME`: an adapter of one's own that works before anything is edited, and a plan that runs it beside a bare loop.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADAPTERS } from '../../adapters/registry.ts';
import { messageOf, UsageError } from '../../base/error.ts';
import { interpreterOf } from '../../runners/python-environments.ts';
import { called } from '../called.ts';
import type { Command } from '../command.ts';

interface Language {
  readonly extension: 'ts' | 'py';
  readonly loop: string;
  /** The bare loop of the same language, which shows what the framework alone changes. */
  readonly floor: string;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  typescript: { extension: 'ts', loop: 'fetch', floor: 'fetch' },
  python: { extension: 'py', loop: 'httpx', floor: 'httpx' },
};

/** Names a file, a row and a column alike. */
const NAME = /^[a-z][a-z0-9]*([._-][a-z0-9]+)*$/;
const LONGEST_NAME = 32;

export const init: Command = {
  name: 'init',
  summary: 'write an adapter of your own to start from',
  usage: 'adapter NAME',
  options: {
    language: { type: 'string', value: 'NAME', help: `one of ${Object.keys(LANGUAGES).join(', ')}`, fallback: 'typescript' },
    out: { type: 'string', value: 'DIR', help: 'folder for the two files', fallback: 'this one' },
  },
  help: `Writes NAME.ts (or NAME.py), a plain loop over fetch (or httpx) that passes \`agentgauge conformance\` as it stands, with comments that say where your
framework goes, and NAME.plan.json, which runs it beside the bare loop. Nothing is overwritten.

  agentgauge init adapter my-framework
  agentgauge conformance my-framework.ts
  agentgauge run my-framework.plan.json`,
  run: async ({ values, positionals }, io) => {
    const [what, name, ...rest] = positionals;
    if (what !== 'adapter' || name === undefined || rest.length > 0)
      throw new UsageError('BAD_OPTION', `init knows \`adapter NAME\`, found ${positionals.length === 0 ? 'nothing' : JSON.stringify(positionals.join(' '))}`, {
        remedy: 'Call: agentgauge init adapter my-framework',
      });
    const language = languageOf(String(values['language'] ?? 'typescript'));
    checkName(name, language);
    const folder = String(values['out'] ?? '.');
    const adapter = join(folder, `${name}.${language.extension}`);
    const plan = join(folder, `${name}.plan.json`);
    writeNew(folder, [
      [adapter, adapterText(name, language)],
      [plan, planText(name, language)],
    ]);
    io.out(
      `${adapter}: a plain loop over ${language.loop}, with comments where your framework goes\n${plan}: runs it beside ${besides(language).join(' and ')}\n`,
    );
    io.out(`\nNext:\n${nextSteps(adapter, plan, language).join('')}`);
    return 0;
  },
};

function languageOf(name: string): Language {
  const language = Object.hasOwn(LANGUAGES, name) ? LANGUAGES[name] : undefined;
  if (language !== undefined) return language;
  throw new UsageError('BAD_OPTION', `--language is '${name}'`, { remedy: `Choose from: ${Object.keys(LANGUAGES).join(', ')}.` });
}

function checkName(name: string, { extension }: Language): void {
  if (ADAPTERS.some(({ id }) => id === name))
    throw new UsageError('NAME_TAKEN', `${name} is the name of a built-in adapter`, { remedy: `Take another, such as my-${name}.` });
  if (NAME.test(name) && name.length <= LONGEST_NAME && !name.endsWith(`.${extension}`)) return;
  throw new UsageError('BAD_NAME', `${JSON.stringify(name)} cannot name an adapter`, {
    remedy: `A name has small letters, digits and single . _ - between them, at most ${LONGEST_NAME} signs and no file extension: my-framework.`,
  });
}

/** Both or none: a file that is there already may hold someone's work. */
function writeNew(folder: string, files: readonly (readonly [path: string, text: string])[]): void {
  const [there] = files.find(([path]) => existsSync(path)) ?? [];
  if (there !== undefined)
    throw new UsageError('FILE_EXISTS', `${there} is there already, and is left as it is`, {
      remedy: 'Choose another name, or another folder with --out DIR.',
    });
  try {
    mkdirSync(folder, { recursive: true });
    for (const [path, text] of files) writeFileSync(path, text, { flag: 'wx' });
  } catch (cause) {
    throw new UsageError('CANNOT_WRITE', messageOf(cause), { cause, remedy: 'Choose another folder with --out DIR.' });
  }
}

function adapterText(name: string, { extension }: Language): string {
  return readFileSync(new URL(`../templates/adapter.${extension}.txt`, import.meta.url), 'utf8').replaceAll('{{name}}', name);
}

function besides({ floor }: Language): string[] {
  return floor === 'fetch' ? ['fetch'] : [floor, 'fetch'];
}

function planText(name: string, language: Language): string {
  const rows = [{ framework: name, module: `./${name}.${language.extension}` }, ...besides(language).map((framework) => ({ framework }))];
  return `${JSON.stringify({ name, rows, tasks: 'open68', sample: 12 }, null, 2)}\n`;
}

function nextSteps(adapter: string, plan: string, { extension }: Language): string[] {
  const steps: [command: string, why: string][] = [
    [called('conformance', adapter), 'every rule of an adapter; again after each change'],
    [called('run', plan), 'twelve tasks beside the bare loop'],
  ];
  if (extension === 'py' && interpreterOf('shared') === undefined)
    steps.unshift([called('setup', 'python', 'shared'), 'once: Python with httpx and the floors']);
  const width = Math.max(...steps.map(([command]) => command.length));
  return steps.map(([command, why]) => `  ${command.padEnd(width)}  ${why}\n`);
}
