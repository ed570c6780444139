import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SolutionPlan } from '../tasks/plan.ts';
import { buildTaskSet, loadPlans, loadTargets, loadTasks } from '../tasks/task-set.ts';
import { createToolbox, type Toolbox } from '../tools/toolbox.ts';
import { checkTaskSet } from './check-task-set.ts';
import { type WalkTools, walkPlan } from './walk-plan.ts';

const scratch = mkdtempSync(join(tmpdir(), 'agentgauge-check-'));
const directory = join(scratch, 'set');
let toolbox: Toolbox;
beforeAll(async () => {
  await buildTaskSet({ name: 'open68', seed: 1, directory });
  toolbox = await createToolbox({ taskSetDirectory: directory, cacheDirectory: join(scratch, 'cache') });
}, 300_000);
afterAll(async () => {
  await toolbox?.close();
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
});

/** The tools, with a change to what they answer. */
function changed(change: (text: string, name: string, given: unknown) => string): WalkTools {
  return {
    run: async (name, given, trial) => {
      const result = await toolbox.run(name, given, trial);
      return { ...result, text: change(result.text, name, given) };
    },
  };
}

describe('checking open68', () => {
  it('reaches every truth with the real tools and finds nothing wrong', async () => {
    const check = await checkTaskSet(directory, toolbox);
    expect(check.problems).toEqual([]);
    expect(check.tasks.filter(({ correct }) => correct)).toHaveLength(71);
    expect(check.solvedTwice).toEqual({ tasks: 71, kindsNot: [] });
  });

  it('leaves a careless reader wrong in most web tasks, and right in some', async () => {
    const { carelessWebPercent } = await checkTaskSet(directory, toolbox);
    expect(carelessWebPercent).toBeGreaterThan(5);
    expect(carelessWebPercent).toBeLessThan(60);
  });

  it('finds a truth that can no longer be reached, and says where the walk ended', async () => {
    const mute = changed((text, name) => (name === 'read_pdf' ? 'Page 1 of 1' : text));
    const { problems } = await checkTaskSet(directory, mute);
    const lost = loadTasks(directory).filter(({ attachments }) => attachments.some(({ name }) => name.endsWith('.pdf')));
    // Neither the plan nor the second solver gets anywhere.
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['unreachable', 'solver-stuck']));
    for (const found of ['unreachable', 'solver-stuck'])
      expect(problems.filter(({ code }) => code === found).map(({ taskId }) => taskId)).toEqual([...lost.map(({ id }) => id), 'open68-warm-up-document']);
    expect(problems.find(({ code }) => code === 'unreachable')?.message).toContain('read_pdf');
  });

  it('finds a truth that a search shows at once', async () => {
    const targets = [...loadTargets(directory).values()].filter((truth) => !truth.includes(','));
    const talkative = changed((text, name) => (name === 'web_search' ? `${text}\n9. Spoiler\n   https://x.example/\n   ${targets.join(' ; ')}` : text));
    const { problems } = await checkTaskSet(directory, talkative);
    expect(problems.filter(({ code }) => code === 'truth-given-away').length).toBeGreaterThan(30);
  });

  it('finds a set whose first hits are all right', async () => {
    const tasks = loadTasks(directory);
    const plans = new Map(loadPlans(directory).map((plan) => [plan.question, plan]));
    const right = new Set<string>();
    for (const task of tasks.filter(({ type }) => type === 'web')) {
      const { values } = await walkPlan(plans.get(task.question) as SolutionPlan, toolbox, []);
      for (const value of Object.values(values)) if (String(value).startsWith('https://')) right.add(String(value));
    }
    const honest = changed((text, name) => {
      if (name !== 'web_search') return text;
      const hits = text.split(/\n(?=\d+\. )/);
      return hits.filter((hit) => [...right].some((url) => hit.includes(`${url}\n`))).join('\n') || text;
    });
    const { problems } = await checkTaskSet(directory, honest);
    expect(problems.map(({ code }) => code)).toContain('no-pitfalls');
  });

  it('finds a truth that another solver does not reach from the question and the world alone', async () => {
    const targets = join(directory, 'targets.json');
    const before = readFileSync(targets, 'utf8');
    const [first] = loadTasks(directory);
    const wrong = (JSON.parse(before) as { taskId: string; truth: string }[]).map((target) =>
      target.taskId === first?.id ? { ...target, truth: 'ZZZZZZ' } : target,
    );
    writeFileSync(targets, JSON.stringify(wrong));
    try {
      const { problems } = await checkTaskSet(directory, toolbox);
      expect(problems.map(({ code, taskId }) => `${code} ${taskId}`)).toEqual([`solver-disagrees ${first?.id}`, `unreachable ${first?.id}`]);
    } finally {
      writeFileSync(targets, before);
    }
  });

  it('names task and both answers for a wrong truth of a document task', async () => {
    const targets = join(directory, 'targets.json');
    const before = readFileSync(targets, 'utf8');
    const asked = loadTasks(directory).filter(({ type }) => type === 'document');
    const right = loadTargets(directory);
    const wrong = (JSON.parse(before) as { taskId: string; truth: string }[]).map((target) =>
      asked.some(({ id }) => id === target.taskId) ? { ...target, truth: '-5' } : target,
    );
    writeFileSync(targets, JSON.stringify(wrong));
    try {
      const { problems, solvedTwice } = await checkTaskSet(directory, toolbox);
      expect(problems.filter(({ code }) => code === 'solver-disagrees')).toEqual(
        asked.map(({ id }) => ({
          code: 'solver-disagrees',
          taskId: id,
          message: `the second solver finds ${JSON.stringify(right.get(id))}, and the truth is "-5"`,
        })),
      );
      expect(solvedTwice).toEqual({ tasks: 71 - asked.length, kindsNot: asked.map(({ template }) => template).sort() });
    } finally {
      writeFileSync(targets, before);
    }
  });

  it('finds bytes that are not those that are listed', async () => {
    const file = join(directory, 'set.json');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.replace(/"hash": "[0-9a-f]+"/, '"hash": "0123456789abcdef"'));
    try {
      expect((await checkTaskSet(directory, toolbox)).problems.map(({ code }) => code)).toEqual(['checksum']);
    } finally {
      writeFileSync(file, before);
    }
  });

  it('finds a link to a page that is not there', async () => {
    appendFileSync(
      join(directory, 'web', 'pages.jsonl'),
      `${JSON.stringify({ url: 'https://x.example/', status: 200, contentType: 'text/html', title: 'x', body: '<a href="/gone">x</a>' })}\n`,
    );
    const { problems } = await checkTaskSet(directory, toolbox);
    expect(problems).toEqual([{ code: 'broken-link', message: 'https://x.example/ links to https://x.example/gone, which is no page of the set' }]);
  });
});

describe('a walk', () => {
  it('takes the second try when the first call shows nothing', async () => {
    const task = loadTasks(directory).find(({ template }) => template === 'web-makers-town');
    const plan = loadPlans(directory).find(({ question }) => question === task?.question) as SolutionPlan;
    const queries: string[] = [];
    const shy = changed((text, name, given) => {
      if (name !== 'web_search') return text;
      const { query } = given as { query: string };
      queries.push(query);
      return query.startsWith('"') ? text : 'No results.';
    });
    expect((await walkPlan(plan, shy, [])).answer).toBe(loadTargets(directory).get(task?.id as string));
    expect(queries.filter((query) => query.startsWith('"'))).toHaveLength(3);
  });

  it('ends in a changed answer when a number in a document or page is changed', async () => {
    const plans = new Map(loadPlans(directory).map((plan) => [plan.question, plan]));
    let moved = 0;
    let still = 0;
    const frozen: string[] = [];
    for (const task of loadTasks(directory)) {
      const plan = plans.get(task.question) as SolutionPlan;
      const { values, answer } = await walkPlan(plan, toolbox, task.attachments);
      const before = moved;
      let tried = 0;
      for (const step of plan.steps) {
        if (!step.call || step.call.tool === 'calculator') continue;
        for (const read of step.reads) {
          const value = values[`${step.id}.${read.name}`];
          if (typeof value !== 'number' || value < 100) continue;
          const told = new RegExp(`(?<!\\d,|[\\d.-])(${value}|${String(value).replace(/\B(?=(\d{3})+$)/g, ',')})(?![\\d.-]|,\\d)`, 'g');
          tried += 1;
          // Larger, and for comparisons that this cannot tip, smaller.
          const answers = [];
          for (const other of [value + 3_000, 1]) {
            const replaced = changed((text, name) => (name === step.call?.tool ? text.replace(told, String(other)) : text));
            answers.push((await walkPlan(plan, replaced, task.attachments)).answer);
          }
          if (answers.some((found) => found !== answer)) moved += 1;
          else still += 1;
        }
      }
      if (tried > 0 && moved === before) frozen.push(task.id);
    }
    expect(frozen).toEqual([]);
    expect(moved).toBeGreaterThan(100);
    expect(moved / (moved + still)).toBeGreaterThan(0.7);
  });
});
