// What importing the engine costs over a Node that imports an empty module: fresh processes in pairs, each timing its own import.
import { spawnSync } from 'node:child_process';
import { medianOf } from './median.ts';

export interface ImportFigure {
  readonly rounds: number;
  readonly importMs: number;
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

export function measureImport(quick: boolean): ImportFigure {
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  const engine = new URL(`../engine/index${extension}`, import.meta.url).href;
  const empty = 'data:text/javascript,export{}';
  const rounds = quick ? 5 : 20;
  const pairs = Array.from({ length: rounds }, () => ({ engine: probe(engine), empty: probe(empty) }));
  const counted = spawnSync(process.execPath, ['--input-type=module', '-e', COUNT, engine], { encoding: 'utf8' });
  return {
    rounds,
    importMs: medianOf(pairs.map((pair) => pair.engine.ms - pair.empty.ms)),
    rssBytes: medianOf(pairs.map((pair) => pair.engine.bytes - pair.empty.bytes)),
    modules: Number(counted.stdout),
  };
}

const COUNT = `
import { registerHooks } from 'node:module';
let count = 0;
registerHooks({ load(url, context, next) { if (url.startsWith('file:')) count++; return next(url, context); } });
await import(process.argv[1]);
process.stdout.write(String(count));`;

function probe(module: string): { ms: number; bytes: number } {
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', PROBE, module], { encoding: 'utf8' });
  if (child.status !== 0) throw new Error(`cannot import ${module}: ${child.stderr}`);
  return JSON.parse(child.stdout) as { ms: number; bytes: number };
}
