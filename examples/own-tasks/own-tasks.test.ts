// The example as its reader calls it, without npm around it, on the cassette that lies beside it.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runChild } from '../../scripts/run-child.ts';

const scratch = mkdtempSync(join(tmpdir(), 'own-tasks-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('questions of one’s own compare three frameworks without key, weights or network', async () => {
  const { code, out, err } = await runChild(process.execPath, ['scripts/cli.ts', 'run', 'examples/own-tasks/plan.json', '--out', scratch]);
  expect(code, err).toBe(0);
  expect(out).toContain('21 of 21 trials');
  const [run = ''] = readdirSync(scratch);
  const { plan } = JSON.parse(readFileSync(join(scratch, run, 'manifest.json'), 'utf8')) as { plan: object };
  expect(plan).toMatchObject({ modelKind: 'local', localModel: { quantisation: 'Q4_K_M', threads: 1 } });
  const trials = readFileSync(join(scratch, run, 'trials.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const answers = trials.map((line) => JSON.parse(line) as { framework: string; taskId: string; answer?: string });
  // As it was recorded: one row of three was told another time.
  const ferry = Object.fromEntries(answers.filter(({ taskId }) => taskId === 'ferry').map(({ framework, answer }) => [framework, answer]));
  expect(ferry).toEqual({ fetch: '10:00', langgraph: '11:00', 'openai-agents': '10:00' });
}, 60_000);
