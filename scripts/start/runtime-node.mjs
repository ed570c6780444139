// Which Node runs the program: on Linux with glibc the one from package-lock.json, so that every host measures the same V8; elsewhere the system's own.
// Must parse on Node 12.
import fs from 'fs';
import path from 'path';
import { Complaint } from './complaint.mjs';

const OLDEST_SYSTEM_NODE = 20;
const RUNTIME_MAJOR = 24;

function major() {
  return Number(process.version.replace(/^v/, '').split('.')[0]);
}

export function refuseOldNode() {
  if (major() >= OLDEST_SYSTEM_NODE) return;
  const remedy = 'install a newer one (from your system or with a version manager), then run the same command again';
  throw new Complaint(`Node ${OLDEST_SYSTEM_NODE} or newer is needed, this is Node ${process.version.slice(1)}: ${remedy}`);
}

/** Whether the Node that runs this is as new as the one of the lock. */
export function isNewEnough() {
  return major() >= RUNTIME_MAJOR && !process.versions.bun;
}

/** No package of the runtime exists for musl, macOS or Windows. */
export function hasLockedRuntime() {
  if (process.platform !== 'linux') return false;
  const loaders = { x64: '/lib64/ld-linux-x86-64.so.2', arm64: '/lib/ld-linux-aarch64.so.1' };
  return loaders[process.arch] !== undefined && fs.existsSync(loaders[process.arch]);
}

export function runtimeComplaint() {
  const found = process.versions.bun ? 'bun' : `Node ${process.version.slice(1)}`;
  return new Complaint(
    `on ${process.platform} ${process.arch} the system's own Node is used, and it must be ${RUNTIME_MAJOR} or newer; this is ${found}`,
    `install Node ${RUNTIME_MAJOR} LTS, then run the same command again`,
  );
}

/** @returns the file of the Node that the clone runs on. */
export function runtimeNode(root) {
  if (!hasLockedRuntime()) {
    if (isNewEnough()) return process.execPath;
    throw runtimeComplaint();
  }
  const name = `node-linux-${process.arch}`;
  for (const folder of ['node_modules', 'scripts/runtime/node_modules']) {
    const file = path.join(root, folder, name, 'bin', 'node');
    if (fs.existsSync(file)) return file;
  }
  throw new Complaint(
    `the Node of package-lock.json is not there: ${path.join('node_modules', name, 'bin', 'node')}`,
    'delete node_modules and run the same command again',
  );
}
