// What is installed beside a file, read from package.json alone: nothing is imported, so nothing is measured.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * The version of a package as `from` would get it.
 * @param from path or file URL of the module that would import it
 * @returns undefined when it is not installed
 */
export function installedVersion(packageName: string, from: string): string | undefined {
  // A package's `exports` may hide its package.json, so the folders are walked instead of resolving into it.
  for (const folder of createRequire(from).resolve.paths(packageName) ?? []) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(path.join(folder, packageName, 'package.json'), 'utf8'));
      const { version } = manifest as { version?: unknown };
      return typeof version === 'string' ? version : 'unknown';
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    }
  }
  return undefined;
}
