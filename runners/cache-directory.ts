// Where what can be made again is kept: `.cache/` of a clone, the user's cache folder when installed as a package. What lies in it: README.md, "The cache".
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export function cacheDirectory(): string {
  const given = process.env['AGENTGAUGE_CACHE'];
  if (given) return given;
  const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/(dist\/)?$/, '');
  if (existsSync(join(root, 'tsconfig.json'))) return join(root, '.cache');
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'agentgauge');
}
