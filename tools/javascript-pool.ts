// Where JavaScript programs run: QuickJS (compiled to WebAssembly) in child processes that may read nothing but their own code.
import { fork } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CodePool } from './code-pool.ts';
import type { MachineLimits } from './javascript-machine.ts';
import { packageFolders } from './package-folders.ts';

const PACKAGES = ['quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync', '@jitl/quickjs-ffi-types'];

/** How long after its own limit a process is killed that does not say anything. */
const GRACE_MS = 3_000;

/** @throws ToolError `MISSING_PACKAGE` */
export async function openJavaScriptPool(limits: MachineLimits): Promise<CodePool> {
  return new CodePool({ start: await starter(), limits, killAfterMs: limits.timeMs + GRACE_MS });
}

async function starter() {
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  const entry = fileURLToPath(new URL(`./javascript-child${extension}`, import.meta.url));
  const roots = (await Promise.all(PACKAGES.map(packageFolders))).flat();
  const readable = [path.dirname(entry), fileURLToPath(new URL('../base', import.meta.url)), ...roots];
  return () =>
    fork(entry, {
      execArgv: [
        '--permission',
        ...readable.map((folder) => `--allow-fs-read=${folder}`),
        '--max-old-space-size=128',
        '--disallow-code-generation-from-strings',
      ],
      env: { TZ: 'UTC' },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
}
