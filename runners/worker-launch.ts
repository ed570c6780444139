// How the process of a row is started, by language: program and arguments. Both speak adapters/protocol.ts on file descriptor 3.
import { pythonFile } from '../adapters/registry.ts';
import { PYTHON_FLAGS, WORKER_FLAGS } from '../adapters/worker-environment.ts';
import { childEntry } from './child-entry.ts';

export interface WorkerLaunch {
  readonly language: 'node' | 'python';
  readonly command: string;
  readonly args: readonly string[];
}

/** @param interpreter of a Python row's environment */
export function workerLaunch({ interpreter }: { readonly interpreter?: string }): WorkerLaunch {
  return interpreter === undefined
    ? { language: 'node', command: process.execPath, args: [...WORKER_FLAGS, childEntry('adapters/worker')] }
    : { language: 'python', command: interpreter, args: [...PYTHON_FLAGS, pythonFile('worker.py')] };
}
