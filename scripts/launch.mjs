#!/usr/bin/env node
// The `agentgauge` of the packed package. It measures on the Node that the clone has in its lock; a system Node as new as that runs it at once, an older one
// brings the right Node into a cache of our own, once, so that nobody's `node` changes. Must parse on Node 12; `start.mjs` is its sibling for the clone.
import fs from 'fs';
import os from 'os';
import path from 'path';
import { fileURLToPath } from 'url';
import { Complaint, folderComplaint, say } from './start/complaint.mjs';
import { handOver } from './start/hand-over.mjs';
import { runNpm } from './start/npm.mjs';
import { hasLockedRuntime, isNewEnough, refuseOldNode, runtimeComplaint } from './start/runtime-node.mjs';

const packageRoot = path.dirname(path.dirname(fs.realpathSync(fileURLToPath(import.meta.url))));

function readJson(file) {
  return JSON.parse(fs.readFileSync(path.join(packageRoot, file), 'utf8'));
}

function isInstalled(name) {
  for (let folder = packageRoot; ; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, 'node_modules', name, 'package.json'))) return true;
    if (folder === path.dirname(folder)) return false;
  }
}

/**
 * Optional packages that npm left out although others came: it does so without a word when the Node that it runs on is too old for them.
 * Somebody who asked for none of them keeps none.
 */
function leftOutByNpm() {
  const names = Object.keys(readJson('package.json').optionalDependencies || {});
  const missing = names.filter((name) => !isInstalled(name));
  return missing.length === names.length ? [] : missing;
}

/** Installs into a folder beside its final name and renames, so that a kill leaves nothing half-done and two at once do no harm. */
async function fillCache(home, dependencies, runtime) {
  const aside = `${home}.${process.pid}`;
  try {
    fs.mkdirSync(aside, { recursive: true });
    fs.writeFileSync(path.join(aside, 'package.json'), `${JSON.stringify({ private: true, dependencies }, null, 2)}\n`);
    const { seconds } = await runNpm(aside, ['install', '--install-links', '--package-lock=false', '--include=prod', '--include=optional'], runtime);
    say(`installed in ${seconds} s`);
    try {
      fs.renameSync(aside, home);
    } catch (error) {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error; // another command was faster
    }
  } catch (error) {
    throw folderComplaint(error, path.dirname(home));
  } finally {
    fs.rmSync(aside, { recursive: true, force: true });
  }
}

/** @returns node and package folder to run, from our cache. */
async function cachedRuntime() {
  const runtimePackage = `node-linux-${process.arch}`;
  const runtime = readJson('scripts/runtime/package.json').optionalDependencies[runtimePackage];
  const leftOut = leftOutByNpm();
  const parent = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'agentgauge');
  const stamp = fs.readFileSync(path.join(packageRoot, 'dist', '.build-stamp'), 'utf8').slice(0, 12);
  const home = path.join(parent, leftOut.length === 0 ? `node-${runtime}` : `agentgauge-${readJson('package.json').version}-${stamp}`);
  const node = path.join(home, 'node_modules', runtimePackage, 'bin', 'node');
  if (!fs.existsSync(node)) {
    const dependencies = { [runtimePackage]: runtime };
    if (leftOut.length > 0) dependencies.agentgauge = `file:${packageRoot}`;
    const also = leftOut.length === 0 ? '' : `, and a copy of agentgauge with what npm leaves out on ${process.version} (${leftOut.join(', ')})`;
    say(
      `this is Node ${process.version.slice(1)}; bringing Node ${runtime} into ${home}${also}. Once; about ${leftOut.length === 0 ? '50 MB to download, 190 MB on disk' : '200 MB to download, 470 MB on disk'}`,
    );
    await fillCache(home, dependencies, runtime);
  }
  if (!fs.existsSync(node)) throw new Complaint(`${node} is not there after the install`, `delete ${home} and run the same command again`);
  return { node, folder: leftOut.length === 0 ? packageRoot : path.join(home, 'node_modules', 'agentgauge') };
}

async function main() {
  refuseOldNode();
  if (!isNewEnough() && !hasLockedRuntime()) throw runtimeComplaint();
  const { node, folder } = isNewEnough() ? { node: process.execPath, folder: packageRoot } : await cachedRuntime();
  return handOver(node, [path.join(folder, 'dist', 'scripts', 'cli.js'), ...process.argv.slice(2)], {});
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    say(error instanceof Complaint ? error.lines() : error.stack);
    process.exitCode = error.exitCode || 1;
  },
);
