// `agentgauge ablate memory`: the engine with each of its memory tiers switched off in turn, as a run like any other.
import { UsageError } from '../../base/error.ts';
import type { PlanSpecInput } from '../../runners/plan-spec.ts';
import type { Command } from '../command.ts';
import { runStudyCommand } from '../run-study.ts';
import { planOfOptions, STUDY_OPTIONS, text } from '../study-options.ts';

/** In the order of the paper's table. */
const CONFIGURATIONS = ['full', 'without-scratch', 'without-structured-state', 'without-connectors', 'single-tier'] as const;
/** Which rows there are is fixed; the rest is as in `reproduce`. */
const FIXED = ['full', 'node-only', 'frameworks', 'shape', 'settings'];

export const ablate: Command = {
  name: 'ablate',
  summary: 'switch parts of the engine off one by one',
  usage: 'memory [options]',
  options: Object.fromEntries(Object.entries(STUDY_OPTIONS).filter(([name]) => !FIXED.includes(name))),
  help: `
memory: the engine in shape dag with all its memory tiers, without scratch, without structured state, without connectors, and
with one transcript for all. Each switch changes what prompts hold and what stays in memory. Table 3 says what was measured
(prompts, contexts, bytes) and what published curves imply for accuracy; no model was measured for that.

  agentgauge ablate memory --quick                   12 tasks: a first look
  agentgauge ablate memory                           68 tasks, under two minutes
  agentgauge report RUN --exact                      the same again from the records, without what depends on time

Exit code 0 when the study ran, 1 when it could not complete, 2 for a mistake in the options, 130 after Ctrl-C.
`,
  run: async ({ values, positionals }, io) => {
    const [what, ...rest] = positionals;
    if (what !== 'memory' || rest.length > 0)
      throw new UsageError('UNKNOWN_ABLATION', `there is no ablation ${JSON.stringify(positionals.join(' '))}`, {
        remedy: 'There is: agentgauge ablate memory',
      });
    const resume = text(values, 'resume');
    return await runStudyCommand(
      {
        spec: resume === undefined ? memoryPlan(planOfOptions(values)) : undefined,
        source: 'These options',
        baseDirectory: process.cwd(),
        out: text(values, 'out') ?? 'runs',
        ...(resume === undefined ? {} : { resume }),
        dryRun: values['dry-run'] === true,
      },
      io,
    );
  },
};

function memoryPlan(options: PlanSpecInput): PlanSpecInput {
  return { ...options, name: 'ablate-memory', rows: CONFIGURATIONS.map((configuration) => ({ framework: 'engine', shape: 'dag', configuration })) };
}
