// The process that speaks in a natural voice. Started with the folder of the voice; one sentence at a time.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { messageOf } from '../../../base/error.ts';
import type { SpokenReply } from './natural-voice.ts';

interface Synthesiser {
  generate(request: { readonly text: string; readonly sid: number; readonly speed: number; readonly enableExternalBuffer: boolean }): {
    readonly samples: Float32Array;
    readonly sampleRate: number;
  };
}

/** Such voices draw melody and length of sounds by chance, and differently each time. Zero itself is taken there for "not given". */
const CHANCE = 1e-20;
const folder = process.argv[2] as string;
let synthesiser: Synthesiser | undefined;

function started(): Synthesiser {
  const { OfflineTts } = createRequire(import.meta.url)('sherpa-onnx-node') as { OfflineTts: new (options: object) => Synthesiser };
  const [model, tokens, dataDir] = ['voice.onnx', 'tokens.txt', 'espeak-ng-data'].map((file) => join(folder, file));
  // One thread: the same order of sums each time.
  return new OfflineTts({ model: { vits: { model, tokens, dataDir, noiseScale: CHANCE, noiseScaleW: CHANCE }, numThreads: 1, provider: 'cpu' } });
}

process.on('message', (text: string) => {
  let reply: SpokenReply;
  try {
    synthesiser ??= started();
    const { samples, sampleRate } = synthesiser.generate({ text, sid: 0, speed: 1, enableExternalBuffer: false });
    reply = { rate: sampleRate, samples: Int16Array.from(samples, (sample) => Math.round(32_767 * Math.max(-1, Math.min(1, sample)))) };
  } catch (thrown) {
    reply = { failure: messageOf(thrown) };
  }
  process.send?.(reply);
});
// Whoever builds the set is gone.
process.on('disconnect', () => process.exit(0));
