// Which rows meet which faults, from the words of `agentgauge faults`, or from the run that is gone on with. Words to values only.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SettingsName } from '../adapters/adapter.ts';
import { ADAPTERS, findAdapter } from '../adapters/registry.ts';
import { UsageError } from '../base/error.ts';
import type { Fault } from '../models/faults/fault.ts';
import { FAULTS } from '../models/faults/faults.ts';
import { faultsFor } from '../runners/faults.ts';
import type { RowSpec } from '../runners/plan-spec.ts';
import { type ResolvedRows, resolveRows } from '../runners/rows.ts';
import { readManifest } from '../runners/run-directory.ts';
import type { CommandCall } from './command.ts';
import { badOption, oneOf, text, words } from './option-values.ts';

const SETTINGS: readonly SettingsName[] = ['default', 'hardened'];
export const PATIENCE_S = 45;

export interface FaultsPlan {
  readonly rows: ResolvedRows;
  readonly faults: readonly Fault[];
  readonly patienceMs: number;
}

export function planOf(values: CommandCall['values'], positionals: readonly string[]): FaultsPlan {
  const frameworks = [...(words(values, 'frameworks') ?? []), ...positionals];
  const settings = (words(values, 'settings') ?? SETTINGS).map((name) => oneOf('settings', name, SETTINGS));
  const nodeOnly = values['node-only'] === true;
  const names = frameworks.length > 0 ? frameworks : ADAPTERS.map(({ id }) => id);
  const specs = names.flatMap((name): RowSpec[] => {
    if (isFile(name)) {
      const own = { framework: nameOf(name), module: resolve(name), exportName: text(values, 'export') ?? 'adapter' };
      return settings.map((setting): RowSpec => ({ ...own, shape: 'single', settings: setting }));
    }
    const entry = findAdapter(name);
    if (nodeOnly && entry.language !== 'node') return [];
    return entry.shapes
      .filter((shape) => shape !== 'dag')
      .flatMap((shape) =>
        settings.filter((setting) => entry.settings.includes(setting)).map((setting): RowSpec => ({ framework: name, shape, settings: setting })),
      );
  });
  const chosen = chosenFaults(words(values, 'faults'));
  const met = specs.filter(({ shape }) => faultsFor({ shape: shape ?? 'single' }, chosen).length > 0);
  return { rows: resolveRows(met, process.cwd()), faults: chosen, patienceMs: patienceOf(text(values, 'patience')) };
}

/** A run has its own plan: rows, faults and patience stand in its manifest. */
export function planOfRun(run: string, values: CommandCall['values'], positionals: readonly string[]): FaultsPlan {
  const beside = Object.keys(values).filter((name) => values[name] !== undefined && !BESIDE_RESUME.has(name));
  if (beside.length > 0 || positionals.length > 0)
    throw new UsageError(
      'OPTIONS_EXCLUDE',
      `--resume has its own rows and faults, so ${[...beside.map((name) => `--${name}`), ...positionals].join(', ')} has no meaning`,
      {
        remedy: 'Leave it out, or start a new run.',
      },
    );
  const { plan } = readManifest(run);
  if (plan.name !== 'faults')
    throw new UsageError('NOT_A_FAULT_RUN', `${run} is a run of another kind`, { remedy: `Try: agentgauge reproduce --resume ${run}` });
  const strangers = plan.rows.filter(({ framework }) => !ADAPTERS.some(({ id }) => id === framework)).map(({ framework }) => framework);
  if (strangers.length > 0)
    throw new UsageError('OWN_ADAPTER', `${run} has rows of your own (${strangers.join(', ')}), whose files it does not know`, { remedy: 'Start a new run.' });
  const rows = plan.rows.map(
    ({ framework, shape, settings }): RowSpec => ({
      framework,
      shape: shape === 'single' ? 'single' : 'idiomatic',
      settings: oneOf('settings', settings, SETTINGS),
    }),
  );
  return {
    rows: { rows: resolveRows(rows, process.cwd()).rows, absent: plan.absentRows },
    faults: chosenFaults(plan.tasks.map(({ taskId }) => taskId)),
    patienceMs: plan.timeoutMs,
  };
}

const BESIDE_RESUME = new Set(['resume', 'format', 'expect', 'write-expect']);

function chosenFaults(names: readonly string[] | undefined): readonly Fault[] {
  if (names === undefined) return FAULTS;
  for (const name of names) {
    if (!FAULTS.some(({ id, group }) => id === name || group === name))
      throw new UsageError('UNKNOWN_FAULT', `there is no fault ${JSON.stringify(name)}`, { remedy: 'They are listed by: agentgauge faults --list' });
  }
  return FAULTS.filter(({ id, group }) => names.includes(id) || names.includes(group));
}

function patienceOf(value: string | undefined): number {
  if (value === undefined) return PATIENCE_S * 1000;
  const seconds = Number(value);
  if (Number.isFinite(seconds) && seconds > 0) return seconds * 1000;
  throw badOption('patience', value, 'a number of seconds above 0');
}

function isFile(name: string): boolean {
  const found = /[/\\]|\.([cm]?[jt]s|py)$/.test(name);
  if (found && statSync(resolve(name), { throwIfNoEntry: false })?.isFile() !== true)
    throw new UsageError('NO_ADAPTER_FILE', `there is no file ${resolve(name)}`, { remedy: 'Give the path of a module that exports an Adapter.' });
  return found;
}

function nameOf(file: string): string {
  return (file.split(/[/\\]/).at(-1) ?? file).replace(/\.[^.]+$/, '');
}
