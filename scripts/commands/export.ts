// `agentgauge export submission RUN`: the answers of a run over the official data, as the leaderboard takes them.
import { existsSync } from 'node:fs';
import { UsageError } from '../../base/error.ts';
import type { ManifestPlan } from '../../metrics/record.ts';
import { Canaries, privateAnswers } from '../../runners/redaction.ts';
import { readManifest } from '../../runners/run-directory.ts';
import { specOfRun } from '../../runners/start-study.ts';
import type { Split } from '../../tasks/gaia/official/read-official.ts';
import { submissionLines } from '../../tasks/gaia/official/submission.ts';
import { isOwnSetName, namedOwnSet } from '../../tasks/own/named-own-set.ts';
import type { Command, CommandCall, CommandIo } from '../command.ts';
import { writeOut } from '../write-out.ts';

const FILE = 'submission.jsonl';

export const exportCommand: Command = {
  name: 'export',
  summary: 'write answers in the form of the GAIA leaderboard',
  usage: 'submission RUN',
  options: {
    row: { type: 'string', value: 'FRAMEWORK/SHAPE/SETTINGS', help: 'whose answers', fallback: 'the only row of the run' },
    trial: { type: 'string', value: 'N', help: 'which trial of each task, from 0', fallback: '0' },
    out: { type: 'string', value: 'FILE', help: 'where to write', fallback: FILE },
    'fill-missing': { type: 'boolean', help: 'hand in an empty answer where there is none' },
  },
  help: `submission   The JSON Lines file of the GAIA leaderboard, {"task_id", "model_answer"} a line, from a run over gaia:DIR. What its server checks is
             checked first: every question of the split once, and the number of each level. The whole run is searched for
             text of the questions before anything is written; the file itself holds answers: hand it in, and do not publish it.

  agentgauge reproduce --tasks gaia:data/GAIA --split test --model upstream:NAME --base-url URL --frameworks fetch
  agentgauge export submission runs/2026-11-30-a1 --row fetch/single/default
`,
  run: runExport,
};

async function runExport({ values, positionals }: CommandCall, io: CommandIo): Promise<number> {
  const [what, directory, ...more] = positionals;
  if (what !== 'submission' || directory === undefined || more.length > 0)
    throw new UsageError('EXPORT_WHAT', `export takes what and a run, found ${positionals.join(' ') || 'nothing'}`, {
      remedy: 'agentgauge export submission RUN',
    });
  const { plan, taskSet } = readManifest(directory);
  const split = /^gaia:(validation|test)\b/.exec(taskSet.name)?.[1] as Split | undefined;
  if (split === undefined)
    throw new UsageError('EXPORT_FOREIGN', `${directory} is a run over ${taskSet.name}`, {
      remedy: 'The leaderboard takes answers to the official questions: --tasks gaia:DIR.',
    });
  const row = rowOf(plan, values['row']);
  const trialIndex = Number(values['trial'] ?? 0);
  if (!Number.isInteger(trialIndex) || trialIndex < 0 || trialIndex >= plan.trials)
    throw new UsageError('BAD_OPTION', `--trial is ${values['trial']}, and the run has trials 0 to ${plan.trials - 1}`, { remedy: 'Name one of them.' });
  const file = String(values['out'] ?? FILE);
  if (existsSync(file)) throw new UsageError('FILE_EXISTS', `${file} exists`, { remedy: 'Name another with --out, or remove it.' });
  (await canariesOf(directory)).check(directory);
  const answers = new Map(
    privateAnswers(directory).flatMap((answer): [string, string][] => {
      const isWanted = answer.framework === row.framework && answer.shape === row.shape && answer.settings === row.settings && answer.trialIndex === trialIndex;
      return isWanted && answer.answer !== undefined ? [[answer.taskId, answer.answer]] : [];
    }),
  );
  const tasks = plan.tasks.map(({ taskId, level }) => ({ id: taskId, level }));
  const lines = submissionLines({ split, tasks, answers, fillMissing: values['fill-missing'] === true });
  writeOut(file, `${lines.join('\n')}\n`, 'Name another with --out.', { mode: 0o600, flag: 'wx' });
  io.out(`${lines.length} answers of ${row.framework}/${row.shape}/${row.settings} written to ${file}, ${lines.length - answers.size} of them empty.\n`);
  io.out('It holds answers to protected questions: hand it in at the leaderboard, and do not publish it.\n');
  return 0;
}

function rowOf(plan: ManifestPlan, wanted: string | boolean | undefined): ManifestPlan['rows'][number] {
  const named = plan.rows.map((row) => ({ row, name: `${row.framework}/${row.shape}/${row.settings}` }));
  const found = wanted === undefined && named.length === 1 ? named[0] : named.find(({ name }) => name === wanted);
  if (found === undefined)
    throw new UsageError('EXPORT_ROW', wanted === undefined ? `the run has ${named.length} rows` : `the run has no row ${wanted}`, {
      remedy: `Name one with --row: ${named.map(({ name }) => name).join(', ')}.`,
    });
  return found.row;
}

/** From the folder that the run was made from: the run itself holds no question. */
async function canariesOf(directory: string): Promise<Canaries> {
  const { spec, baseDirectory } = specOfRun(directory);
  if (!isOwnSetName(spec.tasks)) return new Canaries([]);
  const { questions } = await namedOwnSet(spec.tasks, { baseDirectory, seed: spec.taskSeed ?? spec.seed, split: spec.split });
  return new Canaries(questions.flatMap(({ id, question, truth = '' }) => [question, truth].map((text) => ({ taskId: id, text }))));
}
