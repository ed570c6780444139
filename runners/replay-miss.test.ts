// A service that can serve no more ends the study at once, and leaves no process behind: a worker that waits for its reply would wait for its whole deadline.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cacheDirectory } from './cache-directory.ts';
import { type PlanSpecInput, parsePlanSpec } from './plan-spec.ts';
import type { Progress } from './progress.ts';
import { resolvePlan } from './resolved-plan.ts';
import { ServiceProcess } from './service-process.ts';
import { startStudy } from './start-study.ts';

const silent: Progress = { phase: () => {}, trial: () => {}, step: () => {}, note: () => {}, end: () => {} };
let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'replay-miss-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function study(input: Partial<PlanSpecInput>): Promise<void> {
  const spec = parsePlanSpec({ name: 'cassette', rows: [{ framework: 'fetch' }], sample: 1, coldStarts: 0, profile: 'clean', ...input }, 'test');
  const plan = await resolvePlan(spec, { baseDirectory: scratch, cacheDirectory: cacheDirectory() });
  await startStudy({ plan, baseDirectory: scratch, out: join(scratch, 'runs'), progress: silent, signal: new AbortController().signal });
}

it('a request that is on no cassette ends the study with what is missing, although a trial may take a minute', async () => {
  await study({ record: 'tape.jsonl', taskTypes: ['document'] });
  await expect(study({ replay: 'tape.jsonl', taskTypes: ['web'], timeoutMs: 60_000 })).rejects.toMatchObject({ code: 'REPLAY_MISS' });
});

it('a service that has said that it failed is ended all the same', async () => {
  const entry = join(scratch, 'fails.mjs');
  writeFileSync(entry, `process.send({ type: 'failed', code: 'TEST', message: 'no more' }); setInterval(() => {}, 1000);`);
  const reason = Promise.withResolvers<Error>();
  const service = new ServiceProcess({ name: 'test service', entry, env: {}, onEnd: reason.resolve });
  expect(await reason.promise).toMatchObject({ code: 'TEST' });
  await service.stop();
  expect(() => process.kill(service.pid as number, 0)).toThrow('ESRCH');
});
