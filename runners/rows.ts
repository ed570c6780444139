// Which rows a plan really has: built-in adapters with their packages there, or a user's own file. What cannot run is named with its remedy, never dropped in silence.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SettingsName, ShapeName } from '../adapters/adapter.ts';
import { ADAPTERS, adapterModule, findAdapter } from '../adapters/registry.ts';
import { UsageError } from '../base/error.ts';
import type { ManifestPlan } from '../metrics/record.ts';
import type { PlannedRow } from './plan.ts';
import type { RowSpec } from './plan-spec.ts';
import { interpreterOf, whyAbsent } from './python-environments.ts';

/** A row that can run here. */
export interface RunnableRow extends PlannedRow {
  readonly shape: ShapeName;
  readonly settings: SettingsName;
  readonly title: string;
  readonly language: 'node' | 'python';
  readonly floor: boolean;
  readonly publishedAs?: string;
  readonly publishedIsClaim?: true;
  /** File the worker loads, and the name of the adapter in it. */
  readonly module: string;
  readonly exportName: string;
  readonly packages: readonly string[];
  /** Of a Python row: the program that runs its worker. */
  readonly interpreter?: string;
}

export interface ResolvedRows {
  readonly rows: readonly RunnableRow[];
  readonly absent: ManifestPlan['absentRows'];
}

/** @param baseDirectory where paths of a user's own adapters start. @throws UsageError when a row names what does not exist */
export function resolveRows(specs: readonly RowSpec[], baseDirectory: string): ResolvedRows {
  const rows: RunnableRow[] = [];
  const absent: { framework: string; why: string }[] = [];
  const seen = new Set<string>();
  for (const spec of specs) {
    const configured = spec.configuration === undefined ? {} : { configuration: spec.configuration };
    const key = [spec.framework, spec.shape, spec.settings, ...Object.values(configured)].join(' ');
    if (seen.has(key))
      throw new UsageError('DUPLICATE_ROW', `the row ${key} stands twice in the plan`, { remedy: 'Remove one; --trials runs a row more often.' });
    seen.add(key);
    if (spec.module !== undefined) {
      rows.push(ownRow(spec, spec.module, baseDirectory));
      continue;
    }
    const entry = findAdapter(spec.framework);
    if (!entry.shapes.includes(spec.shape))
      throw new UsageError('NO_SHAPE', `${entry.id} has no shape ${spec.shape}`, { remedy: `It has: ${entry.shapes.join(', ')}.` });
    if (!entry.settings.includes(spec.settings))
      throw new UsageError('NO_SETTINGS', `${entry.id} has no settings ${spec.settings}`, { remedy: `It has: ${entry.settings.join(', ')}.` });
    const why = whyAbsent(entry);
    if (why !== undefined) {
      if (!absent.some(({ framework }) => framework === entry.id)) absent.push({ framework: entry.id, why });
      continue;
    }
    const { id, title, language, floor, publishedAs, publishedIsClaim, exportName, packages, environment } = entry;
    const interpreter = environment === undefined ? undefined : interpreterOf(environment);
    rows.push({
      framework: id,
      shape: spec.shape,
      settings: spec.settings,
      ...configured,
      title,
      language,
      floor,
      ...(publishedAs === undefined ? {} : { publishedAs }),
      ...(publishedIsClaim === undefined ? {} : { publishedIsClaim }),
      module: adapterModule(entry),
      exportName,
      packages,
      ...(interpreter === undefined ? {} : { interpreter }),
    });
  }
  return { rows, absent };
}

/**
 * Every built-in row that the default study runs: shapes `single` and `idiomatic`, settings `default`; besides the first floor of each language hardened, and
 * `fetch` in shape `dag`, beside which other shapes than `single` stand (method M1.4).
 */
export function defaultRows(): RowSpec[] {
  const inShape = (shape: ShapeName) =>
    ADAPTERS.filter(({ shapes }) => shapes.includes(shape)).map(({ id }): RowSpec => ({ framework: id, shape, settings: 'default' }));
  return [
    ...inShape('single'),
    { framework: 'fetch', shape: 'single', settings: 'hardened' },
    { framework: 'httpx', shape: 'single', settings: 'hardened' },
    ...inShape('idiomatic'),
    { framework: 'fetch', shape: 'dag', settings: 'default' },
  ];
}

/**
 * What runs an adapter file of a user's own.
 *
 * @param python interpreter of the framework's own environment, 3.11 or newer; left out, that of the floors, which holds most frameworks too
 * @throws UsageError PYTHON_NOT_SET_UP, NO_PYTHON_FILE
 */
export function languageOf(module: string, python?: string): Pick<RunnableRow, 'language' | 'interpreter'> {
  if (!module.endsWith('.py')) {
    if (python === undefined) return { language: 'node' };
    throw new UsageError('NO_PYTHON_FILE', `${module} is no .py file, and a Python is given for it`, { remedy: 'Leave the Python out.' });
  }
  if (python !== undefined && statSync(python, { throwIfNoEntry: false })?.isFile() !== true)
    throw new UsageError('NO_PYTHON_FILE', `there is no Python at ${python}`, { remedy: 'Give the path of its program, such as .venv/bin/python.' });
  const interpreter = python ?? interpreterOf('shared');
  if (interpreter !== undefined) return { language: 'python', interpreter };
  throw new UsageError('PYTHON_NOT_SET_UP', `${module} needs Python, which is not set up`, { remedy: 'Run: agentgauge setup python shared' });
}

function ownRow(spec: RowSpec, modulePath: string, baseDirectory: string): RunnableRow {
  const module = resolve(baseDirectory, modulePath);
  if (ADAPTERS.some(({ id }) => id === spec.framework))
    throw new UsageError('NAME_TAKEN', `a row of your own is called ${spec.framework}, which is the name of a built-in adapter`, {
      remedy: 'Give it another name, or leave out its module.',
    });
  if (statSync(module, { throwIfNoEntry: false })?.isFile() !== true)
    throw new UsageError('NO_ADAPTER_FILE', `the adapter of row ${spec.framework} is not at ${module}`, { remedy: 'Paths are relative to the plan file.' });
  return {
    framework: spec.framework,
    shape: spec.shape,
    settings: spec.settings,
    ...(spec.configuration === undefined ? {} : { configuration: spec.configuration }),
    title: spec.framework,
    ...languageOf(module, spec.python === undefined ? undefined : resolve(baseDirectory, spec.python)),
    floor: false,
    module,
    exportName: spec.exportName ?? 'adapter',
    packages: [],
  };
}
