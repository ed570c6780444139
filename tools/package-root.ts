// Where an optional package lies, so that a locked-down process can be allowed to read it and nothing else.
import { createRequire } from 'node:module';
import path from 'node:path';
import { loadPackage } from './tool-error.ts';

/** @throws ToolError `MISSING_PACKAGE` */
export async function packageRoot(name: string): Promise<string> {
  const file = await loadPackage(name, async () => createRequire(import.meta.url).resolve(name));
  const folder = path.join('node_modules', ...name.split('/'));
  return file.slice(0, file.lastIndexOf(folder) + folder.length);
}
