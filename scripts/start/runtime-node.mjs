// Which Node runs the program: on Linux with glibc the one from package-lock.json, so that every host measures the same V8; elsewhere the system's own.
// Must parse on Node 12.
import fs from 'fs';
import path from 'path';
import { Complaint } from './complaint.mjs';

const OLDEST_SYSTEM_NODE = 20;
const RUNTIME_MAJOR = 24;

function major(version) {
  return Number(version.replace(/^v/, '').split('.')[0]);
}

export function refuseOldNode() {
  if (major(process.version) >= OLDEST_SYSTEM_NODE) return;
  throw new Complaint(
    `Node ${OLDEST_SYSTEM_NODE} or newer is needed, this is Node ${process.version.slice(1)}: install a newer one (for example from your system's packages or a version manager), then run the same command again`,
  );
}

/** No package of the runtime exists for musl, macOS or Windows. */
export function hasLockedRuntime() {
  if (process.platform !== 'linux' || (process.arch !== 'x64' && process.arch !== 'arm64')) return false;
  return (
    !fs.existsSync(`/lib/ld-musl-${process.arch === 'x64' ? 'x86_64' : 'aarch64'}.so.1`) ||
    fs.existsSync('/lib64/ld-linux-x86-64.so.2') ||
    fs.existsSync('/lib/ld-linux-aarch64.so.1')
  );
}

export function runtimeNode(root) {
  if (hasLockedRuntime()) {
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
  if (major(process.version) >= RUNTIME_MAJOR && !process.versions.bun) return process.execPath;
  throw new Complaint(
    `on ${process.platform} ${process.arch} the system's own Node is used, and it must be ${RUNTIME_MAJOR} or newer; this is ${process.versions.bun ? 'bun' : `Node ${process.version.slice(1)}`}`,
    `install Node ${RUNTIME_MAJOR} LTS, then run the same command again`,
  );
}
