// A natural voice in place of Flite: a voice of Piper, run by sherpa-onnx in a process of its own (voice-child.ts), since native code cannot be ended otherwise
// and its memory comes back with it. None of it ships: the user brings it (scripts/speech/set-up-voice.ts). A sentence is the same samples each time on one
// machine; on another processor a neural network may round otherwise.
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GaugeError } from '../../../base/error.ts';
import type { VoiceName } from '../../task.ts';
import type { Speaker } from './speech-synthesis.ts';
import { voiceReadings } from './utterances.ts';

const PACKAGE = 'sherpa-onnx-node';
/** Samples a second of Piper's voices of middle quality. */
const RATE = 22_050;
/** What the set-up leaves there. The last one is written when all is complete. */
const FILES = ['voice.onnx', 'tokens.txt', 'espeak-ng-data', 'ready'];

export type SpokenReply = { readonly samples: Int16Array; readonly rate: number } | { readonly failure: string };

/** One that is open is a process, until it is closed. */
export interface NaturalVoice extends Speaker {
  close(): void;
}

export function voiceFolder(voice: VoiceName, cacheDirectory: string): string {
  return join(cacheDirectory, 'voices', voice);
}

export function voiceCommand(voice: VoiceName): string {
  return `agentgauge setup speech --voice ${voice}`;
}

export function isVoiceReady(voice: VoiceName, cacheDirectory: string): boolean {
  if (!FILES.every((file) => existsSync(join(voiceFolder(voice, cacheDirectory), file)))) return false;
  try {
    createRequire(import.meta.url).resolve(PACKAGE);
    return true;
  } catch {
    return false;
  }
}

/** @throws GaugeError MISSING_VOICE; to speak throws VOICE_FAILED */
export function openVoice(voice: VoiceName, cacheDirectory: string): NaturalVoice {
  if (!isVoiceReady(voice, cacheDirectory))
    throw new GaugeError('MISSING_VOICE', `the voice ${voice}, which is to speak the recordings of the task set, is not set up`, {
      remedy: voiceCommand(voice),
    });
  const entry = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './voice-child.ts' : './voice-child.js', import.meta.url));
  const args = [voiceFolder(voice, cacheDirectory)];
  const child = fork(entry, args, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] });
  child.on('error', () => {});
  const spoken = new Map<string, Int16Array>();
  return {
    rate: RATE,
    // Read when a set asks: who makes these readings has none yet.
    get misread() {
      return voiceReadings(voice).misread;
    },
    speak: async (sentence) => {
      const kept = spoken.get(sentence);
      if (kept) return kept;
      const reply = await replyOf(child, sentence);
      if ('failure' in reply || reply.rate !== RATE) {
        const why = 'failure' in reply ? reply.failure : `it speaks ${reply.rate} samples a second, and ${RATE} are due`;
        throw new GaugeError('VOICE_FAILED', `the voice ${voice} failed: ${why}`, { remedy: `Delete ${args[0]}, then call: ${voiceCommand(voice)}` });
      }
      spoken.set(sentence, reply.samples);
      return reply.samples;
    },
    close: () => child.kill('SIGKILL'),
  };
}

function replyOf(child: ChildProcess, sentence: string): Promise<SpokenReply> {
  return new Promise((resolve) => {
    const settle = (reply: SpokenReply) => {
      child.off('message', settle).off('exit', died).off('error', failed);
      resolve(reply);
    };
    const died = (code: number | null, signal: string | null) => settle({ failure: `its process ended (${signal ?? code})` });
    const failed = ({ message }: Error) => settle({ failure: message });
    child.on('message', settle).on('exit', died).on('error', failed);
    child.send(sentence, (error) => {
      if (error) failed(error);
    });
  });
}
