// A task set of additions for benchmarks: each one call of the calculator and an answer, the work that other harnesses were measured on.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from '../base/canonical-json.ts';
import type { SolutionPlan } from '../tasks/plan.ts';
import type { Target, Task, TaskSetFacts } from '../tasks/task.ts';
import { GENERATOR_VERSION } from '../tasks/task-set-files.ts';

interface Addition {
  readonly task: Task;
  readonly target: Target;
  readonly plan: SolutionPlan;
}

/** Writes a built set of so many additions into an existing directory. */
export function writeAdditions(directory: string, size: number): void {
  const additions = Array.from({ length: size }, (_, at) => addition(at));
  const tasks = additions.map(({ task }) => task);
  const plans = additions.map(({ plan }) => plan);
  const facts: TaskSetFacts = { name: 'additions', seed: 1, hash: hashOf({ tasks, plans }), tasks: size, pages: 0, generator: GENERATOR_VERSION };
  const write = (file: string, value: unknown) => writeFileSync(join(directory, file), JSON.stringify(value));
  write('tasks.json', tasks);
  write(
    'targets.json',
    additions.map(({ target }) => target),
  );
  write('plans.json', plans);
  write('warm-ups.json', []);
  write('set.json', facts);
  mkdirSync(join(directory, 'web'));
  writeFileSync(join(directory, 'web', 'pages.jsonl'), '');
}

function addition(at: number): Addition {
  const id = `addition-${String(at).padStart(4, '0')}`;
  const [a, b] = [1_000 + 7 * at, 300 + 3 * at];
  const expression = `${a} + ${b}`;
  const question = `Crate ${at} holds ${a} nails and box ${at} holds ${b} nails. How many nails are that together?`;
  return {
    task: { id, type: 'document', level: 1, question, attachments: [], template: 'addition', width: 1, steps: 1 },
    target: { taskId: id, truth: String(a + b) },
    plan: {
      question,
      steps: [
        {
          id: 's1',
          needs: [],
          call: { tool: 'calculator', arguments: { expression } },
          reads: [{ name: 'value', label: `nails of crate and box ${at}`, after: [`${expression} =`], kind: 'number' }],
        },
      ],
      chains: [{ sentence: `Add the nails of crate ${at} and box ${at}.`, steps: ['s1'] }],
      answer: { value: 's1.value' },
      nearMisses: [String(a)],
    },
  };
}
