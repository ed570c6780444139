// The first step of every `npm run` of this clone: bring what package-lock.json says, build what changed, then hand over to the locked Node.
// It runs under whatever Node the system has and must parse on Node 12: no `?.`, no `??`, no top-level await, nothing imported from node_modules.
// It knows nothing about studies: everything after `--entry FILE` (default: scripts/cli) or `--test` belongs to the program that it starts.
import path from 'path';
import { fileURLToPath } from 'url';
import { ensureBuilt } from './start/build.mjs';
import { Complaint, say } from './start/complaint.mjs';
import { enterRunning } from './start/folder-lock.mjs';
import { handOver } from './start/hand-over.mjs';
import { ensureInstalled } from './start/install.mjs';
import { refuseOldNode, runtimeNode } from './start/runtime-node.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** What npm takes for itself when the `--` is forgotten; a full study instead of the quick one would be a nasty surprise. */
function refuseSwallowedOptions() {
  const swallowed = ['quick', 'full', 'node-only', 'frameworks', 'resume', 'trials'].filter(
    (name) => process.env[`npm_config_${name.replace(/-/g, '_')}`] !== undefined,
  );
  if (swallowed.length === 0) return;
  const script = process.env.npm_lifecycle_event || 'reproduce';
  throw new Complaint(
    `npm kept ${swallowed.map((name) => `--${name}`).join(', ')} for itself, so the command would not see it`,
    `put two dashes before the options: npm run ${script} -- --${swallowed[0]}`,
    2,
  );
}

/** @returns what runs, under which title others see it at work, and where: vitest looks for its config in the working folder, a command for the user's files. */
function parse(args) {
  if (args[0] === '--test') return { test: true, title: 'test', cwd: root, command: ['node_modules/vitest/vitest.mjs', 'run', ...args.slice(1)] };
  if (args[0] === '--entry') return { test: false, title: path.basename(args[1]), cwd: process.cwd(), command: [`dist/${args[1]}.js`, ...args.slice(2)] };
  return { test: false, title: args[0] || 'help', cwd: process.cwd(), command: ['dist/scripts/cli.js', ...args] };
}

/** The clone's tools first on the path, also when no `npm run` put them there. */
function environment() {
  const bin = path.join(root, 'node_modules', '.bin');
  const before = process.env.PATH || '';
  return before.split(path.delimiter)[0] === bin ? process.env : Object.assign({}, process.env, { PATH: before ? `${bin}${path.delimiter}${before}` : bin });
}

async function main() {
  refuseOldNode();
  refuseSwallowedOptions();
  const { test, title, cwd, command } = parse(process.argv.slice(2));
  await ensureInstalled(root);
  const node = runtimeNode(root);
  await ensureBuilt(root, node, { test });
  const [entry, ...args] = command;
  return handOver(node, [path.join(root, entry), ...args], { cwd, env: environment() }, (pid) => enterRunning(root, pid, title));
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    // Anything but a complaint is a fault of this step itself, so there the stack is worth its lines.
    say(error instanceof Complaint ? error.lines() : error.stack);
    process.exitCode = error.exitCode || 1;
  },
);
