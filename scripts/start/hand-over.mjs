// Starts the program under the Node that was chosen and gets out of its way: its streams, its signals and its exit code are ours. Must parse on Node 12.
import { spawn } from 'child_process';
import fs from 'fs';
import os from 'os';
import { Complaint } from './complaint.mjs';

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

/**
 * @param onStart gets the child's pid and returns what to do when it has ended
 * @returns a promise of the exit code; 128 + the signal's number when a signal ended the child
 */
export function handOver(node, args, options, onStart) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, Object.assign({ stdio: 'inherit' }, options));
    const leave = child.pid === undefined || !onStart ? () => {} : onStart(child.pid);
    process.on('SIGINT', () => {
      if (!terminalSendsIt()) child.kill('SIGINT');
    });
    for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('error', (error) => {
      leave();
      reject(new Complaint(`${node} could not be started: ${error.message}`, 'delete the folder that it lies in and run the same command again'));
    });
    child.on('exit', (code, signal) => {
      leave();
      resolve(signal ? 128 + (os.constants.signals[signal] || 0) : code);
    });
  });
}
