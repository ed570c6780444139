// The path of a natural voice: set up from nothing by pip as a user would, a set whose recordings it speaks, read back by the recogniser to the last truth, and
// built a second time with the same bytes.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { cloneRoot, mustRun } from './run-child.ts';

const CLI = join(cloneRoot, 'dist', 'scripts', 'cli.js');
const SET = 'open68:seed=1,voice=joe';

/** @returns one line. @throws Error when it does not hold */
export async function checkSpeechVoice(say: (line: string) => void): Promise<string> {
  const cache = mkdtempSync(join(tmpdir(), 'speech-voice-'));
  const env = { ...process.env, AGENTGAUGE_CACHE: cache };
  try {
    await mustRun('setting the voice up', process.execPath, [CLI, 'setup', 'speech', '--voice', 'joe', '--yes'], { env });
    say('the voice is set up');
    const built: string[] = [];
    for (let time = 0; time < 2; time++) {
      for (const set of readdirSync(cache).filter((name) => name.startsWith('open68-'))) rmSync(join(cache, set), { recursive: true });
      const startMs = systemClock.nowMs();
      const { out } = await mustRun('tasks check', process.execPath, [CLI, 'tasks', 'check', SET, '--format', 'json'], { env });
      built.push((JSON.parse(out) as { facts: { hash: string } }).facts.hash);
      say(`built and checked in ${Math.round((systemClock.nowMs() - startMs) / 1_000)} s, hash ${built.at(-1)}`);
    }
    if (built[0] !== built[1]) throw new Error(`${SET} was built twice with other bytes: ${built.join(' and ')}`);
    return `${SET}: set up from nothing, every plan reaches its truth, and the same bytes twice`;
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}
