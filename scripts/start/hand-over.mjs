// Starts the program under the locked Node and gets out of its way: its streams, its signals and its exit code are ours. Must parse on Node 12.
import { spawn } from 'child_process';
import fs from 'fs';
import os from 'os';
import path from 'path';
import { Complaint } from './complaint.mjs';
import { enterRunning } from './folder-lock.mjs';

/** Whether the terminal's Ctrl-C reaches the child by itself: it goes to the whole foreground group. */
function terminalSendsIt() {
  try {
    const stat = fs.readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[2] === fields[5]; // our process group is the terminal's foreground group
  } catch {
    return Boolean(process.stdin.isTTY || process.stdout.isTTY);
  }
}

/** @returns a promise of the exit code; 128 + the signal's number when a signal ended the child. */
export function handOver(root, node, title, command) {
  const [entry, ...args] = command;
  const env = Object.assign({}, process.env);
  const bin = path.join(root, 'node_modules', '.bin');
  if ((env.PATH || '').split(path.delimiter)[0] !== bin) env.PATH = env.PATH ? `${bin}${path.delimiter}${env.PATH}` : bin;
  const isVitest = entry.startsWith('node_modules');
  return new Promise((resolve, reject) => {
    // Vitest looks for its config in the working folder; a command takes its paths from where the user stands.
    const child = spawn(node, [path.join(root, entry)].concat(args), { cwd: isVitest ? root : process.cwd(), env, stdio: 'inherit' });
    const leave = child.pid === undefined ? () => {} : enterRunning(root, child.pid, title);
    process.on('SIGINT', () => {
      if (!terminalSendsIt()) child.kill('SIGINT');
    });
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal));
    child.on('error', (error) => {
      leave();
      reject(new Complaint(`${node} could not be started: ${error.message}`, 'delete node_modules and run the same command again'));
    });
    child.on('exit', (code, signal) => {
      leave();
      resolve(signal ? 128 + (os.constants.signals[signal] || 0) : code);
    });
  });
}
