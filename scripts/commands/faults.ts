// `agentgauge faults`: every row meets every fault of a scripted model and its wire, and one table says what came of it; a regression gate with --expect.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { WAITING_LIMITS } from '../../adapters/waiting-limits.ts';
import { systemClock } from '../../base/clock.ts';
import { messageOf, UsageError } from '../../base/error.ts';
import type { TrialRecord, WorkerRecord } from '../../metrics/record.ts';
import { parseTrialRecord, parseWorkerRecord } from '../../metrics/record-schema.ts';
import { FAULTS } from '../../models/faults/faults.ts';
import {
  differencesFrom,
  type ExpectedCell,
  expectationOf,
  type FaultDifference,
  type FaultExpectation,
  unexpectedCells,
} from '../../reports/faults/expectation.ts';
import { type FaultMatrix, faultMatrix, requestsIn } from '../../reports/faults/fault-matrix.ts';
import { renderFaultsHtml } from '../../reports/faults/render-html.ts';
import { renderFaultsJson } from '../../reports/faults/render-json.ts';
import { renderFaultsMarkdown } from '../../reports/faults/render-markdown.ts';
import { renderFaultsSvg } from '../../reports/faults/render-svg.ts';
import { renderFaultsTerminal } from '../../reports/faults/render-terminal.ts';
import { faultsFor, runFaults } from '../../runners/faults.ts';
import { duration } from '../../runners/progress.ts';
import { readManifest, readTrials } from '../../runners/run-directory.ts';
import { called } from '../called.ts';
import type { Command, CommandIo } from '../command.ts';
import { type FaultsPlan, PATIENCE_S, planOf, planOfRun } from '../faults-plan.ts';
import { oneOf, text } from '../option-values.ts';
import { progressOn } from '../progress-on.ts';
import { writeOut } from '../write-out.ts';

const FORMATS = ['text', 'md', 'html', 'json'] as const;

export const faults: Command = {
  name: 'faults',
  summary: 'what each framework does with each kind of model fault',
  usage: '[ADAPTER|FILE…] [options]',
  options: {
    frameworks: { type: 'string', value: 'a,b', help: 'only these adapters (see `list adapters`)', fallback: 'all installed' },
    settings: { type: 'string', value: 'a,b', help: 'default, hardened, or both', fallback: 'both' },
    'node-only': { type: 'boolean', help: 'only rows that run on Node' },
    faults: { type: 'string', value: 'a,b', help: 'only these faults, or groups of them (see --list)', fallback: 'all' },
    export: { type: 'string', value: 'NAME', help: "name of the adapter among a FILE's exports", fallback: 'adapter' },
    list: { type: 'boolean', help: 'print the faults with what each is, and start nothing' },
    patience: { type: 'string', value: 'SECONDS', help: 'how long a cell may take; then it says `waits`', fallback: String(PATIENCE_S) },
    expect: { type: 'string', value: 'FILE', help: 'hold the cells against this file; exit code 1 when one differs' },
    'write-expect': { type: 'string', value: 'FILE', help: 'write such a file from what was found' },
    format: { type: 'string', value: FORMATS.join('|'), help: 'what to print', fallback: 'text' },
    out: { type: 'string', value: 'DIR', help: 'parent of runs', fallback: 'runs/' },
    resume: { type: 'string', value: 'RUN', help: 'go on with an unfinished run, or print a finished one again' },
  },
  help: `
A scripted model calls tools that do not exist, cuts its arguments, says nothing, answers 429 or half a body, and so on; each row meets
each fault alone, in a worker process, through our gateway and broker. A cell is one word, the model requests that were made, and the
time from one second on:

  ok        recovered without a word to the model      SILENT  a success with nothing, half, or a notice
  fed back  told the model, which then did it right    CRASH   the process died
  error     ended in time with an error                HANG    never ended
  waits     patience ran out while it waited           STRAY   went on after its end

  agentgauge faults --node-only                                    all Node rows, both settings: minutes on two cores
  agentgauge faults --frameworks langgraph --faults calls          one framework, one group of faults: seconds
  agentgauge faults ./my-adapter.ts                                an adapter of your own
  agentgauge faults --frameworks langgraph --write-expect langgraph-faults.json
  agentgauge faults --frameworks langgraph --expect langgraph-faults.json     lists what changed, exit code 1

Cells that wait do so side by side. The run lies in runs/…-faults-…/: records, a transcript of every cell, and the table as report/faults.md,
.html, .svg and .json. What a cell is called is decided from what gateway, broker, output and exit show; no scenario and no name is looked at.

Exit code 0 when all cells were run, 1 when one could not be or differs from --expect, 2 for a mistake in the options, 130 after Ctrl-C.
`,
  run: async ({ values, positionals }, io) => {
    if (values['list'] === true) {
      io.out(FAULTS.map(({ id, group, sentence }) => `${group.padEnd(10)}${id.padEnd(22)}${sentence}\n`).join(''));
      return 0;
    }
    const format = oneOf('format', text(values, 'format') ?? 'text', FORMATS);
    const expectFile = text(values, 'expect');
    const expected = expectFile === undefined ? undefined : readExpectation(expectFile);
    const resume = text(values, 'resume');
    const plan = resume === undefined ? planOf(values, positionals) : planOfRun(resume, values, positionals);
    if (plan.rows.rows.length === 0) {
      const why = plan.rows.absent.map(({ framework, why: reason }) => `${framework} (${reason})`).join(', ');
      throw new UsageError(
        'NO_ROWS',
        why === '' ? 'no row meets these faults: hand-overs are met in shape idiomatic' : `none of these rows is installed: ${why}`,
        { remedy: 'Install one, or choose another: agentgauge list adapters' },
      );
    }
    const { directory, complete, interrupted } = await play(plan, { out: text(values, 'out') ?? 'runs', resume, io });
    const shown = relative(process.cwd(), directory) || directory;
    if (interrupted) {
      io.err(`\nStopped. What is finished is kept in ${shown}. To go on:\n  ${called('faults', '--resume', shown)}\n`);
      return 130;
    }
    const matrix = matrixOf(directory);
    writeReports(directory, matrix);
    io.out(render(matrix, format, io));
    io.err(`\nRecords and transcripts: ${shown}; the table: ${join(shown, 'report', 'faults.html')}\n`);
    const target = text(values, 'write-expect');
    if (target !== undefined) {
      writeOut(target, `${JSON.stringify(expectationOf(matrix), null, 1)}\n`, `Name another file; the run is whole, and --resume ${shown} prints it again.`);
      io.err(`Expectation written to ${target}\n`);
    }
    return (expected === undefined || holds(expected, matrix, io)) && complete ? 0 : 1;
  },
};

async function play({ rows, faults: chosen, patienceMs }: FaultsPlan, { out, resume, io }: { out: string; resume: string | undefined; io: CommandIo }) {
  const total = rows.rows.reduce((sum, row) => sum + faultsFor(row, chosen).length, 0);
  const startedMs = systemClock.nowMs();
  io.err(
    `${new Set(rows.rows.map(({ framework, settings }) => `${framework}/${settings}`)).size} rows, ${chosen.length} faults, ${total} cells; what waits does so side by side, for at most ${duration(patienceMs)}.\n`,
  );
  for (const { framework, why } of rows.absent) io.err(`Not here: ${framework} (${why}).\n`);
  const progress = progressOn(io, total);
  progress.phase('cells', total);
  const { directory, interrupted, unstartable } = await runFaults({
    rows,
    faults: chosen,
    patienceMs,
    out,
    ...(resume === undefined ? {} : { resume }),
    progress,
    signal: io.signal,
  });
  progress.end();
  const recorded = readTrials(directory).length;
  if (!interrupted) io.err(`${recorded} of ${total} cells in ${duration(systemClock.nowMs() - startedMs)}.\n\n`);
  return { directory, interrupted, complete: recorded === total && unstartable.length === 0 };
}

function matrixOf(directory: string): FaultMatrix {
  const lines = (name: string) => (existsSync(join(directory, name)) ? readFileSync(join(directory, name), 'utf8').split('\n').filter(Boolean) : []);
  const trials = lines('trials.jsonl').map((line, at): TrialRecord => parseTrialRecord(JSON.parse(line), `trials.jsonl:${at + 1}`));
  const workers = lines('workers.jsonl').map((line, at): WorkerRecord => parseWorkerRecord(JSON.parse(line), `workers.jsonl:${at + 1}`));
  return faultMatrix({ manifest: readManifest(directory), trials, workers }, { faults: FAULTS, documentedLimits: WAITING_LIMITS });
}

function writeReports(directory: string, matrix: FaultMatrix): void {
  const folder = join(directory, 'report');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'faults.svg'), renderFaultsSvg(matrix));
  writeFileSync(join(folder, 'faults.md'), renderFaultsMarkdown(matrix, 'faults.svg'));
  writeFileSync(join(folder, 'faults.html'), renderFaultsHtml(matrix));
  writeFileSync(join(folder, 'faults.json'), renderFaultsJson(matrix));
}

function render(matrix: FaultMatrix, format: (typeof FORMATS)[number], io: CommandIo): string {
  switch (format) {
    case 'text':
      return renderFaultsTerminal(matrix, { columns: io.columns, colour: io.colour ?? io.terminal });
    case 'md':
      return renderFaultsMarkdown(matrix);
    case 'html':
      return renderFaultsHtml(matrix);
    case 'json':
      return renderFaultsJson(matrix);
    default:
      return format satisfies never;
  }
}

function holds(expected: FaultExpectation, matrix: FaultMatrix, io: CommandIo): boolean {
  const differences = differencesFrom(expected, matrix);
  const unjudged = unexpectedCells(expected, matrix);
  if (unjudged > 0) io.err(`${unjudged} cells were run that the expectation says nothing of.\n`);
  io.err(differences.length === 0 ? 'All cells are as expected.\n' : `${differences.length} cells differ from the expectation:\n`);
  for (const difference of differences) io.err(`  ${differenceLine(difference)}\n`);
  return differences.length === 0;
}

function differenceLine({ row, fault, expected, found }: FaultDifference): string {
  const told = ({ response, requests }: ExpectedCell) => `${response}${requests === undefined ? '' : ` in ${requestsIn(requests)}`}`;
  return `${row} ${fault}: expected ${told(expected)}, found ${found === undefined ? 'nothing' : told(found)}${found?.says === undefined ? '' : ` (${found.says.split('\n')[0]})`}`;
}

function readExpectation(file: string): FaultExpectation {
  try {
    const read = JSON.parse(readFileSync(file, 'utf8')) as FaultExpectation;
    if (typeof read.rows === 'object' && read.rows !== null) return read;
  } catch (cause) {
    throw new UsageError('NO_EXPECTATION', `${file} cannot be read: ${messageOf(cause)}`, { cause, remedy: 'Write one with --write-expect FILE.' });
  }
  throw new UsageError('NO_EXPECTATION', `${file} holds no expectation: there is no object \`rows\``, { remedy: 'Write one with --write-expect FILE.' });
}
