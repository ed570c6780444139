// The facts of a machine that stand in a manifest: what figures of two hosts may differ by. Nothing that names its owner.
import { existsSync, readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { readMemoryLimit } from './memory-limit.ts';
import type { Manifest } from './record.ts';

export function machineFacts(): Manifest['machine'] {
  const limit = readMemoryLimit();
  return {
    cpu: cpus()[0]?.model.trim() || 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    ...(limit.source === 'host' ? {} : { memoryLimitBytes: limit.limitBytes }),
    os: `${platform()} ${release()}`,
    arch: arch(),
    node: process.version,
    container: isContainer(),
  };
}

function isContainer(): boolean {
  if (existsSync('/.dockerenv') || existsSync('/run/.containerenv')) return true;
  try {
    return /docker|kubepods|containerd|libpod|lxc/.test(readFileSync('/proc/1/cgroup', 'utf8'));
  } catch {
    return false; // No procfs: no Linux container either.
  }
}
