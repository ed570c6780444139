// Who works in this clone: one process at a time may install or build (`start.lock`); every command that was started is written down (`running/`),
// so that nobody pulls the packages from under a study. All of it lives in .cache/, and whoever finds a dead process's file removes it. Must parse on Node 12.
import fs from 'fs';
import path from 'path';
import { folderComplaint, say } from './complaint.mjs';

const POLL_MS = 200;

export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Start time of a process in clock ticks, where the kernel tells it: a pid alone may have been given to somebody else. */
function startTicks(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined; // no procfs, or no such process
  }
}

function isAlive(entry) {
  try {
    process.kill(entry.pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false; // EPERM: it lives, and is somebody else's
  }
  const ticks = startTicks(entry.pid);
  return entry.ticks === undefined || ticks === undefined || ticks === entry.ticks;
}

function describe(pid, what) {
  return { pid, ticks: startTicks(pid), startedAt: new Date().toISOString(), what };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // its writer died half-way
  }
}

function read(file) {
  try {
    return parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined; // gone
  }
}

function removeIfThere(file) {
  try {
    fs.unlinkSync(file);
  } catch {
    // Gone already, or a folder that turned read-only: either way a reader sees that its process is dead.
  }
}

/** Removes a dead owner's lock; renames first, so that of two removers neither takes away a lock that was made in between. */
function removeStale(file, seen) {
  const aside = `${file}.${process.pid}`;
  try {
    fs.renameSync(file, aside);
    if (fs.readFileSync(aside, 'utf8') !== seen) fs.linkSync(aside, file);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error; // the other remover was faster
  }
  removeIfThere(aside);
}

/** Runs `work` while this process alone may change node_modules and dist. Waits for whoever does so now, and says for whom. */
export async function withFolderLock(root, what, work) {
  const folder = path.join(root, '.cache');
  const file = path.join(folder, 'start.lock');
  let told = false;
  for (;;) {
    try {
      fs.mkdirSync(folder, { recursive: true });
      const own = `${file}.${process.pid}.new`;
      fs.writeFileSync(own, JSON.stringify(describe(process.pid, what)));
      try {
        fs.linkSync(own, file); // fails when there is one; a reader never sees half a file
      } finally {
        fs.unlinkSync(own);
      }
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw folderComplaint(error, root);
    }
    let text;
    try {
      text = fs.readFileSync(file, 'utf8');
    } catch {
      continue; // released just now
    }
    const owner = parse(text);
    if (owner === undefined || !isAlive(owner)) {
      removeStale(file, text);
      continue;
    }
    if (!told) say(`process ${owner.pid} is ${owner.what} in this folder since ${owner.startedAt}; waiting for it`);
    told = true;
    await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    removeIfThere(file);
  }
}

/** Writes down that `pid` runs a command of this clone. @returns the function that takes it back. A read-only clone is no reason not to run. */
export function enterRunning(root, pid, what) {
  const file = path.join(root, '.cache', 'running', `${pid}.json`);
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify(describe(pid, what)));
  } catch {
    return () => {};
  }
  return () => removeIfThere(file);
}

/** Commands of this clone that are at work now. */
export function listRunning(root) {
  const folder = path.join(root, '.cache', 'running');
  const alive = [];
  let names = [];
  try {
    names = fs.readdirSync(folder);
  } catch {
    return alive; // nothing was ever started here
  }
  for (const name of names) {
    const entry = read(path.join(folder, name));
    if (entry !== undefined && isAlive(entry)) alive.push(entry);
    else removeIfThere(path.join(folder, name));
  }
  return alive;
}
