// Imports one adapter and times that. Failing is an answer here: a missing framework is named, so that the host can say how to get it.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../base/clock.ts';
import { messageOf } from '../base/error.ts';
import type { Adapter, Shape } from './adapter.ts';
import { installedVersion } from './installed-packages.ts';
import type { StartMessage, WorkerMessage } from './protocol.ts';

type WorkerFailed = Extract<WorkerMessage, { type: 'worker-failed' }>;

export interface LoadedAdapter {
  readonly shape: Shape;
  readonly importMs: number;
  readonly versions: Readonly<Record<string, string>>;
}

export async function loadAdapter(start: StartMessage): Promise<LoadedAdapter | WorkerFailed> {
  const url = start.adapterModule.startsWith('file:') ? start.adapterModule : pathToFileURL(path.resolve(start.adapterModule)).href;
  const startMs = systemClock.nowMs();
  let module: Readonly<Record<string, unknown>>;
  try {
    module = await import(url);
  } catch (error) {
    return loadFailure(error, start.packages, url);
  }
  const importMs = systemClock.nowMs() - startMs;
  const adapter = module[start.exportName];
  if (typeof adapter !== 'object' || adapter === null) {
    return failed('NO_SHAPE', `${start.adapterModule} has no export '${start.exportName}' that is an adapter; it exports: ${Object.keys(module).join(', ')}`);
  }
  const shape = (adapter as Adapter)[start.shape];
  if (typeof shape !== 'function') {
    return failed('NO_SHAPE', `${start.exportName} has no shape '${start.shape}'; it has: ${Object.keys(adapter).join(', ')}`);
  }
  const versions = Object.fromEntries(start.packages.flatMap((name) => pairOf(name, installedVersion(name, url))));
  return { shape, importMs, versions };
}

function pairOf(name: string, version: string | undefined): [string, string][] {
  return version === undefined ? [] : [[name, version]];
}

function loadFailure(error: unknown, packages: readonly string[], url: string): WorkerFailed {
  const named = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' ? /^Cannot find package '([^']+)'/.exec(messageOf(error))?.[1] : undefined;
  const missing = packages.find((name) => installedVersion(name, url) === undefined) ?? named;
  if (missing === undefined) return failed('LOAD_FAILED', messageOf(error));
  return { ...failed('MISSING_PACKAGE', `package ${missing} is not installed`), package: missing };
}

function failed(code: WorkerFailed['code'], message: string): WorkerFailed {
  return { type: 'worker-failed', code, message };
}
