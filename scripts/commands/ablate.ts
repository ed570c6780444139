// `agentgauge ablate`: one thing turned at a time, each study a run like any other. memory: the engine's tiers. faults: one fault a trial. dials, choices: files of their own.
import { UsageError } from '../../base/error.ts';
import { seenRates } from '../../runners/fault-conditions.ts';
import type { PlanSpecInput } from '../../runners/plan-spec.ts';
import type { Command, CommandCall, CommandIo } from '../command.ts';
import { runStudyCommand } from '../run-study.ts';
import { OPTION_WORDS, planOfOptions, STUDY_OPTIONS, text } from '../study-options.ts';
import { CHOICES_FIXED, CHOICES_OPTIONS, runChoices } from './ablate-choices.ts';
import { DIALS_FIXED, runDials } from './ablate-dials.ts';

/** In the order of the paper's table. */
const CONFIGURATIONS = ['full', 'without-scratch', 'without-structured-state', 'without-connectors', 'single-tier'] as const;

interface Study {
  /** Options that say what this study fixes. */
  readonly fixed: readonly string[];
  readonly run: (values: CommandCall['values'], io: CommandIo) => Promise<number>;
}

const STUDIES: Readonly<Record<string, Study>> = {
  memory: { fixed: ['full', 'node-only', 'frameworks', 'shape', 'settings'], run: (values, io) => runPlan(memoryPlan, values, io) },
  faults: {
    fixed: ['full', 'trials', 'policy', 'held-out', 'model', 'base-url', 'key-variable', 'latency', 'record', 'replay'],
    run: (values, io) => runPlan(faultsPlan, values, io),
  },
  dials: { fixed: DIALS_FIXED, run: runDials },
  choices: { fixed: CHOICES_FIXED, run: runChoices },
};

export const ablate: Command = {
  name: 'ablate',
  summary: 'turn one thing at a time: memory tiers, faults, dials, choices',
  usage: `${Object.keys(STUDIES).join('|')} [options]`,
  options: { ...STUDY_OPTIONS, ...CHOICES_OPTIONS },
  help: `
memory: the engine in shape dag with all its memory tiers, without scratch, without structured state, without connectors, and
with one transcript for all. Each switch changes what prompts hold and what stays in memory. Table 3 says what was measured
(prompts, contexts, bytes) and what published curves imply for accuracy; no model was measured for that.

  agentgauge ablate memory --quick                   12 tasks: a first look
  agentgauge ablate memory                           68 tasks, under two minutes
  agentgauge report RUN --exact                      the same again from the records, without what depends on time

faults: the simulated model errs in nothing but one fault a trial: each kind that a framework can see, in each of its forms, at each
place, 1, 2, 3 times in a row and without an end, on six tasks. The tables say in how many of them a row fails that it solves
otherwise, and what that implies for the rates of a profile, or for your own. Default rows: shape single, both settings.

  agentgauge ablate faults --frameworks fetch,langgraph --quick    bursts 1 and without an end, two tasks
  agentgauge ablate faults --frameworks langgraph                  about a minute a row
  agentgauge ablate faults --shape dag                             the plan, reports and their joining too
  agentgauge report RUN --rates empty-reply=0.4,unknown-tool=1     the estimate for your own model, in percent an ask

dials: the study with every dial in its usual place, then with one of them turned: the literal cap 3, enforcement ignored, tool errors as
text, a lenient broker, the instruction in one place alone. One table says what each does to every row and which rows it turns
round; another how many failures the literal cap makes alone, without any fault of the model. Default rows: shape single.

  agentgauge ablate dials --quick                    eight runs of 12 tasks
  agentgauge ablate dials --frameworks fetch,langgraph,openai-agents
  agentgauge report RUNS/* --dials                   the same tables from the records

choices: the study over 20 seeds, and over five with each of our own choices turned that no source settles: unsourced rates, how often
a fault is mended, enforcement, the tool border, the place of the instruction, curves, policy. One report says which differences
between rows stand: an interval over seeds without 0, and a sign that no choice turns. Default rows: shape single.

  agentgauge ablate choices --dry-run                how many runs, and how long
  agentgauge ablate choices --node-only              about an hour; Ctrl-C, then the same with --resume RUNS
  agentgauge ablate choices --quick --seeds 2 --choice-seeds 1 --frameworks fetch,langgraph
  agentgauge report RUNS/2* --choices --out findings

Exit code 0 when the study ran, 1 when it could not complete, 2 for a mistake in the options, 130 after Ctrl-C.
`,
  run: async ({ values, positionals }, io) => {
    const [what = '', ...rest] = positionals;
    const study = Object.hasOwn(STUDIES, what) ? STUDIES[what] : undefined;
    if (study === undefined || rest.length > 0)
      throw new UsageError('UNKNOWN_ABLATION', `there is no ablation ${JSON.stringify(positionals.join(' '))}`, {
        remedy: `There is: ${Object.keys(STUDIES)
          .map((name) => `agentgauge ablate ${name}`)
          .join(', ')}`,
      });
    const ofChoices = what === 'choices' ? [] : Object.keys(CHOICES_OPTIONS);
    const foreign = [...study.fixed, ...ofChoices].filter((name) => values[name] !== undefined);
    if (foreign.length > 0)
      throw new UsageError('OPTIONS_EXCLUDE', `${foreign.map((name) => `--${name}`).join(', ')}: ablate ${what} has its own, or none`, {
        remedy: 'Leave it out.',
      });
    return await study.run(values, io);
  },
};

async function runPlan(planOf: (values: CommandCall['values']) => PlanSpecInput, values: CommandCall['values'], io: CommandIo): Promise<number> {
  const resume = text(values, 'resume');
  return await runStudyCommand(
    {
      spec: resume === undefined ? planOf(values) : undefined,
      source: OPTION_WORDS,
      baseDirectory: process.cwd(),
      out: text(values, 'out') ?? 'runs',
      ...(resume === undefined ? {} : { resume }),
      dryRun: values['dry-run'] === true,
    },
    io,
  );
}

function memoryPlan(values: CommandCall['values']): PlanSpecInput {
  const rows = CONFIGURATIONS.map((configuration) => ({ framework: 'engine', shape: 'dag', configuration }) as const);
  return { ...planOfOptions(values), name: 'ablate-memory', rows };
}

const QUICK_TASKS = 2;
const QUICK_DRAWS = 3;

/** Nothing but the fault may differ from the twin: profile `clean`, and of the profile asked for only the rates of what a framework can see. */
function faultsPlan(values: CommandCall['values']): PlanSpecInput {
  const quick = values['quick'] === true;
  const profile = text(values, 'profile') ?? 'gpt-4o-mini';
  if (profile !== 'gpt-4o-mini' && profile !== 'gpt-4o')
    throw new UsageError('BAD_OPTION', `--profile is ${JSON.stringify(profile)}, not gpt-4o-mini or gpt-4o`, {
      remedy: 'It says whose rates the estimate has; every trial but the draws is clean anyway.',
    });
  const both = { settings: 'default,hardened', shape: 'single' };
  const { rates, sample: _, ...plan } = planOfOptions({ ...both, ...values });
  return {
    ...plan,
    name: 'ablate-faults',
    profile: 'clean',
    rates: seenRates(profile, withoutAbsent(rates)),
    faults: quick ? { bursts: [1, 'endless'], draws: QUICK_DRAWS } : {},
    ...(quick ? { sample: QUICK_TASKS } : {}),
    coldStarts: 0,
    transcripts: false,
  };
}

function withoutAbsent(rates: PlanSpecInput['rates']): Record<string, number> {
  return Object.fromEntries(Object.entries(rates ?? {}).filter((entry): entry is [string, number] => entry[1] !== undefined));
}
