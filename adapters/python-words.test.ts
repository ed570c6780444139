// Python rows say the same words as Node rows: `python/agentgauge/words.json` is written from prompts.ts and specialists.ts, by `vitest -u` when those change.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PLAN_SCHEMA, PLANNER, RECOVERY, synthesisSystem, synthesisText, WORKER } from './prompts.ts';
import { KINDS } from './specialists.ts';

test('Python reads the words that stand in prompts.ts and specialists.ts', async () => {
  const words = {
    planner: PLANNER,
    worker: WORKER,
    planSchema: PLAN_SCHEMA,
    synthesis: synthesisSystem({ systemText: '' }),
    recovery: RECOVERY,
    findings: synthesisText({ userText: '' }, []).replace(/\[\]$/, ''),
    specialists: KINDS.map(({ name, about, has }) => ({ name, about, has: has.source })),
  };
  await expect(`${JSON.stringify(words, undefined, 2)}\n`).toMatchFileSnapshot('python/agentgauge/words.json');
});

test.each([
  ['TRIAGE', 'openai-agents.ts', 'openai_agents.py'],
  ['EVALUATOR', 'langgraph-idiomatic.ts', 'langgraph_idiomatic.py'],
  ['GO_ON', 'langchain.ts', 'langchain.py'],
])('a row in Python says %s as its namesake in Node does', (name, node, python) => {
  const said = (file: string) => new RegExp(`^(?:const )?${name} = ['"](.+)['"];?$`, 'm').exec(readFileSync(new URL(file, import.meta.url), 'utf8'))?.[1];
  expect(said(node)).toBeTruthy();
  expect(said(`python/rows/${python}`)).toBe(said(node));
});
