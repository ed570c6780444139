// Holds the modules of dist/ against the arrows that this project draws between its folders, and against its two places for time and chance.
// Reads emitted JavaScript, so type-only imports may cross any border; fails when it sees fewer modules than there are sources.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ModuleFacts, readModuleFacts } from './module-facts.ts';

const BELOW_SCRIPTS = ['base', 'engine', 'adapters', 'models', 'tools', 'tasks', 'metrics', 'runners', 'reports'];

/** Folder → folders that its modules may import, beside itself. `.` is index.ts. */
export const ARROWS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  engine: [],
  tasks: ['base'],
  metrics: ['base'],
  models: ['base', 'tasks'],
  tools: ['base', 'tasks'],
  adapters: ['base', 'engine'],
  runners: ['base', 'adapters', 'models', 'tools', 'tasks', 'metrics'],
  reports: ['base', 'metrics'],
  scripts: BELOW_SCRIPTS,
  bench: [...BELOW_SCRIPTS, 'scripts', '.'],
  examples: [...BELOW_SCRIPTS, 'scripts', '.'],
  '.': BELOW_SCRIPTS,
};

/** Folders whose modules load nothing but Node's own: what they cost is ours alone. What only their tests load may. */
const WITHOUT_PACKAGES = ['base', 'engine'];

/** Where a target may be computed: a worker loads the adapter that it is told to, a command the user's plan or adapter, a bench what is never built or installed with us. */
const COMPUTED_IMPORTS = [
  'adapters/worker.js',
  'adapters/load-adapter.js',
  'scripts/commands/run.js',
  'bench/graph/contestants.js',
  'models/held-out.js',
  'models/local-child.js',
  'tasks/held-out-set.js',
];

/** The engine imports nothing of ours, so it has a clock of its own, which its callers may replace. */
const AMBIENT_READERS = ['base/clock.js', 'base/random.js', 'engine/clock.js'];

export interface ArrowReport {
  readonly modules: number;
  readonly imports: number;
  /** One sentence each; empty when all is well. */
  readonly problems: readonly string[];
}

export interface ArrowOptions {
  /** Folder with the sources and `dist/`. */
  readonly root: string;
}

export function checkArrows({ root }: ArrowOptions): ArrowReport {
  const sources = listFiles(root, '.ts').filter((file) => !/\.(test|d)\.ts$/.test(file));
  const modules = new Set(listFiles(join(root, 'dist'), '.js'));
  const problems = sources.filter((file) => !modules.has(emittedName(file))).map((file) => `${file}: not in dist/, so its imports were not seen; build first`);
  const manifest = readManifest(root);
  const staticImports = new Map<string, readonly string[]>();
  let imports = 0;
  for (const module of modules) {
    const facts = readModuleFacts(module, readFileSync(join(root, 'dist', module), 'utf8'));
    staticImports.set(module, facts.imports);
    imports += facts.imports.length + facts.lateImports.length;
    problems.push(...judge(module, facts));
  }
  problems.push(...judgeEntries(manifest, staticImports));
  if (modules.size === 0) problems.push('dist/ holds no module; build first');
  return { modules: modules.size, imports, problems };
}

function judge(module: string, facts: ModuleFacts): string[] {
  const from = folderOf(module);
  const allowed = ARROWS[from];
  if (allowed === undefined) return [`${module}: no arrow is drawn for the folder ${from}/`];
  const ofTests = module.includes('/fixtures/');
  const problems: string[] = [];
  for (const specifier of [...facts.imports, ...facts.lateImports]) {
    const to = targetFolder(module, specifier);
    if (to === undefined) {
      if (WITHOUT_PACKAGES.includes(from) && !ofTests)
        problems.push(`${module} imports the package ${specifier}: ${from}/ loads nothing but Node's own modules`);
    } else if (to !== from && to !== 'outside' && !allowed.includes(to)) {
      problems.push(`${module} imports ${specifier}: ${from}/ may import ${allowed.length === 0 ? 'nothing of ours' : allowed.join(', ')}`);
    }
  }
  if (!COMPUTED_IMPORTS.includes(module) && !ofTests)
    for (const text of facts.computedImports) problems.push(`${module} computes what it imports (${text}), which no check can follow`);
  if (!AMBIENT_READERS.includes(module))
    for (const read of facts.ambientReads) problems.push(`${module} reads ${read}: take a clock or a random source from base/`);
  return problems;
}

interface Manifest {
  readonly exports?: Readonly<Record<string, string | { readonly default: string }>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function readManifest(root: string): Manifest {
  const file = join(root, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {};
}

/** What a user imports, and the command line, must load where every optional package is missing: those are imported late, by who needs them. */
function judgeEntries({ exports = {}, optionalDependencies = {} }: Manifest, staticImports: ReadonlyMap<string, readonly string[]>): string[] {
  const targets = Object.values(exports).map((target) => (typeof target === 'string' ? target : target.default));
  const entries = [...targets.map((target) => target.replace(/^\.\/(dist\/)?/, '')), 'scripts/cli.js'].filter((entry) => staticImports.has(entry));
  const problems: string[] = [];
  for (const entry of entries) {
    const reached = new Set([entry]);
    for (const module of reached) {
      for (const specifier of staticImports.get(module) ?? []) {
        const target = posix.normalize(posix.join(posix.dirname(module), specifier));
        if (specifier.startsWith('.') && staticImports.has(target)) reached.add(target);
        const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
        if (name in optionalDependencies) problems.push(`${entry} loads the optional package ${name} at once, through ${module}: import it late`);
      }
    }
  }
  return problems;
}

/** @returns the folder that a specifier leads to, `.` for the package itself, `outside` for Node's modules and files beside dist/, undefined for another package. */
function targetFolder(module: string, specifier: string): string | undefined {
  if (specifier.startsWith('node:') || /^(file|data|https?):/.test(specifier)) return 'outside';
  if (specifier === 'agentgauge' || specifier.startsWith('agentgauge/')) return '.';
  if (!/^\.{0,2}\//.test(specifier) && specifier !== '.' && specifier !== '..') return undefined;
  const target = posix.normalize(posix.join(posix.dirname(module), specifier));
  if (target === '.' || target === './' || target.startsWith('..')) return 'outside'; // the package's own folder, or files beside dist/
  return /\.(js|ts|mjs)$/.test(target) ? folderOf(target) : folderOf(`${target.replace(/\/$/, '')}/`);
}

function folderOf(module: string): string {
  return module.includes('/') && !module.startsWith('./') ? (module.split('/')[0] ?? '.') : '.';
}

function emittedName(source: string): string {
  return source.replace(/\.ts$/, '.js');
}

/** Files of the known folders, relative and sorted. */
function listFiles(root: string, ending: string): string[] {
  const found: string[] = existsSync(join(root, `index${ending}`)) ? [`index${ending}`] : [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== 'node_modules') walk(path);
      else if (entry.name.endsWith(ending)) found.push(path);
    }
  };
  const unknown = existsSync(root) ? readdirSync(root, { withFileTypes: true }) : [];
  for (const entry of unknown) {
    const isOurs = entry.isDirectory() && !entry.name.startsWith('.') && !['node_modules', 'dist', 'runs', 'coverage'].includes(entry.name);
    if (isOurs) walk(entry.name);
  }
  return found.sort();
}

if (import.meta.main) {
  const dist = dirname(dirname(fileURLToPath(import.meta.url)));
  const { modules, imports, problems } = checkArrows({ root: dirname(dist) });
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(
    problems.length === 0 ? `${modules} modules, ${imports} imports, every arrow allowed\n` : `${problems.length} problems in ${modules} modules\n`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}
