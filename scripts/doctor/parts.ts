// What is installed or set up beside our own code: frameworks, libraries, Python, recognisers, models, keys. Never shows a key, only whether there is one.

import { installedVersion } from '../../adapters/installed-packages.ts';
import { ADAPTERS, type AdapterEntry } from '../../adapters/registry.ts';
import { DOCUMENT_PACKAGES, installCommandOf } from '../../base/install-command.ts';
import { cacheDirectory } from '../../runners/cache-directory.ts';
import { modelsHere } from '../../runners/local-models.ts';
import { interpreterOf, SANDBOX_ENVIRONMENT, whyAbsent } from '../../runners/python-environments.ts';
import { isVoiceReady, voiceCommand } from '../../tasks/gaia/documents/natural-voice.ts';
import { VOICES } from '../../tasks/task.ts';
import { OCR_PACKAGES } from '../../tools/ocr.ts';
import { openPython } from '../../tools/python.ts';
import { ROBOTS_VARIABLE } from '../../tools/robots.ts';
import { searchEnvironment } from '../../tools/search-providers.ts';
import { visionEnvironment } from '../../tools/vision-model.ts';
import { findPython } from '../python/find-python.ts';
import { runProgram } from '../python/run-program.ts';
import { isSpeechReady } from '../speech/set-up.ts';
import type { Check, Look } from './check.ts';

interface Group {
  readonly name: string;
  readonly packages: readonly string[];
  readonly neededFor: string;
  /** The default study builds its task set with them. */
  readonly byTheStudy?: true;
}

/** Optional packages that belong to no framework. */
export const GROUPS: readonly Group[] = [
  { name: 'documents', packages: DOCUMENT_PACKAGES, neededFor: 'task sets, and the tools that read files, pages and speech', byTheStudy: true },
  { name: 'pictures', packages: OCR_PACKAGES, neededFor: 'text in pictures of other sets than open68' },
  { name: 'JavaScript programs', packages: ['quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync'], neededFor: 'run_javascript' },
  { name: 'parquet', packages: ['hyparquet'], neededFor: 'gaia:DIR in its newer layout' },
];

export const PARTS: readonly Look[] = [
  frameworks,
  ...GROUPS.map((group) => () => libraries(group)),
  python,
  pythonRows,
  programs,
  bubblewrap,
  speech,
  naturalVoice,
  localModels,
  liveSearch,
  vision,
];

function missingOf(packages: readonly string[]): string[] {
  return packages.filter((name) => installedVersion(name, import.meta.url) === undefined);
}

function frameworks(): Check {
  const rows = ADAPTERS.filter(({ language }) => language === 'node');
  const absent = rows.filter((entry) => whyAbsent(entry) !== undefined);
  const found = `${rows.length - absent.length} of ${rows.length} rows: ${ids(rows.filter((entry) => !absent.includes(entry)))}`;
  if (absent.length === 0) return { name: 'Node rows', status: 'ok', found };
  const packages = [...new Set(absent.flatMap((entry) => missingOf(entry.packages)))];
  return { name: 'Node rows', status: 'absent', found, neededFor: `the rows ${ids(absent)}`, remedy: installCommandOf(packages) };
}

function ids(entries: readonly AdapterEntry[]): string {
  return entries.map(({ id }) => id).join(', ');
}

function libraries({ name, packages, neededFor, byTheStudy }: Group): Check {
  const missing = missingOf(packages);
  if (missing.length === 0) return { name, status: 'ok', found: packages.join(', ') };
  return { name, status: byTheStudy ? 'broken' : 'absent', found: `not installed: ${missing.join(', ')}`, neededFor, remedy: installCommandOf(missing) };
}

async function python(): Promise<Check> {
  const name = 'Python';
  const program = await findPython();
  if (program !== undefined) return { name, status: 'ok', found: program };
  const remedy = 'install one (apt install python3 python3-pip), or name it in AGENTGAUGE_PYTHON';
  return { name, status: 'absent', found: 'none of 3.11 to 3.13', neededFor: 'setting up Python rows', remedy };
}

function pythonRows(): Check {
  const name = 'Python rows';
  const rows = ADAPTERS.filter(({ environment }) => environment !== undefined);
  const absent = rows.filter((entry) => whyAbsent(entry) !== undefined);
  const found = `${rows.length - absent.length} of ${rows.length}`;
  if (absent.length === 0) return { name, status: 'ok', found };
  const environments = absent.length === rows.length ? [] : [...new Set(absent.map(({ environment }) => environment))];
  return {
    name,
    status: 'absent',
    found,
    neededFor: absent.length === rows.length ? 'all of them' : `the rows ${ids(absent)}`,
    remedy: ['agentgauge setup python', ...environments].join(' '),
  };
}

/** Which Python runs programs of models. CPython counts once it has run one there. */
async function programs(): Promise<Check> {
  const name = 'run_python';
  const interpreter = interpreterOf(SANDBOX_ENVIRONMENT.name);
  if (interpreter !== undefined) {
    const { key, describe, run } = await openPython({ interpreter, cacheDirectory: cacheDirectory() });
    if (key.startsWith('cpython')) return { name, status: 'ok', found: describe((await run({ code: '6 * 7', files: [] })).version) };
  }
  const version = installedVersion('pyodide', import.meta.url);
  if (version === undefined)
    return { name, status: 'absent', found: 'no Python in a sandbox', neededFor: 'programs that a model writes', remedy: installCommandOf(['pyodide']) };
  const found = `Pyodide ${version}: the standard library alone`;
  const remedy = interpreter === undefined ? 'agentgauge setup python sandbox, on Linux with bubblewrap' : 'see bubblewrap';
  return { name, status: 'absent', found, neededFor: 'numpy, pandas and openpyxl in programs of a model', remedy };
}

async function bubblewrap(): Promise<Check> {
  const name = 'bubblewrap';
  const probe = await runProgram('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']);
  if (probe.code === 0) return { name, status: 'ok', found: 'makes namespaces, without a network too' };
  const there = probe.code !== 127;
  const found = there ? `may make no namespaces: ${probe.err.trim().split('\n').at(-1)}` : 'not installed';
  return {
    name,
    status: 'absent',
    found,
    neededFor: 'CPython in run_python',
    remedy: there ? 'allow user namespaces, or do with Pyodide' : 'apt install bubblewrap',
  };
}

function speech(): Check {
  if (isSpeechReady()) return { name: 'speech', status: 'ok', found: 'Whisper tiny.en' };
  const neededFor = 'transcribe_audio in other sets than open68';
  return { name: 'speech', status: 'absent', found: 'not set up', neededFor, remedy: 'agentgauge setup speech' };
}

function naturalVoice(): Check {
  const name = 'natural voice';
  const ready = VOICES.filter((voice) => isVoiceReady(voice, cacheDirectory()));
  if (ready.length > 0) return { name, status: 'ok', found: ready.join(', ') };
  return { name, status: 'absent', found: 'not set up', neededFor: `task sets with voice=${VOICES[0]}`, remedy: voiceCommand(VOICES[0]) };
}

function localModels(): Check {
  const here = modelsHere();
  const named = (models: typeof here) => models.map(({ name, megabytes, licence }) => `${name} (${megabytes} MB, ${licence.split(' ')[0]})`).join(', ');
  const ready = here.filter(({ installed }) => installed);
  const missing = here.filter(({ installed }) => !installed);
  const others = missing.length === 0 ? '' : `to be had: ${named(missing)}`;
  if (ready.length > 0) return { name: 'local models', status: 'ok', found: [named(ready), ...(others === '' ? [] : [others])].join('; ') };
  const remedy = `agentgauge setup model ${missing[0]?.name ?? ''}`;
  return { name: 'local models', status: 'absent', found: `none set up; ${others}`, neededFor: '--model local:NAME', remedy };
}

function liveSearch(): Check {
  const name = 'live search';
  const provider = process.env['AGENTGAUGE_SEARCH'];
  const { [ROBOTS_VARIABLE]: robots, ...withKey } = searchEnvironment(process.env);
  const manners = robots === 'ignored' ? `; robots.txt is ignored, since ${ROBOTS_VARIABLE} says so` : '';
  if (provider && Object.keys(withKey).length > 1) return { name, status: 'ok', found: `${provider}, with a key${manners}` };
  return {
    name,
    status: 'absent',
    found: provider ? `AGENTGAUGE_SEARCH is ${provider}, without its key` : 'AGENTGAUGE_SEARCH is not set',
    neededFor: 'questions about the real web (gaia:DIR, jsonl:FILE)',
    remedy: 'set AGENTGAUGE_SEARCH to tavily, brave or serper, and its key',
  };
}

function vision(): Check {
  const name = 'vision model';
  const set = visionEnvironment(process.env);
  const model = set['AGENTGAUGE_VISION_MODEL'];
  if (model !== undefined && set['AGENTGAUGE_VISION_URL'] !== undefined) return { name, status: 'ok', found: model };
  const found = Object.keys(set).length === 0 ? 'AGENTGAUGE_VISION_URL and AGENTGAUGE_VISION_MODEL are not set' : `only ${Object.keys(set).join(', ')} is set`;
  return {
    name,
    status: 'absent',
    found,
    neededFor: 'describe_image beyond OCR, with real models',
    remedy: 'set both, and AGENTGAUGE_VISION_KEY where the server asks for one',
  };
}
