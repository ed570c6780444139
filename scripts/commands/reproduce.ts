// `agentgauge reproduce`: the main study, from nothing to tables.
import { UsageError } from '../../base/error.ts';
import type { Command } from '../command.ts';
import { offerPython } from '../python/offer.ts';
import { runStudyCommand } from '../run-study.ts';
import { OPTION_WORDS, planOfOptions, refuseBesideResume, STUDY_OPTIONS, text } from '../study-options.ts';

export const reproduce: Command = {
  name: 'reproduce',
  summary: 'run the main study and print its tables',
  usage: '[options]',
  options: STUDY_OPTIONS,
  help: `
Every installed framework works on the same 68 generated tasks with the same tools and the same simulated model. What it
adds or breaks goes into the tables; one record a trial goes into RUN/trials.jsonl, and everything else follows from those.
Rows in Python need a set-up of about 2 GB once (agentgauge setup python): on a terminal it is offered, with --yes it is done, and else, and with
--quick and --node-only always, the study runs without rows that are not set up.

  agentgauge reproduce --quick                       a first look in under two minutes
  agentgauge reproduce --node-only                   the study on Node, about three minutes
  agentgauge reproduce                               the Python rows as well, where they are set up
  agentgauge reproduce --profile clean               the same without model faults
  agentgauge reproduce --frameworks fetch,langgraph  two rows only
  agentgauge reproduce --resume runs/2026-…          go on after Ctrl-C, a kill or a full disk

Exit code 0 when the study ran, also when trials failed: their number is a result. 1 when it could not complete, 2 for a
mistake in the options, 130 after Ctrl-C.
`,
  run: async ({ values, positionals }, io) => {
    if (positionals.length > 0)
      throw new UsageError('BAD_OPTION', `reproduce takes no ${JSON.stringify(positionals[0])}`, {
        remedy: 'Options begin with --; agentgauge reproduce --help',
      });
    const resume = text(values, 'resume');
    if (resume !== undefined) refuseBesideResume(values);
    const spec = resume === undefined ? planOfOptions(values) : undefined;
    if (spec !== undefined && !values['quick'] && !values['dry-run'])
      await offerPython(
        spec.rows.map(({ framework }) => framework),
        values['yes'] === true,
        io,
      );
    return await runStudyCommand(
      {
        spec,
        source: OPTION_WORDS,
        baseDirectory: process.cwd(),
        out: text(values, 'out') ?? 'runs',
        ...(resume === undefined ? {} : { resume }),
        dryRun: values['dry-run'] === true,
        options: values,
      },
      io,
    );
  },
};
