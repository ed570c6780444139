// Programs that start others, where nothing forbids it: the filter that refuses a second process is left out here, as on a processor that it does not know.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openBubblewrap } from './bubblewrap-python.ts';
import type { PythonLimits } from './python-process.ts';

const filter = vi.hoisted(() => ({ isOn: false }));
vi.mock('./fork-filter.ts', async (load) => {
  const real = await load<typeof import('./fork-filter.ts')>();
  return { ...real, forkFilter: () => (filter.isOn ? real.forkFilter() : undefined) };
});

const LIMITS: PythonLimits = { timeMs: 2_000, memoryBytes: 400_000_000, outputBytes: 2_000 };
const directory = mkdtempSync(join(tmpdir(), 'python-processes-'));
afterAll(() => rmSync(directory, { recursive: true }));
const interpreter = join(directory, 'venv', 'bin', 'python');
const made = process.platform === 'linux' && spawnSync('python3', ['-m', 'venv', '--without-pip', join(directory, 'venv')]).status === 0;
const python = made ? await openBubblewrap(interpreter, LIMITS) : undefined;
if (!python) console.log('Programs that start others are not tested: bwrap or a Python of 3.11 or newer is missing, or namespaces are forbidden here');

/** Living processes that say this word in their command line. */
function living(word: string): string[] {
  return readdirSync('/proc').filter((entry) => {
    try {
      return /^\d+$/.test(entry) && readFileSync(`/proc/${entry}/cmdline`, 'latin1').includes(word);
    } catch {
      // Gone while we looked.
      return false;
    }
  });
}

describe.runIf(python)('a program that starts others', () => {
  const start = (seconds: string) => `import subprocess
try:
    subprocess.Popen(['/usr/bin/env', 'sleep', '${seconds}'])
    print('started', flush=True)
except BaseException as error:
    print('refused', flush=True)
while True: pass`;

  it('is stopped at its time together with a sleeper in the background that holds its output open', async () => {
    filter.isOn = false;
    const seconds = `300.0${process.pid}`;
    const outcome = await python?.run({ code: start(seconds), files: [] });
    expect(outcome).toMatchObject({ stopped: 'time', output: expect.stringMatching(/^(?:started|refused)\n$/) });
    expect(living(seconds)).toEqual([]);
  });

  it('starts none where the filter is known, and is stopped all the same', async () => {
    filter.isOn = true;
    const seconds = `300.1${process.pid}`;
    expect(await python?.run({ code: start(seconds), files: [] })).toMatchObject({ stopped: 'time', output: 'refused\n' });
    expect(living(seconds)).toEqual([]);
  });

  it('that doubles itself gets no second process', async () => {
    filter.isOn = true;
    const code = `import os
made = 0
for _ in range(2000):
    try:
        if os.fork() == 0: os._exit(0)
        made += 1
    except OSError:
        pass
made`;
    expect(await python?.run({ code, files: [] })).toMatchObject({ value: '0' });
  });
});
