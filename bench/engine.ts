// The bench `engine`: its parts in turn, as text or as one JSON object with a key for each part. With `--save` what is measured is kept part by part, so that a bench
// that was stopped goes on where it was.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { systemClock } from '../base/clock.ts';
import { UsageError } from '../base/error.ts';
import { agentLoopSection } from './engine-agent-loop.ts';
import { checkpointSection } from './engine-checkpoints.ts';
import { graphSection } from './engine-graph.ts';
import { importSection } from './engine-import.ts';
import { memorySection } from './engine-memory.ts';
import { rateSection } from './engine-rates.ts';
import type { Section } from './section.ts';

/** The pair of the loop first, while nothing else has warmed the machine up. */
const SECTIONS = [agentLoopSection, graphSection, rateSection, checkpointSection, importSection, memorySection] as readonly Section<unknown>[];

interface Saved {
  readonly machine: { readonly runtime: string; readonly cpu: string; readonly cores: number };
  readonly quick: boolean;
  readonly peers: boolean;
  readonly [section: string]: unknown;
}

const USAGE = `npm run bench -- engine [options]

What the workflow engine costs, beside floors and other programs, in one run. Nothing is sent anywhere: the model is a scripted server on loopback.

  --only NAME,NAME   parts to measure, of:
${SECTIONS.map(({ name, measures, takes }) => `                       ${name.padEnd(12)} ${measures}\n                       ${''.padEnd(12)} takes ${takes}`).join('\n')}
  --quick            see that it works; too few rounds to quote, and without peers unless --peers is given
  --peers            graphs also by the programs under bench/peers; their packages are brought once, by npm ci  (default in full)
  --no-peers         graphs by engine and floors alone
  --save FILE        keep what is measured, part by part, as JSON; parts that FILE has already are not measured again
  --format json      one JSON object in place of text
  --help             this

Examples
  npm run bench -- engine --quick
  npm run bench -- engine --only agentLoop
  npm run bench -- engine --format json --save engine.json > figures.json     (all, about 20 minutes; leave the machine alone meanwhile)
`;

export async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options === undefined) {
    process.stdout.write(USAGE);
    return 0;
  }
  const { quick, peers, sections, save, format } = options;
  const head: Saved = { machine: { runtime: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: availableParallelism() }, quick, peers };
  let figures: Record<string, unknown> = { ...head, ...(save === undefined ? {} : readSaved(save, head)) };
  const say = (line: string) => process.stderr.write(`${line}\n`);
  if (format === 'text')
    process.stdout.write(`engine${quick ? ' (quick: too few rounds to quote)' : ''}, Node ${process.version} on ${head.machine.cores} × ${head.machine.cpu}\n`);
  for (const section of sections) {
    if (figures[section.name] === undefined) {
      const startMs = systemClock.nowMs();
      const measured = await section.measure({ quick, peers, nowMs: systemClock.nowMs, say });
      const seconds = Math.round((systemClock.nowMs() - startMs) / 1000);
      figures = { ...figures, [section.name]: measured, took: { ...(figures['took'] as object), [section.name]: { seconds, loadAfter: loadavg()[0] } } };
      if (save !== undefined) keep(save, figures);
    } else say(`${section.name}: as ${save} has it`);
    if (format === 'text') process.stdout.write(`\n${section.textOf(figures[section.name]).join('\n')}\n`);
  }
  if (format === 'json') process.stdout.write(`${JSON.stringify(figures)}\n`);
  return 0;
}

interface Options {
  readonly quick: boolean;
  readonly peers: boolean;
  readonly sections: readonly Section<unknown>[];
  readonly save: string | undefined;
  readonly format: 'text' | 'json';
}

/** @returns undefined when help was asked for. @throws UsageError */
function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      quick: { type: 'boolean', default: false },
      peers: { type: 'boolean' },
      only: { type: 'string' },
      save: { type: 'string' },
      format: { type: 'string', default: 'text' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const { quick, format, save, peers = !quick } = values;
  if (format !== 'text' && format !== 'json')
    throw new UsageError('BAD_OPTION', `--format ${JSON.stringify(format)} is neither text nor json`, { remedy: 'Choose one of the two.' });
  const wanted = values.only?.split(',');
  const unknown = wanted?.find((name) => SECTIONS.every((section) => section.name !== name));
  if (unknown !== undefined) {
    throw new UsageError('BAD_OPTION', `--only ${JSON.stringify(unknown)} is no part of this bench`, {
      remedy: `Choose from: ${SECTIONS.map(({ name }) => name).join(', ')}.`,
    });
  }
  return { quick, peers, sections: SECTIONS.filter(({ name }) => wanted === undefined || wanted.includes(name)), save, format };
}

/** @throws UsageError when the file is of another machine or runtime, or was asked for with other options. */
function readSaved(file: string, wanted: Saved): Partial<Saved> {
  if (!existsSync(file)) return {};
  const saved = JSON.parse(readFileSync(file, 'utf8')) as Saved;
  const kindOf = ({ machine, quick, peers }: Saved) =>
    `Node ${machine.runtime} on ${machine.cores} × ${machine.cpu}, ${quick ? 'quick' : 'full'}, ${peers ? 'with' : 'without'} peers`;
  if (kindOf(saved) === kindOf(wanted)) return saved;
  throw new UsageError('BAD_OPTION', `${file} holds figures of ${kindOf(saved)}; asked for is ${kindOf(wanted)}`, {
    remedy: 'Figures of two kinds do not stand in one table: give --save another file, or remove this one.',
  });
}

function keep(file: string, figures: unknown): void {
  writeFileSync(`${file}.new`, JSON.stringify(figures));
  renameSync(`${file}.new`, file);
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
