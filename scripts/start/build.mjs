// Keeps dist/ equal to the sources: compiles when their content changed, removes what no source stands behind, copies what the compiler leaves,
// and puts the engine into one file.
// Also the whole of `npm run build`. Must parse on Node 12.
import { spawnSync } from 'child_process';
import crypto from 'crypto';
import fs from 'fs';
import path from 'path';
import { fileURLToPath } from 'url';
import { BUNDLER_MANIFEST, bundleEngine, ENGINE_ENTRY } from './bundle-engine.mjs';
import { Complaint, folderComplaint, say } from './complaint.mjs';
import { listRunning, sleep, withFolderLock } from './folder-lock.mjs';
import { runtimeNode } from './runtime-node.mjs';

const CONFIG = 'tsconfig.build.json';
const STAMP = path.join('dist', '.build-stamp');
const SHOWN_ERRORS = 20;
const SHORT_COMMAND_MS = 5000;

function isCompiled(file) {
  return /\.ts$/.test(file) && !/\.(test|d)\.ts$/.test(file);
}

/** Files that a compiled module finds beside itself: a Python sidecar, a word list. Prose, tests and their fixtures stay behind. */
function isCopied(file) {
  return !/\.(ts|mts|mjs|md|pyc)$/.test(file) && !/(^|\/)(fixtures|runtime|__pycache__|__snapshots__|node_modules)\//.test(file);
}

function walk(root, folder, found) {
  let entries = [];
  try {
    entries = fs.readdirSync(path.join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  for (const entry of entries) {
    const file = `${folder}/${entry.name}`;
    if (entry.name[0] === '.' || entry.name === 'node_modules') continue;
    if (entry.isDirectory()) walk(root, file, found);
    else found.push(file);
  }
  return found;
}

/** Source folders are those that the build's tsconfig includes, so that there is one list. */
function listSources(root) {
  const { include } = JSON.parse(fs.readFileSync(path.join(root, CONFIG), 'utf8'));
  const files = [];
  for (const pattern of include) {
    if (!pattern.includes('*')) files.push(pattern);
    else walk(root, pattern.split('/')[0], files);
  }
  return files.filter((file) => fs.existsSync(path.join(root, file))).sort();
}

function hashOf(root, files) {
  const hash = crypto.createHash('sha256');
  for (const file of files) hash.update(`${file}\n`).update(fs.readFileSync(path.join(root, file)));
  return hash.digest('hex');
}

function outputOf(file) {
  return isCompiled(file) ? file.replace(/\.ts$/, '.js') : file;
}

function inspect(root) {
  const files = listSources(root).filter((file) => isCompiled(file) || isCopied(file));
  const builtBy = ['node_modules/typescript/package.json'].concat(files.includes(ENGINE_ENTRY) ? [BUNDLER_MANIFEST] : []);
  const hash = hashOf(root, files.concat(CONFIG, 'tsconfig.json', builtBy));
  let stamp;
  try {
    stamp = fs.readFileSync(path.join(root, STAMP), 'utf8');
  } catch {
    stamp = ''; // never built, or a build died
  }
  const fresh = stamp === hash && files.every((file) => fs.existsSync(path.join(root, 'dist', outputOf(file))));
  return { files, hash, fresh };
}

function removeOrphans(root, files) {
  const outputs = new Set(files.map((file) => `dist/${outputOf(file)}`));
  for (const file of walk(root, 'dist', [])) if (!outputs.has(file.replace(/\.d\.ts$/, '.js'))) fs.unlinkSync(path.join(root, file));
}

function compile(root, node, { files, hash }) {
  fs.mkdirSync(path.join(root, 'dist'), { recursive: true });
  if (fs.existsSync(path.join(root, STAMP))) fs.unlinkSync(path.join(root, STAMP));
  const tsc = spawnSync(node, [path.join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', CONFIG, '--pretty', 'false'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  if (tsc.error) throw new Complaint(`the compiler could not be started: ${tsc.error.message}`, 'delete node_modules and run the same command again');
  if (/ENOSPC|no space left/i.test(tsc.stdout + tsc.stderr)) throw folderComplaint({ code: 'ENOSPC' }, root);
  if (tsc.status !== 0) {
    const lines = (tsc.stdout + tsc.stderr).trim().split('\n');
    const rest = lines.length > SHOWN_ERRORS ? `\n  and ${lines.length - SHOWN_ERRORS} more lines` : '';
    throw new Complaint(`the sources do not compile:\n  ${lines.slice(0, SHOWN_ERRORS).join('\n  ')}${rest}`, 'mend these, or go back to sources that compile');
  }
  removeOrphans(root, files);
  for (const file of files.filter((name) => !isCompiled(name))) {
    fs.mkdirSync(path.dirname(path.join(root, 'dist', file)), { recursive: true });
    fs.copyFileSync(path.join(root, file), path.join(root, 'dist', file));
  }
  if (files.includes(ENGINE_ENTRY)) {
    // Over what the compiler made of the entry: its modules stay beside it, for the checks that read them.
    const trouble = bundleEngine(root, node, path.join('dist', path.dirname(ENGINE_ENTRY)));
    if (trouble !== undefined)
      throw new Complaint(`the engine could not be put into one file:\n  ${trouble}`, 'delete node_modules and run the same command again');
  }
  fs.writeFileSync(path.join(root, STAMP), hash);
}

/** A study starts its workers from dist/, so it may not change under one. Short commands are waited for. */
async function studyAtWork(root) {
  for (let waitedMs = 0; ; waitedMs += 200) {
    const [study] = listRunning(root).filter((entry) => entry.what !== 'test');
    if (study === undefined || waitedMs >= SHORT_COMMAND_MS) return study;
    if (waitedMs === 0) say(`sources changed; waiting a moment for process ${study.pid} (${study.what}), which works with what was built before`);
    await sleep(200);
  }
}

/** With `test`, sources that do not compile or may not be built now are said and passed over: tests run from the sources. */
export async function ensureBuilt(root, node, { test }) {
  try {
    if (inspect(root).fresh) return;
    await withFolderLock(root, 'building', async () => {
      const state = inspect(root);
      if (state.fresh) return;
      const study = await studyAtWork(root);
      if (study)
        throw new Complaint(
          `sources changed, but process ${study.pid} (${study.what}, since ${study.startedAt}) works with what was built before`,
          'wait until it ends, or end it, then run the same command again',
        );
      const startedAt = Date.now();
      compile(root, node, state);
      say(`built ${state.files.length} sources in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
    });
  } catch (error) {
    const known = error instanceof Complaint ? error : folderComplaint(error, root);
    if (!test || !(known instanceof Complaint)) throw known;
    say(known.lines());
  }
}

if (process.argv[1] !== undefined && fs.realpathSync(process.argv[1]) === fs.realpathSync(fileURLToPath(import.meta.url))) {
  const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
  Promise.resolve()
    .then(() => ensureBuilt(root, runtimeNode(root), { test: false }))
    .catch((error) => {
      say(error instanceof Complaint ? error.lines() : error.stack);
      process.exitCode = 1;
    });
}
