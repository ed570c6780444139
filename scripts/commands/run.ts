// `agentgauge run PLAN`: a plan file of one's own, TypeScript or JSON.
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf, UsageError } from '../../base/error.ts';
import type { Command } from '../command.ts';
import { runStudyCommand } from '../run-study.ts';
import { refuseBesideResume, text } from '../study-options.ts';

export const run: Command = {
  name: 'run',
  summary: 'run a plan of your own',
  usage: 'PLAN [--out DIR] [--resume RUN] [--dry-run]',
  options: {
    out: { type: 'string', value: 'DIR', help: 'parent of runs', fallback: 'runs/' },
    resume: { type: 'string', value: 'RUN', help: 'go on with an unfinished run' },
    'dry-run': { type: 'boolean', help: 'say what would run, how long and at what cost; start nothing' },
  },
  help: `
PLAN is a .json file, or a .ts/.js/.mjs file whose default export is the plan. It names rows, tasks, model and limits; what
it leaves out has the defaults of \`reproduce\`. A row may bring an adapter of your own by "module". The fields are in
examples/plans/plan.schema.json.

  agentgauge run examples/plans/two-rows.json
`,
  run: async ({ values, positionals }, io) => {
    const resume = text(values, 'resume');
    const [file, extra] = positionals;
    if (resume !== undefined) refuseBesideResume(values, file);
    if (file === undefined && resume === undefined)
      throw new UsageError('NO_PLAN', 'run needs a plan file', { remedy: 'agentgauge run examples/plans/two-rows.json' });
    if (extra !== undefined) throw new UsageError('BAD_OPTION', `run takes one plan, found also ${JSON.stringify(extra)}`);
    return await runStudyCommand(
      {
        spec: resume === undefined ? await readPlan(file as string) : undefined,
        source: file ?? '',
        baseDirectory: file === undefined ? process.cwd() : dirname(resolve(file)),
        out: text(values, 'out') ?? 'runs',
        ...(resume === undefined ? {} : { resume }),
        dryRun: values['dry-run'] === true,
      },
      io,
    );
  },
};

async function readPlan(file: string): Promise<unknown> {
  const path = resolve(file);
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) throw new UsageError('NO_PLAN', `there is no plan at ${file}`, { remedy: 'examples/plans/ has some that work.' });
  if (facts.isDirectory()) throw new UsageError('NO_PLAN', `${file} is a folder, not a plan`, { remedy: 'Name the plan file in it.' });
  let plan: unknown;
  try {
    if (path.endsWith('.json')) return JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, ''));
    plan = ((await import(pathToFileURL(path).href)) as { default?: unknown }).default;
  } catch (cause) {
    throw new UsageError('PLAN_UNREADABLE', `${file} cannot be read as a plan: ${messageOf(cause)}`, {
      cause,
      remedy: 'A .json file holds one object; a .ts file has it as default export.',
    });
  }
  if (plan === undefined)
    throw new UsageError('PLAN_UNREADABLE', `${file} has no default export`, { remedy: 'The plan is the default export: export default { … }' });
  return plan;
}
