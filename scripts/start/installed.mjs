// Tells whether node_modules is what package-lock.json says, from the list that npm leaves behind; a few milliseconds, no npm. Must parse on Node 12.
import fs from 'fs';
import path from 'path';

function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    error.message = `${file}: ${error.message}`;
    throw error;
  }
}

function admits(list, value) {
  if (!list) return true;
  const names = [].concat(list);
  if (names.includes(`!${value}`)) return false;
  const wanted = names.filter((name) => name[0] !== '!');
  return wanted.length === 0 || wanted.includes('any') || wanted.includes(value);
}

function isForThisPlatform(entry) {
  const report = process.platform === 'linux' && process.report && entry.libc ? process.report.getReport() : undefined;
  const libc = report && report.header.glibcVersionRuntime ? 'glibc' : 'musl';
  return admits(entry.os, process.platform) && admits(entry.cpu, process.arch) && (entry.libc === undefined || admits(entry.libc, libc));
}

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** Names that a package.json of this clone asks for itself. What only an optional package needs may be missing with that package. */
function directNames(lock) {
  const names = new Set();
  for (const [folder, entry] of Object.entries(lock.packages)) {
    if (folder.includes('node_modules/')) continue;
    for (const kind of KINDS) for (const name of Object.keys(entry[kind] || {})) names.add(name);
  }
  return names;
}

function sameDependencies(manifest, entry) {
  return KINDS.every((kind) => JSON.stringify(Object.entries(manifest[kind] || {}).sort()) === JSON.stringify(Object.entries(entry[kind] || {}).sort()));
}

/** @returns why an install is needed, as the end of a sentence; undefined when nothing is missing. */
export function whatIsMissing(root) {
  const lock = readJson(path.join(root, 'package-lock.json'));
  const manifest = readJson(path.join(root, 'package.json'));
  if (lock === undefined || manifest === undefined) return 'package.json or package-lock.json is not there';
  if (!sameDependencies(manifest, lock.packages[''])) return 'package.json and package-lock.json do not agree';
  let installed;
  try {
    installed = readJson(path.join(root, 'node_modules', '.package-lock.json'));
  } catch {
    return 'the list of installed packages cannot be read'; // an install died while writing it
  }
  if (installed === undefined) return fs.existsSync(path.join(root, 'node_modules')) ? 'an earlier install did not finish' : 'nothing is installed yet';
  const direct = directNames(lock);
  for (const [folder, entry] of Object.entries(lock.packages)) {
    if (!folder.includes('node_modules/')) continue;
    const found = installed.packages[folder];
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (found === undefined) {
      if (entry.extraneous || !isForThisPlatform(entry)) continue;
      if ((entry.optional || entry.devOptional || entry.peer) && !(direct.has(name) && folder === `node_modules/${name}`)) continue;
      return `${name} is missing`;
    }
    if (found.version !== entry.version || found.integrity !== entry.integrity)
      return `${name} is ${found.version || 'another'}, the lock says ${entry.version}`;
    if (!fs.existsSync(path.join(root, folder, 'package.json'))) return `the folder of ${name} is gone`;
  }
  return undefined;
}

/** How many packages an install brings here. */
export function countPackages(root) {
  const lock = readJson(path.join(root, 'package-lock.json'));
  return Object.entries(lock.packages).filter(
    ([folder, entry]) => folder.includes('node_modules/') && !entry.link && !entry.extraneous && isForThisPlatform(entry),
  ).length;
}

/** Version of the Node that the lock holds, which every package of the lock will run on. */
export function lockedRuntime(root) {
  const lock = readJson(path.join(root, 'package-lock.json'));
  const entry = Object.entries(lock.packages).find(([folder]) => /node_modules\/node-linux-(x64|arm64)$/.test(folder));
  return entry ? entry[1].version : process.version.slice(1);
}
