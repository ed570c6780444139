// `agentgauge conformance`: plays the suite that every adapter must pass, also a user's own, and prints one line a case.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SettingsName, ShapeName } from '../../adapters/adapter.ts';
import { ADAPTERS, findAdapter, installCommand } from '../../adapters/registry.ts';
import { UsageError } from '../../base/error.ts';
import { type CaseOutcome, type ConformanceReport, runConformance } from '../../runners/conformance.ts';
import { languageOf, type RunnableRow, resolveRows } from '../../runners/rows.ts';
import type { Command } from '../command.ts';
import { oneOf } from '../option-values.ts';

const SHAPES: readonly ShapeName[] = ['single', 'idiomatic', 'dag'];
const SETTINGS: readonly SettingsName[] = ['default', 'hardened'];

export const conformance: Command = {
  name: 'conformance',
  summary: 'check an adapter, also one of your own',
  usage: 'ADAPTER|FILE',
  options: {
    shape: { type: 'string', value: 'NAME', help: `one of ${SHAPES.join(', ')}`, fallback: 'single' },
    settings: { type: 'string', value: 'NAME', help: `one of ${SETTINGS.join(', ')}`, fallback: 'default' },
    export: { type: 'string', value: 'NAME', help: "name of the adapter among a FILE's exports", fallback: 'adapter' },
    python: { type: 'string', value: 'FILE', help: 'of a FILE in Python: the program that runs it, such as .venv/bin/python', fallback: 'the set-up one' },
    format: { type: 'string', value: 'text|json', help: 'how to print', fallback: 'text' },
  },
  help: `Starts the adapter in a worker of its own, with a scripted model and scripted tools beside it, and plays each case: tools in sequence and in
parallel, Unicode and 100 kB through a tool, the cap, cancellation, a kill, two hundred runs in one process, and more. A case that the framework cannot pass by
its nature is skipped with the reason. Exit code 1 when a case fails.

  agentgauge conformance langgraph
  agentgauge conformance ./my-adapter.ts --export myAdapter

FILE is a module that exports an Adapter: an object with one function for each shape that it has.`,
  run: async ({ values, positionals }, io) => {
    const [name, ...rest] = positionals;
    if (name === undefined || rest.length > 0) {
      throw new UsageError('ADAPTER_EXPECTED', `expected one adapter or file, found ${positionals.length}`, {
        remedy: `Choose from: ${ADAPTERS.map((entry) => entry.id).join(', ')}; or give the path of a file of your own.`,
      });
    }
    const format = oneOf('format', values['format'] ?? 'text', ['text', 'json']);
    const row = rowOf(name, values);
    const text = format === 'text';
    if (text) io.out(`${row.title}, shape ${row.shape}, settings ${row.settings}\n\n`);
    const report = await runConformance({ row, signal: io.signal, onCase: (outcome) => text && io.out(lineOf(outcome)) });
    io.out(text ? summaryOf(report) : `${JSON.stringify(report, null, 2)}\n`);
    if (io.signal.aborted) return 130;
    return report.cases.some(({ outcome }) => outcome === 'fail') ? 1 : 0;
  },
};

function rowOf(name: string, values: Readonly<Record<string, string | boolean | undefined>>): RunnableRow {
  const shape = oneOf('shape', values['shape'] ?? 'single', SHAPES);
  const settings = oneOf('settings', values['settings'] ?? 'default', SETTINGS);
  const isFile = /[/\\]|\.([cm]?[jt]s|py)$/.test(name);
  if (isFile) {
    const module = resolve(name);
    if (statSync(module, { throwIfNoEntry: false })?.isFile() !== true)
      throw new UsageError('NO_ADAPTER_FILE', `there is no file ${module}`, { remedy: 'Give the path of a module that exports an Adapter.' });
    const exportName = String(values['export'] ?? 'adapter');
    const python = values['python'] === undefined ? undefined : resolve(String(values['python']));
    return { framework: name, title: name, shape, settings, ...languageOf(module, python), floor: false, module, exportName, packages: [] };
  }
  const entry = findAdapter(name);
  if (!entry.shapes.includes(shape)) throw new UsageError('NO_SHAPE', `${entry.id} has no shape ${shape}`, { remedy: `It has: ${entry.shapes.join(', ')}.` });
  if (!entry.settings.includes(settings)) {
    throw new UsageError('NO_SETTINGS', `${entry.id} has no settings ${settings}`, { remedy: `It has: ${entry.settings.join(', ')}.` });
  }
  const { rows, absent } = resolveRows([{ framework: name, shape, settings }], process.cwd());
  const [row] = rows;
  if (row !== undefined) return row;
  const [what] = absent[0]?.why.split('; ') ?? [];
  throw new UsageError('MISSING_PACKAGE', `${entry.id}: ${what}`, { remedy: `Run: ${installCommand(entry)}` });
}

function lineOf(outcome: CaseOutcome): string {
  const why = outcome.outcome === 'pass' ? outcome.sentence : `${outcome.reason} (${outcome.sentence})`;
  return `${outcome.outcome}  ${outcome.id.padEnd(18)}${why}\n`;
}

function summaryOf({ cases, versions }: ConformanceReport): string {
  const count = (wanted: CaseOutcome['outcome']) => cases.filter(({ outcome }) => outcome === wanted).length;
  const installed = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `\n${count('pass')} passed, ${count('fail')} failed, ${count('skip')} skipped${installed.length === 0 ? '' : `; ${installed.join(', ')}`}\n`;
}
