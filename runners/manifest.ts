// What stands in every run's manifest beside its plan: versions, machine, git state, start. Nothing that names its owner but the host.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../base/clock.ts';
import { machineFacts } from '../metrics/machine.ts';
import { isRealModel } from '../metrics/model-kind.ts';
import { type Manifest, RECORD_VERSION } from '../metrics/record.ts';

export function stampManifest(planned: Pick<Manifest, 'planHash' | 'plan' | 'taskSet' | 'latencyTable'>): Manifest {
  const { planHash, plan, taskSet, latencyTable } = planned;
  return {
    recordVersion: RECORD_VERSION,
    agentgauge: packageVersion(),
    planHash,
    plan,
    taskSet,
    versions: { agentgauge: packageVersion(), node: process.version, ...visionVersion(plan.modelKind) },
    machine: machineFacts(),
    ...(latencyTable === undefined ? {} : { latencyTable }),
    ...gitFacts(),
    startedAt: systemClock.nowIso(),
    host: hostname(),
  };
}

export function packageRoot(): string {
  const here = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
  return here.endsWith('/dist') ? here.slice(0, -'/dist'.length) : here;
}

export function packageVersion(): string {
  return (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version;
}

/** What describes pictures to a real model; its server and its key are nobody's business. */
function visionVersion(modelKind: string): { readonly 'vision model'?: string } {
  const name = process.env['AGENTGAUGE_VISION_MODEL'];
  return name && isRealModel(modelKind) ? { 'vision model': name } : {};
}

function gitFacts(): { git?: { commit: string; dirty: boolean } } {
  if (!existsSync(join(packageRoot(), '.git'))) return {};
  const git = (...args: string[]) =>
    execFileSync('git', ['--no-optional-locks', '-C', packageRoot(), ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return { git: { commit: git('rev-parse', 'HEAD'), dirty: git('status', '--porcelain') !== '' } };
  } catch {
    // No git program, or a repository that is not ours to read: unknown, so absent.
    return {};
  }
}
