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
  expect(out).toContain('30 of 30 trials');
  const [run = ''] = readdirSync(scratch);
  const { plan } = JSON.parse(readFileSync(join(scratch, run, 'manifest.json'), 'utf8')) as { plan: object };
  expect(plan).toMatchObject({ modelKind: 'local', localModel: { quantisation: 'Q4_K_M', threads: 1 } });
  const trials = readFileSync(join(scratch, run, 'trials.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const answers = trials.map((line) => JSON.parse(line) as { framework: string; taskId: string; answer?: string });
  const said = (task: string) => Object.fromEntries(answers.filter(({ taskId }) => taskId === task).map(({ framework, answer }) => [framework, answer]));
  expect(said('ferry')).toEqual({ fetch: '11:00', langgraph: '11:00', 'openai-agents': '11:00' });
  // As it was recorded: the schema of a tool that one row spells otherwise, and the model asks for another sheet.
  expect(said('catch')['fetch']).toContain("no sheet 'Port Senna'");
  expect(said('catch')['langgraph']).toContain("no sheet '1'");
}, 60_000);
