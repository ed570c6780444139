// Gateway and broker that play scripts, for conformance: started once, shared by as many workers as one likes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from './manifest.ts';
import { type Services, startServices } from './services.ts';

export interface ScriptedServices extends Services {
  /** Unique among all trials of these services. */
  nextTrialId(): number;
  /** Resolves when the gateway refused a call of this trial beyond the cap. */
  capReached(trialId: number): Promise<void>;
}

/**
 * @param broker whether scripted tools check what they are called with
 * @throws GaugeError with the service's own code when one cannot start
 */
export async function startScriptedServices(broker: 'strict' | 'lenient' = 'strict'): Promise<ScriptedServices> {
  const cacheDirectory = mkdtempSync(join(tmpdir(), 'agentgauge-scripted-'));
  const removeCache = () => rmSync(cacheDirectory, { recursive: true, force: true });
  const waiting = new Map<number, () => void>();
  let trials = 0;
  const services = startServices({
    backEnd: { kind: 'scripted' },
    replacements: [
      { from: packageRoot(), to: '/agentgauge' },
      { from: tmpdir(), to: '/tmp' },
    ],
    cacheDirectory,
    broker,
    toolErrors: 'throw',
    onCapReached: (trialId) => waiting.get(trialId)?.(),
  });
  const stop = async () => {
    await services.stop();
    removeCache();
  };
  try {
    await services.configured;
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...services,
    nextTrialId: () => ++trials,
    capReached: (trialId) => new Promise((resolve) => waiting.set(trialId, resolve)),
    stop,
  };
}
