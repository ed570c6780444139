// From a run's records to its report. Pure: the order of the records, the clock and the locale do not show.
import type { Manifest } from '../metrics/record.ts';
import { tallyOf } from '../metrics/run-tally.ts';
import { summarizeRun } from '../metrics/summaries.ts';
import { headline, reliabilityHeadline } from './headline.ts';
import type { RunContents } from './load-run.ts';
import type { ExactManifest, Report, Table } from './report.ts';
import { failures } from './tables/failures.ts';
import type { TableInput } from './tables/frame-table.ts';
import { table7 } from './tables/not-in-this-run.ts';
import { type OwnRates, reliability } from './tables/reliability.ts';
import { shapes } from './tables/shapes.ts';
import { table1 } from './tables/table-1.ts';
import { table2 } from './tables/table-2.ts';
import { table3 } from './tables/table-3.ts';
import { table4 } from './tables/table-4.ts';
import { table5 } from './tables/table-5.ts';
import { table6 } from './tables/table-6.ts';
import { table8 } from './tables/table-8.ts';
import { table9 } from './tables/table-9.ts';
import { table10 } from './tables/table-10.ts';
import { unrepaired } from './tables/unrepaired.ts';
import { verdicts } from './tables/verdicts.ts';
import { wireAudit } from './tables/wire-audit.ts';

export interface ReportOptions {
  /** Only what must not depend on time: equal in two runs of one seed, byte for byte. */
  readonly exact?: boolean;
  /** Run of conditions only: the reader's own rates, by kind, in [0, 1] an ask, and `correction`. */
  readonly rates?: OwnRates;
}

export function buildReport(run: RunContents, options: ReportOptions = {}): Report {
  const { manifest } = run;
  const exact = options.exact === true;
  const trials = tallyOf(manifest, run.trials);
  const input: TableInput = { manifest, summary: summarizeRun({ ...run, trials }), counts: trials.counts({ exactOnly: exact }), exact };
  if (manifest.plan.conditions !== undefined) return reliabilityReport({ ...run, trials }, input, options);
  const first = exact ? table1(input) : withSetAside(table1(input), run);
  const inSomeRuns = [verdicts(input, trials), shapes(input)].filter((table) => table !== undefined);
  const tables = exact
    ? [
        first,
        table2(input),
        ...(hasConfigurations(manifest) ? [table3(input)] : []),
        table4(input),
        table5(input),
        table8(input),
        failures(input),
        unrepaired(input, trials),
        ...inSomeRuns,
        wireAudit(input, run.wires),
      ]
    : [
        first,
        table2(input),
        table3(input),
        table4(input),
        table5(input),
        table6(input),
        table7(),
        table8(input),
        table9(input),
        table10(input),
        failures(input),
        unrepaired(input, trials),
        ...inSomeRuns,
        wireAudit(input, run.wires),
      ];
  return {
    manifest: exact ? exactManifest(manifest) : manifest,
    headline: headline(first, manifest.plan),
    tables: Object.fromEntries(tables.map((table) => [table.id, table])),
  };
}

/** Trials of a run of conditions are no draws of a task: no rate over all of them means anything. */
function reliabilityReport(run: RunContents, input: TableInput, { rates }: ReportOptions): Report {
  const [first, ...rest] = reliability(input, run.trials, rates);
  // Responses hang on no rate: they stand where the estimate does, and nowhere else.
  const { rates: _, ...plan } = input.manifest.plan;
  const audit = wireAudit({ ...input, manifest: { ...input.manifest, plan } }, run.wires);
  const tables = [...(first === undefined ? [] : [withSetAside(first, run)]), ...rest, audit];
  return {
    manifest: input.exact ? exactManifest(run.manifest) : run.manifest,
    headline: reliabilityHeadline(plan),
    tables: Object.fromEntries(tables.map((table) => [table.id, table])),
  };
}

function hasConfigurations({ plan }: Manifest): boolean {
  return plan.rows.some(({ configuration }) => configuration !== undefined);
}

/** Records that stand in no table are said once, under the first. */
function withSetAside(table: Table, { setAside }: RunContents): Table {
  if (setAside.length === 0) return table;
  return { ...table, notes: [...table.notes, `Set aside: ${setAside.map(({ why, n }) => `${n} ${why}`).join('; ')}.`] };
}

/** What a second run of the same seed must share: not the machine, the moment or the state of a work tree. */
function exactManifest({ recordVersion, agentgauge, planHash, plan, taskSet, latencyTable }: Manifest): ExactManifest {
  return { recordVersion, agentgauge, planHash, plan, taskSet, ...(latencyTable !== undefined && { latencyTable }) };
}
