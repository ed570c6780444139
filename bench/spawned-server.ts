// A helper process of a benchmark that prints its port on its first line and ends with its standard input.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { childEntry } from '../runners/child-entry.ts';

export interface SpawnedServer {
  readonly origin: string;
  readonly baseUrl: string;
  stop(): void;
}

/** @param module path from the root without extension, such as `bench/scripted-model` */
export async function spawnServer(module: string): Promise<SpawnedServer> {
  const child = spawn(process.execPath, [childEntry(module)], { stdio: ['pipe', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const origin = `http://127.0.0.1:${line}`;
    return { origin, baseUrl: `${origin}/v1`, stop: () => child.stdin.end() };
  }
  throw new Error(`${module} did not start`);
}
