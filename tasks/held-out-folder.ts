// Which files of the folder of `--held-out DIR` are read. What stands in them: models/held-out.ts (faults) and held-out-set.ts (templates).
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../base/error.ts';

const REMEDY = 'examples/held-out/ shows what such a folder holds.';

/** @returns `undefined` when the folder holds the other kind alone. @throws UsageError HELD_OUT_MISSING when there is no folder, or nothing to read in it */
export function heldOutFile(folder: string, kind: 'faults' | 'templates'): string | undefined {
  if (!statSync(resolve(folder), { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError('HELD_OUT_MISSING', `there is no folder ${folder}`, { remedy: REMEDY });
  const found = (name: string) => ['ts', 'js', 'mjs'].map((extension) => join(resolve(folder), `${name}.${extension}`)).find((path) => existsSync(path));
  if (found('faults') === undefined && found('templates') === undefined)
    throw new UsageError('HELD_OUT_MISSING', `${folder} holds neither faults.ts nor templates.ts (or .js, .mjs)`, { remedy: REMEDY });
  return found(kind);
}
