// `agentgauge tasks`: checks a task set with the real tools, or shows one task. Builds the set first when the cache lacks it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { UsageError } from '../../base/error.ts';
import { cacheDirectory } from '../../runners/cache-directory.ts';
import { checkTaskSet, type TaskSetCheck } from '../../runners/check-task-set.ts';
import { duration } from '../../runners/progress.ts';
import type { SearchDials } from '../../tasks/search-index.ts';
import { ensureTaskSet, loadFacts, loadPlans, loadTargets, loadTasks, loadWarmUps, taskSetName } from '../../tasks/task-set.ts';
import { createToolbox } from '../../tools/toolbox.ts';
import type { Command, CommandCall, CommandIo } from '../command.ts';
import { previewPage } from '../preview-page.ts';
import { progressOn } from '../progress-on.ts';
import { taskText } from '../task-text.ts';
import { writeOut } from '../write-out.ts';

export const tasks: Command = {
  name: 'tasks',
  summary: 'check a task set, or show its tasks',
  usage: 'check SET | show TASK | preview SET',
  options: {
    seed: { type: 'string', value: 'N', help: 'the world that the set is generated from', fallback: '1' },
    recall: { type: 'string', value: 'SHARE', help: 'for check: share of the pages that search knows, 0 to 1', fallback: '1' },
    noise: { type: 'string', value: 'SHARE', help: 'for check: share of the results that are beside the point, 0 to 1', fallback: '0' },
    tasks: { type: 'string', value: 'SET', help: 'for show: the set of the task', fallback: 'the one that its id names' },
    out: { type: 'string', value: 'FILE', help: 'for preview: where the page goes', fallback: 'SET-SEED.html' },
    format: { type: 'string', value: 'text|json', help: 'how to print', fallback: 'text' },
  },
  help: `
check walks the solution plan of every task through the real tools and holds what it reaches against the truth by the official scorer. It also checks
composition, levels, uniqueness, links and pitfalls, and answers each question a second time, by code that shares nothing with what wrote it: from the world
alone, or from what the reading tools say of its attachments. Two answers that fit are an error. The last line says how many tasks were solved twice, and which
kinds were not. Exit code 1 when it finds anything.

  agentgauge tasks check open68
  agentgauge tasks check open68 --seed 7 --format json
  agentgauge tasks check generated:seed=7,n=500
  agentgauge tasks check open68:seed=7,voice=joe

With voice=joe, after agentgauge setup speech --voice joe, a natural voice speaks the recordings in place of a synthetic one; questions and truths stay, but for
sentences that the recogniser misreads in that voice. Such a set needs the recogniser, and its bytes are not promised on another processor.

With --recall below 1 or --noise above 0 it shows which tasks a poorer search would put out of reach.

show prints one task with its attachments, its solution plan and its truth.

  agentgauge tasks show open68-web-017
  agentgauge tasks show generated-web-200 --tasks generated:seed=7,n=500

preview writes one HTML page with all of them, truths included.

  agentgauge tasks preview open68 --out open68.html
`,
  run: async (call, io) => {
    const [verb, name, ...more] = call.positionals;
    if ((verb !== 'check' && verb !== 'show' && verb !== 'preview') || name === undefined || more.length > 0) {
      throw new UsageError('BAD_ARGUMENTS', `tasks wants "check SET", "show TASK" or "preview SET", found ${JSON.stringify(call.positionals.join(' '))}`, {
        remedy: 'For example: agentgauge tasks check open68',
      });
    }
    return await { check, show, preview }[verb](name, call, io);
  },
};

async function check(name: string, call: CommandCall, io: CommandIo): Promise<number> {
  const asJson = isJson(call);
  const startMs = systemClock.nowMs();
  const directory = await builtSet(name, call);
  // Texts are read anew, so that a check never rests on what an earlier version of a reader left behind.
  const scratch = mkdtempSync(join(tmpdir(), 'agentgauge-check-'));
  const { name: set, seed, tasks: planned } = loadFacts(directory);
  const progress = progressOn(io, planned + loadWarmUps(directory).length);
  progress.note(`Reading all pages and files of ${set}, seed ${seed}, then walking ${planned} plans.`);
  try {
    const toolbox = await createToolbox({
      taskSetDirectory: directory,
      cacheDirectory: scratch,
      speechFolder: join(cacheDirectory(), 'speech'),
      search: searchDials(call),
    });
    try {
      progress.phase('tasks', planned + loadWarmUps(directory).length);
      const found = await checkTaskSet(directory, toolbox, progress.step);
      progress.end();
      io.out(asJson ? `${JSON.stringify(found, null, 1)}\n` : checkText(found, systemClock.nowMs() - startMs));
      return found.problems.length === 0 ? 0 : 1;
    } finally {
      await toolbox.close();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

function checkText({ facts, tasks: checked, problems, carelessWebPercent, solvedTwice }: TaskSetCheck, tookMs: number): string {
  const reached = checked.filter(({ correct }) => correct).length;
  const lines = [
    `${facts.name}, seed ${facts.seed}, hash ${facts.hash}: ${facts.tasks} tasks, ${facts.pages} pages`,
    ...voiceLines(facts.name),
    `${reached} of ${checked.length} plans reach their truth with the real tools (${checked.length - facts.tasks} of them are warm-ups)`,
    `${carelessWebPercent.toFixed(0)} % of the web tasks fall to a reader who takes the first hit and the first match`,
    ...problems.map(({ code, taskId, message }) => `${code}${taskId === undefined ? '' : ` ${taskId}`}: ${message}`),
    `${problems.length === 0 ? 'nothing wrong found' : `${problems.length} problems found`} (${duration(tookMs)})`,
    ...(solvedTwice === undefined ? [] : [twiceText(solvedTwice, checked.length)]),
  ];
  return `${lines.join('\n')}\n`;
}

function twiceText({ tasks: count, kindsNot }: NonNullable<TaskSetCheck['solvedTwice']>, of: number): string {
  const whichNot = kindsNot.length === 0 ? 'every kind of question' : `but not all of ${kindsNot.join(', ')}`;
  return `${count} of ${of} tasks solved twice, along their plan and by a solver that shares no code with it: ${whichNot}`;
}

async function show(id: string, call: CommandCall, io: CommandIo): Promise<number> {
  const asJson = isJson(call);
  const directory = await builtSet(setOf(id, call), call);
  const all = [...loadTasks(directory), ...loadWarmUps(directory)];
  const task = all.find((candidate) => candidate.id === id);
  if (!task) throw new UsageError('UNKNOWN_TASK', `there is no task ${JSON.stringify(id)}`, { remedy: `Ids run from ${all[0]?.id} to ${all.at(-4)?.id}.` });
  const plan = loadPlans(directory).find(({ question }) => question === task.question);
  const truth = loadTargets(directory).get(id);
  const files = task.attachments.map(({ name, path }) => ({ name, file: join(directory, path) }));
  io.out(
    asJson
      ? `${JSON.stringify({ ...task, attachments: files, truth, plan }, null, 1)}\n`
      : taskText({ task, files, ...(truth === undefined ? {} : { truth }), ...(plan === undefined ? {} : { plan }) }, io.columns),
  );
  if (!asJson) for (const line of voiceLines(loadFacts(directory).name)) io.out(`${line}\n`);
  return 0;
}

/** What is not promised of a set with a natural voice. */
function voiceLines(set: string): string[] {
  const voice = /voice=(\w+)/.exec(set)?.[1];
  return voice === undefined ? [] : [`recordings spoken by ${voice}: the same bytes each time on one machine, not promised on another processor`];
}

/** Ids of open68 name their set; those of a generated one do not say how large it is. */
function setOf(id: string, { values }: CommandCall): string {
  const named = values['tasks'];
  if (named !== undefined) return String(named);
  if (!id.startsWith('generated-')) return id.split('-')[0] as string;
  throw new UsageError('BAD_ARGUMENTS', `${JSON.stringify(id)} is a task of a generated set, and it is not said of which`, {
    remedy: 'Name it, for example: --tasks generated:seed=7,n=500',
  });
}

async function preview(name: string, call: CommandCall, io: CommandIo): Promise<number> {
  const directory = await builtSet(name, call);
  const facts = loadFacts(directory);
  const plans = new Map(loadPlans(directory).map((plan) => [plan.question, plan]));
  const targets = loadTargets(directory);
  const shown = loadTasks(directory).map((task) => {
    const plan = plans.get(task.question);
    const truth = targets.get(task.id);
    return { task, ...(plan === undefined ? {} : { plan }), ...(truth === undefined ? {} : { truth }) };
  });
  const out = String(call.values['out'] ?? `${facts.name.replace(/[:=]/g, '-')}-${facts.seed}.html`);
  writeOut(out, previewPage(facts, shown), 'Name another file with --out.');
  io.out(`${shown.length} tasks of ${facts.name}, seed ${facts.seed}: ${out}\n`);
  return 0;
}

function isJson({ values }: CommandCall): boolean {
  const format = values['format'] ?? 'text';
  if (format !== 'json' && format !== 'text')
    throw new UsageError('BAD_OPTION', `--format is text or json, found ${JSON.stringify(format)}`, { remedy: 'Leave it out for text.' });
  return format === 'json';
}

function searchDials({ values }: CommandCall): SearchDials {
  const share = (name: string) => {
    const given = values[name];
    if (given === undefined) return {};
    const value = Number(given);
    if (String(given).trim() === '' || !(value >= 0 && value <= 1))
      throw new UsageError('BAD_OPTION', `--${name} is ${JSON.stringify(given)}, not a number from 0 to 1`, { remedy: `For example: --${name} 0.8` });
    return { [name]: value };
  };
  return { ...share('recall'), ...share('noise') };
}

async function builtSet(name: string, { values }: CommandCall): Promise<string> {
  const named = taskSetName(name);
  const given = values['seed'];
  if (given !== undefined && !/^\d{1,9}$/.test(String(given)))
    throw new UsageError('BAD_OPTION', `--seed is a whole number, found ${JSON.stringify(given)}`, { remedy: 'For example: --seed 7' });
  const seed = given === undefined ? named.seed : Number(given);
  return await ensureTaskSet({ ...named, name: named.kind, seed, cacheDirectory: cacheDirectory() });
}
