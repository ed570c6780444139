// Finds and runs npm, whoever started us: npm itself, pnpm, yarn, bun or a shell. The user's registry, proxy and cache settings count; what would change
// the tree does not. Must parse on Node 12.
import { spawn } from 'child_process';
import fs from 'fs';
import path from 'path';
import { fileURLToPath } from 'url';
import { Complaint, say } from './complaint.mjs';
import { npmComplaint } from './npm-complaint.mjs';

const HEARTBEAT_MS = 15000;
const KEPT_BYTES = 200000;
const PRELOAD = path.join(path.dirname(fileURLToPath(import.meta.url)), 'npm-node-version.cjs');

// No install script of a package runs: none is needed, and a compiler may be missing.
const FLAGS = ['--ignore-scripts', '--install-strategy=hoisted', '--engine-strict=false', '--legacy-peer-deps=false', '--strict-peer-deps=false'].concat(
  ['--dry-run=false', '--global=false', '--audit=false', '--fund=false', '--update-notifier=false', '--loglevel=warn', '--progress=false', '--color=false'],
  ['--fetch-retries=2', '--fetch-retry-factor=3', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=10000'],
);

function isInside(folder, file) {
  const relative = path.relative(folder, file);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
}

function onPath(name, root) {
  for (const folder of (process.env.PATH || '').split(path.delimiter)) {
    const file = path.join(folder, name);
    if (folder !== '' && !isInside(root, file) && fs.existsSync(file)) return fs.realpathSync(file);
  }
  return undefined;
}

/** A Node that the install will not delete while it runs: `npm run` puts the clone's own first on the path. */
function outsideNode(root) {
  const candidates = [process.env.npm_node_execpath, process.versions.bun ? undefined : process.execPath];
  return candidates.find((file) => file && !isInside(root, file) && fs.existsSync(file)) || onPath('node', root) || process.execPath;
}

/** @returns command and first arguments that start npm. */
function findNpm(root) {
  const node = outsideNode(root);
  const given = process.env.npm_execpath || '';
  const beside = path.dirname(node);
  const scripts = [/np[mx]-cli\.js$/.test(given) ? path.join(path.dirname(given), 'npm-cli.js') : ''];
  scripts.push(path.join(beside, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'), path.join(beside, 'node_modules', 'npm', 'bin', 'npm-cli.js'));
  const command = onPath('npm', root);
  // An npm on the path is what the user means, unless npm itself started us. A wrapper of a version manager is run as it stands.
  if (scripts[0] === '' && command !== undefined) return /\.js$/.test(command) ? [node, '-r', PRELOAD, command] : [command];
  const script = scripts.find((file) => file !== '' && fs.existsSync(file));
  if (script) return [node, '-r', PRELOAD, script];
  throw new Complaint(
    'npm was not found, and only npm reads package-lock.json',
    'install npm (it comes with Node 20 or newer), then run the same command again',
  );
}

function environment(runtime, isWrapper) {
  const env = Object.assign({}, process.env, { AGENTGAUGE_RUNTIME_NODE: runtime });
  delete env.NODE_ENV;
  if (isWrapper) env.NODE_OPTIONS = `${env.NODE_OPTIONS || ''} --require ${JSON.stringify(PRELOAD)}`;
  for (const key of Object.keys(env))
    if (/^npm_(command|execpath|node_execpath|lifecycle_.*|package_.*|config_(user_agent|omit|only|production|node_linker))$/i.test(key)) delete env[key];
  return env;
}

/**
 * Runs npm in `folder` and keeps quiet about it; its text is told when it fails. `runtime` is the Node version that the packages are for.
 * @returns what npm wrote and how long it took
 */
export function runNpm(folder, args, runtime) {
  const [command, ...first] = findNpm(folder);
  return new Promise((resolve, reject) => {
    const child = spawn(command, first.concat(args, FLAGS), { cwd: folder, env: environment(runtime, first.length === 0), stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    const keep = (chunk) => {
      text = (text + chunk).slice(-KEPT_BYTES);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const startedAt = Date.now();
    const heartbeat = setInterval(() => say(`still installing, ${Math.round((Date.now() - startedAt) / 1000)} s`), HEARTBEAT_MS);
    // Ctrl-C reaches npm too; we stay to say what is left behind.
    let interrupted = 0;
    const stop = (signal) => {
      interrupted = signal === 'SIGINT' ? 130 : 143;
      child.kill(signal);
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
    const settle = (act) => {
      clearInterval(heartbeat);
      process.removeListener('SIGINT', stop);
      process.removeListener('SIGTERM', stop);
      if (interrupted)
        reject(new Complaint('interrupted; what was being installed is unfinished', 'run the same command again: it starts the install anew', interrupted));
      else act();
    };
    child.on('error', (error) => settle(() => reject(new Complaint(`npm could not be started: ${error.message}`, 'check that `npm --version` works'))));
    child.on('close', (code, signal) =>
      settle(() => {
        const kept = text.replace(/\n(npm (ERR!|error) )?A complete log of this run.*\n?.*\n/g, '\n');
        if (code === 0) resolve({ text: kept, seconds: ((Date.now() - startedAt) / 1000).toFixed(1) });
        else reject(npmComplaint(folder, signal ? `ended by ${signal}` : `exit code ${code}`, kept));
      }),
    );
  });
}
