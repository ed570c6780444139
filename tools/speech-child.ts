// The process that hears: Whisper through sherpa-onnx, native code that can be stopped only together with its process. Not started unless something must be
// transcribed that was never recorded. Started with the folder of the model; one request at a time.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { messageOf } from '../base/error.ts';
import type { HearReply, HearRequest } from './speech-recogniser.ts';

interface Stream {
  acceptWaveform(wave: { readonly samples: Float32Array; readonly sampleRate: number }): void;
}

interface Recogniser {
  createStream(): Stream;
  decode(stream: Stream): void;
  getResult(stream: Stream): { readonly text: string };
}

const require = createRequire(import.meta.url);
const folder = process.argv[2] as string;
const PAD_SECONDS = 0.2;
let recogniser: Recogniser | undefined;

function started(): Recogniser {
  const { OfflineRecognizer } = require('sherpa-onnx-node') as { OfflineRecognizer: new (options: object) => Recogniser };
  return new OfflineRecognizer({
    featConfig: { sampleRate: 16_000, featureDim: 80 },
    modelConfig: {
      // One thread: the same arithmetic everywhere, and no processor taken from what is measured.
      numThreads: 1,
      provider: 'cpu',
      tokens: join(folder, 'tokens.txt'),
      whisper: { encoder: join(folder, 'encoder.onnx'), decoder: join(folder, 'decoder.onnx'), language: 'en', task: 'transcribe', tailPaddings: 1_000 },
    },
  });
}

process.on('message', ({ samples, rate }: HearRequest) => {
  let reply: HearReply;
  try {
    recogniser ??= started();
    const pad = Math.round(PAD_SECONDS * rate);
    const padded = new Float32Array(samples.length + 2 * pad);
    for (let i = 0; i < samples.length; i++) padded[pad + i] = (samples[i] as number) / 32_768;
    const stream = recogniser.createStream();
    stream.acceptWaveform({ samples: padded, sampleRate: rate });
    recogniser.decode(stream);
    reply = { text: recogniser.getResult(stream).text.trim() };
  } catch (thrown) {
    reply = { failure: messageOf(thrown) };
  }
  process.send?.(reply);
});
// The broker is gone, so nobody listens any more.
process.on('disconnect', () => process.exit(0));
