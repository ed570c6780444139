// Packs the package, installs it as a stranger would, and proves what the packed form promises: the command runs, every export type-checks, the user's own
// `node` stays, and without optional packages engine and harness still load. `--quick` leaves out the study.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADAPTERS } from '../adapters/registry.ts';
import { systemClock } from '../base/clock.ts';
import { messageOf } from '../base/error.ts';
import { cloneRoot, mustRun, strangerEnvironment } from './run-child.ts';

const MOST_ENGINE_FILES = 4;
const OWN_ADAPTER = 'my-framework';

export interface PackOptions {
  /** Also runs the quick study from the installed package, about a minute. */
  readonly study: boolean;
  readonly say: (line: string) => void;
}

/** @returns what was shown, one line. @throws Error that says which promise does not hold */
export async function checkPack({ study, say }: PackOptions): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), 'pack-'));
  try {
    const env = strangerEnvironment({ XDG_CACHE_HOME: join(scratch, 'cache') });
    const tarball = await pack(scratch, env);
    say('packed');
    const full = await installInto(join(scratch, 'else where ü'), tarball, [], env);
    say(`installed elsewhere: ${full.cost}`);
    await showNodeIsTheUsers(full.folder, env);
    await mustRun('npx agentgauge list', 'npx', ['agentgauge', 'list'], { cwd: full.folder, env });
    say('npx agentgauge list runs, and node is still the user’s');
    await mustRun('init adapter', 'npx', ['agentgauge', 'init', 'adapter', OWN_ADAPTER], { cwd: full.folder, env });
    const names = await typeCheckExports(full.folder);
    say(`${names} exports and a fresh adapter type-check`);
    await mustRun('conformance of a fresh adapter', 'npx', ['agentgauge', 'conformance', `${OWN_ADAPTER}.ts`], { cwd: full.folder, env });
    say('a fresh adapter passes every case');
    say(`agentgauge/engine is ${await countEngineFiles(full.folder, env)} files on its import path`);
    const lean = await installInto(join(scratch, 'lean'), tarball, ['--omit=optional'], env);
    await importWithoutOptional(lean.folder, env);
    say(`without optional packages (${lean.cost}) every export still loads`);
    if (!study) return `packed, installed, ${names} exports type-check`;
    const { out } = await mustRun('the quick study from the packed package', 'npx', ['agentgauge', 'reproduce', '--quick', '--node-only', '--yes'], {
      cwd: full.folder,
      env,
    });
    // Also the rows whose packages npm leaves out on an old Node.
    const absent = ADAPTERS.filter(({ language, id }) => language === 'node' && !new RegExp(`^${id} `, 'm').test(out)).map(({ id }) => id);
    if (!/table 1/i.test(out) || absent.length > 0) throw new Error(`the quick study printed no row of ${absent.join(', ')}:\n${out.slice(-2000)}`);
    say('the quick study runs from the packed package');
    return `packed, installed, ${names} exports type-check, quick study ran`;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function pack(scratch: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { out } = await mustRun('npm pack', 'npm', ['pack', '--json', '--pack-destination', scratch], { env });
  const [packed] = JSON.parse(out.slice(out.indexOf('['))) as { filename: string; files: { path: string }[] }[];
  if (packed === undefined) throw new Error(`npm pack said nothing:\n${out}`);
  const unwanted = packed.files
    .map(({ path }) => path)
    .filter((path) => /\.test\.|fixtures|node_modules|^dist\/(bench|examples)\/|^dist\/scripts\/(check|run-child|module-facts)/.test(path));
  if (unwanted.length > 0) throw new Error(`the package carries what it should not: ${unwanted.join(', ')}`);
  return join(scratch, packed.filename);
}

interface Installed {
  readonly folder: string;
  /** Size and time in words: what the README says of them is taken from here. */
  readonly cost: string;
}

async function installInto(folder: string, tarball: string, flags: readonly string[], env: NodeJS.ProcessEnv): Promise<Installed> {
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'stranger', private: true, type: 'module', scripts: { where: 'node -p process.execPath' } }),
  );
  const startMs = systemClock.nowMs();
  await mustRun('npm install', 'npm', ['install', tarball, '--no-audit', '--no-fund', ...flags], { cwd: folder, env });
  const seconds = ((systemClock.nowMs() - startMs) / 1000).toFixed(0);
  const { out } = await mustRun('du', 'du', ['-sm', join(folder, 'node_modules')]);
  return { folder, cost: `${Number.parseInt(out, 10)} MB, ${seconds} s` };
}

async function showNodeIsTheUsers(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const [own, inScript] = await Promise.all([
    mustRun('node', 'node', ['-p', 'process.execPath'], { cwd: folder, env }),
    mustRun('npm run where', 'npm', ['run', '-s', 'where'], { cwd: folder, env }),
  ]);
  if (own.out !== inScript.out) throw new Error(`the user's node is ${own.out.trim()}, but in their npm scripts it is ${inScript.out.trim()}`);
}

function exportNames(): string[] {
  const manifest = JSON.parse(readFileSync(join(cloneRoot, 'package.json'), 'utf8')) as { exports: Readonly<Record<string, unknown>> };
  const names = Object.keys(manifest.exports).filter((name) => !name.endsWith('.json'));
  return names.map((name) => name.replace(/^\./, 'agentgauge'));
}

/** Our declarations are checked too (`skipLibCheck: false`), in a project that has nothing but our package: with Node's types beside it, and without any. */
async function typeCheckExports(folder: string): Promise<number> {
  const names = exportNames();
  const lines = names.map(
    (name, index) => `import * as part${index} from '${name}';\nexport const keys${index}: readonly string[] = Object.keys(part${index});`,
  );
  writeFileSync(join(folder, 'consumer.ts'), `${lines.join('\n')}\n`);
  const compilerOptions = { module: 'NodeNext', target: 'ES2024', lib: ['ES2024', 'DOM'], strict: true, noEmit: true, skipLibCheck: false };
  const typeRoots = [join(cloneRoot, 'node_modules', '@types')];
  const projects = { 'with-node': { types: ['node'], typeRoots }, bare: { types: [], typeRoots: [] } };
  for (const [name, types] of Object.entries(projects)) {
    const project = join(folder, `tsconfig.${name}.json`);
    writeFileSync(project, JSON.stringify({ compilerOptions: { ...compilerOptions, ...types }, files: ['consumer.ts', `${OWN_ADAPTER}.ts`] }));
    await mustRun(`type check of every export (${name})`, process.execPath, [join(cloneRoot, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', project], {
      cwd: folder,
    });
  }
  return names.length;
}

/** The engine comes as one file with a few beside it; as its modules it would cost three times as long to import. */
async function countEngineFiles(folder: string, env: NodeJS.ProcessEnv): Promise<number> {
  const text = `import { registerHooks } from 'node:module';
let count = 0;
registerHooks({ load(url, context, next) { count++; return next(url, context); } });
await import('agentgauge/engine');
console.log(count);`;
  writeFileSync(join(folder, 'count.mjs'), text);
  const { out } = await mustRun('import of the engine', process.execPath, ['count.mjs'], { cwd: folder, env });
  const count = Number(out);
  if (!(count >= 1 && count <= MOST_ENGINE_FILES)) throw new Error(`importing agentgauge/engine loads ${count} files, more than ${MOST_ENGINE_FILES}`);
  return count;
}

async function importWithoutOptional(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const text = exportNames()
    .map((name) => `await import('${name}');`)
    .join('\n');
  writeFileSync(join(folder, 'load.mjs'), text);
  await mustRun('import without optional packages', process.execPath, ['load.mjs'], { cwd: folder, env });
  const { out } = await mustRun('list without optional packages', 'npx', ['agentgauge', 'list', 'adapters'], { cwd: folder, env });
  if (!/npm install/.test(out)) throw new Error(`list adapters names no command for a missing framework:\n${out}`);
}

if (import.meta.main) {
  try {
    await checkPack({ study: !process.argv.includes('--quick'), say: (line) => process.stdout.write(`pack: ${line}\n`) });
  } catch (error) {
    process.stdout.write(`pack: FAILED: ${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}
