// What importing the engine costs over a Node that imports an empty module: fresh processes in pairs, each timing its own import.
import { spawnSync } from 'node:child_process';
import { medianOf, quantileOf } from './median.ts';
import type { Section } from './section.ts';

export interface ImportFigure {
  readonly rounds: number;
  readonly importMs: number;
  /** Middle half of the pairs. */
  readonly importMsQuartiles: readonly [number, number];
  readonly rssBytes: number;
  /** Files of ours on the import path. */
  readonly modules: number;
}

const PROBE = `
const start = process.hrtime.bigint();
const before = process.memoryUsage.rss();
await import(process.argv[1]);
const ms = Number(process.hrtime.bigint() - start) / 1e6;
process.stdout.write(JSON.stringify({ ms, bytes: process.memoryUsage.rss() - before }));`;

const COUNT = `
import { registerHooks } from 'node:module';
let count = 0;
registerHooks({ load(url, context, next) { if (url.startsWith('file:')) count++; return next(url, context); } });
await import(process.argv[1]);
process.stdout.write(String(count));`;

export const importSection: Section<ImportFigure> = {
  name: 'import',
  measures: 'time, memory and modules of `import … from agentgauge/engine`, over an empty module',
  takes: '10 seconds, quick 2',
  measure: async ({ quick, say }) => {
    const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
    const engine = new URL(`../engine/index${extension}`, import.meta.url).href;
    const empty = 'data:text/javascript,export{}';
    const rounds = quick ? 5 : 40;
    say(`import: ${rounds} pairs of processes`);
    const differences = Array.from({ length: rounds }, (_, round) => {
      // Who goes first changes with each pair.
      const [first, second] = round % 2 === 0 ? [engine, empty] : [empty, engine];
      const costs = new Map([first, second].map((module) => [module, probe(module)]));
      const [ours, bare] = [costs.get(engine), costs.get(empty)] as [ImportCost, ImportCost];
      return { ms: ours.ms - bare.ms, bytes: ours.bytes - bare.bytes };
    });
    const times = differences.map(({ ms }) => ms);
    return {
      rounds,
      importMs: medianOf(times),
      importMsQuartiles: [quantileOf(times, 0.25), quantileOf(times, 0.75)],
      rssBytes: medianOf(differences.map(({ bytes }) => bytes)),
      modules: Number(outputOf(COUNT, engine)),
    };
  },
  textOf: ({ rounds, importMs, importMsQuartiles: [low, high], rssBytes, modules }) => [
    'import over an empty module',
    `  ${importMs.toFixed(1)} ms [${low.toFixed(1)}, ${high.toFixed(1)} in the middle half], ${(rssBytes / 1e6).toFixed(1)} MB, ${modules} modules  (${rounds} pairs)`,
  ],
};

interface ImportCost {
  readonly ms: number;
  readonly bytes: number;
}

function probe(module: string): ImportCost {
  return JSON.parse(outputOf(PROBE, module)) as ImportCost;
}

function outputOf(program: string, module: string): string {
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', program, module], { encoding: 'utf8' });
  if (child.status !== 0) throw new Error(`cannot import ${module}: ${child.stderr}`);
  return child.stdout;
}
