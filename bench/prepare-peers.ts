// Brings the packages under bench/peers, which have a lock of their own, so that no fresh clone pays for them. Asked for once, by the first bench that wants them.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { peersFolder } from './graph/contestants.ts';

const NPM_ARGS = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
}

/** @returns why they cannot be measured; undefined when they are there as the lock says. */
export async function preparePeers(say: (line: string) => void): Promise<string | undefined> {
  if (arePrepared()) return undefined;
  say('peers: npm ci in bench/peers brings 175 packages once (190 MB on disk, about 10 seconds); --no-peers does without');
  const { status, stderr, error } = spawnSync('npm', NPM_ARGS, { cwd: peersFolder, encoding: 'utf8', shell: process.platform === 'win32' });
  if (status === 0 && arePrepared()) return undefined;
  return `npm ci in bench/peers failed: ${error?.message ?? stderr.trim().split('\n')[0] ?? `exit code ${status}`}`;
}

function arePrepared(): boolean {
  const installed = join(peersFolder, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const { packages: wanted } = JSON.parse(readFileSync(join(peersFolder, 'package-lock.json'), 'utf8')) as Lock;
  const { packages: present } = JSON.parse(readFileSync(installed, 'utf8')) as Lock;
  const { dependencies } = JSON.parse(readFileSync(join(peersFolder, 'package.json'), 'utf8')) as { readonly dependencies: Readonly<Record<string, string>> };
  return Object.keys(dependencies).every((name) => present[`node_modules/${name}`]?.version === wanted[`node_modules/${name}`]?.version);
}
