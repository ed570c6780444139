// Where an optional package lies, so that a locked-down process can be allowed to read it and nothing else.
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { loadPackage } from './tool-error.ts';

/** @returns the folder that Node looks into and, where that is a link, the one behind it. @throws ToolError `MISSING_PACKAGE` */
export async function packageFolders(name: string): Promise<string[]> {
  const file = realpathSync(await loadPackage(name, async () => createRequire(import.meta.url).resolve(name)));
  const lookedInto = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const folder of lookedInto.map((each) => path.join(each, name))) {
    const real = realpathOf(folder);
    if (real !== undefined && file.startsWith(real + path.sep)) return [...new Set([folder, real])];
  }
  return [path.dirname(file)];
}

function realpathOf(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    // Not in this one.
    return undefined;
  }
}
