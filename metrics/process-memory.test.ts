import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { descendantsOf, type MemoryReading, readPeakMemory, resetPeakMemory, sampleTreeMemory } from './process-memory.ts';

const onLinux = it.skipIf(process.platform !== 'linux');
const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}.ts`, import.meta.url));

/** A child that says a word when its script has run, and stays. */
async function start(script: string) {
  const child = spawn(process.execPath, ['-e', `${script}; process.send("ready"); process.on("message", () => process.exit())`], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  const stop = async () => {
    child.send('end');
    await once(child, 'exit');
  };
  return { pid: child.pid ?? 0, stop };
}

describe('readPeakMemory', () => {
  onLinux('reports an idle child under a parent of 600 MB as what it is', () => {
    const { held, rusageBytes, peak } = JSON.parse(execFileSync(process.execPath, [fixture('heavy-parent')], { encoding: 'utf8' })) as {
      held: number;
      rusageBytes: number;
      peak: MemoryReading;
    };
    expect(held).toBe(600e6);
    expect(peak).toMatchObject({ method: 'vm-hwm', processes: 1 });
    expect(peak.bytes).toBeGreaterThan(20e6);
    expect(peak.bytes).toBeLessThan(120e6);
    // Where the kernel hands the parent's peak on, ours must not follow it.
    expect(peak.bytes).toBeLessThanOrEqual(rusageBytes);
  });

  onLinux('keeps what was freed until it is reset', async () => {
    const child = await start(`Buffer.alloc(200e6, 1); require("node:v8").setFlagsFromString("--expose-gc"); require("node:vm").runInNewContext("gc")()`);
    expect(readPeakMemory(child.pid)?.bytes).toBeGreaterThan(200e6);
    // Some sandboxes forbid it: then the mark must stand.
    if (resetPeakMemory(child.pid)) expect(readPeakMemory(child.pid)?.bytes).toBeLessThan(150e6);
    else expect(readPeakMemory(child.pid)?.bytes).toBeGreaterThan(200e6);
    await child.stop();
  });

  it('has no figure for a process that has ended', async () => {
    const child = await start('');
    await child.stop();
    expect(readPeakMemory(child.pid)).toBeUndefined();
    expect(resetPeakMemory(child.pid)).toBe(false);
    expect(await sampleTreeMemory(child.pid)).toBeUndefined();
  });
});

describe('sampleTreeMemory', () => {
  it('counts a process with its descendants, and says how it read', async () => {
    const family = await start('require("node:child_process").spawn(process.execPath, ["-e", "process.stdin.resume()"])');
    const reading = await sampleTreeMemory(family.pid);
    expect(reading).toMatchObject({ method: 'pidusage', processes: 2 });
    await family.stop();
  });

  it('finds descendants at any depth, once each', () => {
    const pairs: [number, number][] = [
      [5, 4],
      [4, 1],
      [3, 1],
      [1, 0],
      [9, 8],
      [1, 5],
    ];
    expect(descendantsOf(1, pairs)).toEqual([1, 4, 3, 5]);
  });
});
