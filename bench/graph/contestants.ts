// Who runs the graphs, by the name in the output. The engine and the floors are part of this clone; a peer is a program under bench/peers, which has a lock of its own.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cloneRoot } from '../../scripts/run-child.ts';
import type { GraphContestant } from './contestant.ts';

export interface GraphEntry {
  readonly name: string;
  readonly load: () => Promise<GraphContestant>;
  readonly isPeer?: true;
  /** Thousands of times slower than a scheduler: one process a cell is enough to tell. */
  readonly isFramework?: true;
  /** Variants of the engine are not followed up to a million. @default no bound */
  readonly largest?: number;
}

export const peersFolder = join(cloneRoot, 'bench', 'peers');

export const GRAPH_CONTESTANTS: readonly GraphEntry[] = [
  { name: 'promise hop', load: async () => (await import('./promise-hop.ts')).promiseHop },
  { name: 'ready queue', load: async () => (await import('./ready-queue.ts')).readyQueue },
  { name: 'engine', load: async () => (await import('./engine.ts')).engine },
  { name: 'engine, trace hash', load: async () => (await import('./engine.ts')).hashed, largest: 100_000 },
  { name: 'engine, schemas', load: async () => (await import('./engine.ts')).withSchemas, largest: 100_000 },
  peer('p-graph', 'p-graph'),
  { ...peer('LangGraph', 'langgraph'), isFramework: true },
  { ...peer('LlamaIndex workflow', 'llamaindex-workflow'), isFramework: true },
  { ...peer('Mastra', 'mastra'), isFramework: true },
];

function peer(name: string, file: string): GraphEntry {
  const load = async () => ((await import(pathToFileURL(join(peersFolder, `${file}.mjs`)).href)) as { readonly build: GraphContestant }).build;
  return { name, load, isPeer: true };
}
