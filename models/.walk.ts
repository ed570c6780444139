import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadTokenCounter } from '/work/main/models/count-tokens.ts';
import { chatBody } from '/work/main/models/encode-chat.ts';
import { readRequest } from '/work/main/models/read-request.ts';
import { createSimulatedModel } from '/work/main/models/simulated.ts';
import { extractAnswer } from '/work/main/tasks/gaia/extract-answer.ts';
import { gaiaPrompt } from '/work/main/tasks/gaia/prompt.ts';
import { scoreAnswer } from '/work/main/tasks/gaia/score.ts';
import { ensureTaskSet } from '/work/main/tasks/task-set.ts';
import { loadPlans, loadTargets, loadTasks } from '/work/main/tasks/task-set-files.ts';
import { createToolbox } from '/work/main/tools/toolbox.ts';

const dir = process.env.CACHE ?? mkdtempSync(join(tmpdir(), 'walk-'));
console.log(dir);
const profile = (process.argv[2] ?? 'clean') as 'clean';
const set = await ensureTaskSet({ name: 'open68', seed: 1, cacheDirectory: dir });
const plans = loadPlans(set);
const tasks = loadTasks(set);
const targets = loadTargets(set);
const toolbox = await createToolbox({ taskSetDirectory: set, cacheDirectory: join(dir, 'text') });
const tokens = await loadTokenCounter();
const model = createSimulatedModel({ plans, profile, enforce: 'honoured', tokens });
let right = 0,
  undist = 0;
for (const task of tasks) {
  const prompt = gaiaPrompt({ question: task.question, attachments: task.attachments, instruction: 'both' });
  const trial = model.open({ trialId: 1, seed: 1, trialIndex: 0, instruction: prompt.instruction });
  const messages: any[] = [
    { role: 'system', content: prompt.systemText },
    { role: 'user', content: prompt.userText },
  ];
  const plan = plans.find((p) => p.question === task.question)!;
  const tools = task.type === 'zero-tool' ? undefined : toolbox.schemas.map((s) => ({ type: 'function', function: s }));
  let out = '';
  let calls = 0;
  const log: string[] = [];
  for (; calls < 30; ) {
    calls++;
    const answer = trial.reply(
      readRequest('chat.completions', JSON.parse(JSON.stringify({ model: 'm', messages, tools })), (t) => t),
      AbortSignal.timeout(1e6),
    ) as any;
    answer.settled?.(true);
    const m = (chatBody(answer.message, { id: 'x', model: 'm', inputTokens: 0, outputTokens: 0, includeUsage: false }) as any).choices[0].message;
    log.push(
      `${answer.facts?.step}/${answer.facts?.ask} ${answer.facts?.slip ?? ''} ${m.tool_calls ? m.tool_calls[0].function.name + m.tool_calls[0].function.arguments : JSON.stringify(m.content)} done=${answer.facts?.stepsDone}`,
    );
    messages.push(m);
    if (!m.tool_calls) {
      out = m.content;
      break;
    }
    for (const c of m.tool_calls) {
      let args: unknown;
      try {
        args = JSON.parse(c.function.arguments);
      } catch {
        args = undefined;
      }
      const r =
        args === undefined ? { status: 422, text: 'arguments are no JSON' } : await toolbox.run(c.function.name, args, { attachments: task.attachments });
      messages.push({ role: 'tool', tool_call_id: c.id, content: r.status === 200 ? r.text : `Error: ${r.text}` });
    }
  }
  const truth = targets.get(task.id)!;
  const answer = extractAnswer(out).answer ?? '';
  const ok = scoreAnswer(answer, truth).correct;
  const f = trial.facts();
  if (ok) right++;
  if (f.undisturbed) undist++;
  const stepsWithCall = plan.steps.filter((s) => s.call).length;
  if (profile === 'clean' && (!ok || calls !== stepsWithCall + 1 || f.harnessErrors.length)) {
    console.log(task.id, ok, 'calls', calls, 'steps', stepsWithCall, 'truth', truth, 'got', answer, f.harnessErrors, f.misses);
    if (!ok) console.log(log.join('\n'));
  } else if (profile !== 'clean')
    console.log(
      task.id,
      ok,
      calls,
      stepsWithCall,
      'truth',
      truth,
      'got',
      answer,
      JSON.stringify(f.misses),
      f.undisturbed,
      log
        .filter((l) => !/\/\d+ {2}/.test(l))
        .map((l) => l.slice(0, 60))
        .join(' | '),
    );
}
console.log('right', right, 'of', tasks.length, 'undisturbed', undist, 'plans', plans.length);
await toolbox.close();
