// Makes one file of the engine's modules: a user who imports it pays for one module in place of fifty. Parts that are loaded late stay files of their own,
// as do the connectors, which have an address of their own and share with it what both use.
// Works from the sources, so that its source map leads to them. Must parse on Node 12; the bundler itself runs on the Node that it is told.
import { spawnSync } from 'child_process';
import fs from 'fs';
import path from 'path';

export const ENGINE_ENTRY = 'engine/index.ts';
const CONNECTORS_ENTRY = 'engine/connectors.ts';

/** Packages that the build needs, so that another version of one builds again. */
export const BUNDLER_MANIFEST = 'node_modules/rolldown/package.json';

/** Writes `index.js`, `connectors.js` and `chunks/*.js`, each with its map, into a folder. @returns what the bundler said when it failed */
export function bundleEngine(root, node, folder) {
  const flags = ['--format', 'esm', '--platform', 'node', '--sourcemap', '--no-comments', '--logLevel', 'warn'];
  const names = ['--dir', folder, '--entryFileNames', '[name].js', '--chunkFileNames', 'chunks/[name].js'];
  const bundler = path.join(root, 'node_modules', 'rolldown', 'bin', 'cli.mjs');
  const entries = [ENGINE_ENTRY, CONNECTORS_ENTRY].filter((entry) => fs.existsSync(path.join(root, entry)));
  const env = Object.assign({}, process.env, { NO_COLOR: '1', FORCE_COLOR: '0' });
  const run = spawnSync(node, [bundler].concat(entries, flags, names), { cwd: root, env, encoding: 'utf8', maxBuffer: 1e8 });
  if (run.error) return run.error.message;
  return run.status === 0 ? undefined : (run.stdout + run.stderr).trim();
}
