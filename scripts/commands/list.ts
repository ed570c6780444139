// `agentgauge list`: what there is. Reads data only; loads no framework.

import { ADAPTERS } from '../../adapters/registry.ts';
import { UsageError } from '../../base/error.ts';
import { RATES } from '../../models/rates.ts';
import { LOCAL, modelsHere } from '../../runners/local-models.ts';
import { whyAbsent } from '../../runners/python-environments.ts';
import { SCORER_WORDS } from '../../tasks/own/scorers.ts';
import { SCORER_NAMES } from '../../tasks/task.ts';
import { TOOLS } from '../../tools/registry.ts';
import type { Command } from '../command.ts';

const KINDS = ['adapters', 'tasks', 'scorers', 'tools', 'models', 'profiles', 'rates'] as const;

export const list: Command = {
  name: 'list',
  summary: 'what there is: adapters, task sets, scorers, tools, models, profiles, rates',
  usage: '[adapters|tasks|scorers|tools|models|profiles|rates] [--format json]',
  options: { format: { type: 'string', value: 'text|json', help: 'how to print', fallback: 'text' } },
  help: `
Without a word it lists everything. With --format json and one word it prints an array whose objects begin with their id.

  agentgauge list adapters --format json
`,
  run: async ({ values, positionals }, io) => {
    const [kind, ...more] = positionals;
    if (more.length > 0) throw new UsageError('BAD_OPTION', `list takes one word, found ${positionals.length}`, { remedy: 'Leave it out to list everything.' });
    const format = values['format'] ?? 'text';
    if (format !== 'text' && format !== 'json')
      throw new UsageError('BAD_OPTION', `--format is text or json, found ${JSON.stringify(format)}`, { remedy: 'Leave it out for text.' });
    if (kind !== undefined && !KINDS.includes(kind as (typeof KINDS)[number]))
      throw new UsageError('UNKNOWN_KIND', `there is no list of ${JSON.stringify(kind)}`, { remedy: `There are: ${KINDS.join(', ')}.` });
    const wanted = KINDS.filter((name) => kind === undefined || name === kind);
    const lists = Object.fromEntries(wanted.map((name) => [name, ENTRIES[name]()]));
    if (format === 'json') {
      io.out(`${JSON.stringify(kind === undefined ? lists : lists[kind], null, 1)}\n`);
      return 0;
    }
    for (const name of wanted) {
      const entries = lists[name] as readonly Entry[];
      const width = Math.max(...entries.map(({ id }) => id.length));
      io.out(`${name}\n${entries.map(({ id, title, note }) => `  ${id.padEnd(width)}  ${title}${note === undefined ? '' : `  (${note})`}\n`).join('')}`);
    }
    return 0;
  },
};

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
}

const ENTRIES: Readonly<Record<(typeof KINDS)[number], () => readonly Entry[]>> = {
  adapters: () =>
    ADAPTERS.map((entry) => {
      const absent = whyAbsent(entry);
      const { id, title, language, shapes, settings, packages, floor, documentation } = entry;
      const note = absent ?? `${shapes.join(', ')}; ${settings.join(', ')}`;
      return { id, title, note, language, shapes, settings, packages, floor, installed: absent === undefined, documentation };
    }),
  tasks: () => [
    { id: 'open68', title: '68 tasks in an invented world: 7 zero-tool, 19 document, 42 web', note: '--seed makes another world' },
    { id: 'generated:seed=N,n=N', title: 'as many tasks as you like, in the same mix', note: 'from 1 to 2000' },
    {
      id: 'open68:voice=joe',
      title: 'recordings spoken by a natural voice; so also generated:seed=N,n=N,voice=joe',
      note: 'agentgauge setup speech --voice joe; its bytes are not promised on another processor',
    },
    { id: 'jsonl:FILE', title: 'your own questions, one JSON object a line', note: 'needs a model that reads: upstream, local or a cassette' },
    { id: 'gaia:DIR', title: 'the official questions, from your own copy', note: 'the same; redacted in every artefact' },
  ],
  scorers: () => SCORER_NAMES.map((name) => ({ id: name, title: SCORER_WORDS[name] })),
  tools: () => TOOLS.map(({ schema: { name, description, parameters } }) => ({ id: name, title: description, parameters })),
  models: () => [
    { id: 'simulated', title: 'a policy that reads requests and errs by published rates; see profiles', note: 'no key, no network' },
    ...modelsHere().map(({ name, title, licence, megabytes, installed }) => ({
      id: `${LOCAL}${name}`,
      title,
      note: `${installed ? 'set up' : `agentgauge setup model ${name}`}, ${megabytes} MB; licence: ${licence}`,
      megabytes,
      licence,
      installed,
    })),
    { id: `${LOCAL}FILE.gguf`, title: 'weights of your own, from where they lie', note: 'needs node-llama-cpp: agentgauge setup model --from FILE.gguf' },
    { id: 'upstream:NAME', title: 'any server that speaks the API of OpenAI', note: 'with --base-url' },
  ],
  profiles: () => [
    { id: 'clean', title: 'the simulated model without faults: what a framework can do at best' },
    { id: 'gpt-4o-mini', title: 'the simulated model with published error rates of gpt-4o-mini' },
    { id: 'gpt-4o', title: 'the same of gpt-4o: it reads long texts and thinks better' },
  ],
  rates: () =>
    RATES.map(({ name, of, per, source, dated, sweep }) => ({
      id: name,
      title: `${[...new Set(Object.values(of))].join(' and ')} per ${per}; sweep ${sweep.join(', ')}`,
      note: source,
      of,
      per,
      source,
      dated,
      sweep,
    })),
};
