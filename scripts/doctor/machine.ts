// What the machine gives a study: Node, processors, memory, disk, places to write, loopback. Looks and writes one empty file; changes nothing.
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, networkInterfaces, tmpdir, totalmem } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { messageOf } from '../../base/error.ts';
import { machineFacts } from '../../metrics/machine.ts';
import { readMemoryLimit } from '../../metrics/memory-limit.ts';
import { cacheDirectory } from '../../runners/cache-directory.ts';
import { packageRoot } from '../../runners/manifest.ts';
import { type Check, gigabytes, type Look } from './check.ts';

const OLDEST_NODE = 24;
/** A study with its workers side by side was seen to take 1.2 GB. */
const LEAST_MEMORY_BYTES = 2e9;
const LEAST_DISK_BYTES = 500e6;

export const MACHINE: readonly Look[] = [node, platform, processors, memory, disk, cache, temporary, loopback, network];

function node(): Check {
  const within = relative(packageRoot(), process.execPath);
  const locked = /node-linux-(x64|arm64)/.test(process.execPath);
  const found = `${process.versions.node}, ${locked ? `the locked one (${within.startsWith('..') ? 'from the cache' : within})` : "the system's"}`;
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return { name: 'Node', status: 'ok', found };
  return { name: 'Node', status: 'broken', found, neededFor: 'everything', remedy: `start with npm run, or install Node ${OLDEST_NODE} or newer` };
}

function platform(): Check {
  const { os, arch, container, cpu } = machineFacts();
  return { name: 'platform', status: 'ok', found: `${os} ${arch}${container ? ', in a container' : ''}, ${cpu}` };
}

function processors(): Check {
  const cores = availableParallelism();
  if (cores >= 2) return { name: 'processors', status: 'ok', found: `${cores} for this process` };
  return { name: 'processors', status: 'absent', found: 'one', neededFor: 'times that host and worker do not share a core for', remedy: 'give it two' };
}

function memory(): Check {
  const { limitBytes, source } = readMemoryLimit();
  const found = source === 'host' ? `${gigabytes(totalmem())}, no limit below` : `${gigabytes(limitBytes)} of ${gigabytes(totalmem())} (${source})`;
  if (limitBytes >= LEAST_MEMORY_BYTES) return { name: 'memory', status: 'ok', found };
  return {
    name: 'memory',
    status: 'absent',
    found,
    neededFor: 'several workers at once',
    remedy: `allow ${gigabytes(LEAST_MEMORY_BYTES)}, or take fewer --frameworks`,
  };
}

/** The folder may not be there yet: the nearest one above it lies on the same disk. */
function disk(): Check {
  let folder = cacheDirectory();
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  const found = `${gigabytes(bavail * bsize)} free`;
  if (bavail * bsize >= LEAST_DISK_BYTES) return { name: 'disk', status: 'ok', found };
  return { name: 'disk', status: 'broken', found, neededFor: 'task sets, runs', remedy: 'free some, or name another place in AGENTGAUGE_CACHE' };
}

function cache(): Check {
  const folder = cacheDirectory();
  const problem = problemOfWriting(folder);
  if (problem === undefined) return { name: 'cache', status: 'ok', found: `${folder}, ${gigabytes(bytesBelow(folder))}` };
  return { name: 'cache', status: 'broken', found: problem, neededFor: 'task sets', remedy: 'name a folder that may be written in AGENTGAUGE_CACHE' };
}

function temporary(): Check {
  const problem = problemOfWriting(tmpdir());
  if (problem === undefined) return { name: 'temporary files', status: 'ok', found: tmpdir() };
  return {
    name: 'temporary files',
    status: 'broken',
    found: problem,
    neededFor: 'the folder of each worker',
    remedy: 'name a folder that may be written in TMPDIR',
  };
}

function problemOfWriting(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true });
    rmSync(mkdtempSync(join(folder, 'doctor-')), { recursive: true });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** A file of several names is counted once. */
function bytesBelow(folder: string): number {
  const seen = new Set<number>();
  let bytes = 0;
  for (const { parentPath, name } of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    // Another command may remove what was just listed.
    const facts = lstatSync(join(parentPath, name), { throwIfNoEntry: false });
    if (facts === undefined || (facts.nlink > 1 && facts.isFile() && seen.has(facts.ino))) continue;
    seen.add(facts.ino);
    bytes += facts.size;
  }
  return bytes;
}

/** Gateway and broker are servers on loopback: one answers a request here. */
async function loopback(): Promise<Check> {
  const server = createServer((_request, response) => response.end('here'));
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/`);
    if ((await response.text()) !== 'here') throw new Error(`something else answers on 127.0.0.1:${port} (status ${response.status})`);
    return { name: 'loopback', status: 'ok', found: 'a server on 127.0.0.1 answers' };
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? `: ${messageOf(error.cause)}` : '';
    return {
      name: 'loopback',
      status: 'broken',
      found: `${messageOf(error)}${cause}`,
      neededFor: 'gateway and broker',
      remedy: 'bring lo up (ip link set lo up); let no proxy take 127.0.0.1',
    };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function network(): Check {
  const outward = Object.entries(networkInterfaces()).flatMap(([name, addresses]) => (addresses?.some(({ internal }) => !internal) ? [name] : []));
  if (outward.length > 0)
    return { name: 'network', status: 'ok', found: `${outward.join(', ')}; a study with the simulated model leaves loopback for nothing` };
  return {
    name: 'network',
    status: 'absent',
    found: 'loopback alone, as in a network namespace of its own',
    neededFor: 'set-ups, live models and the live web; nothing else',
  };
}
