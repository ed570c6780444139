// Transcripts of stretches of speech: those that were recorded, by content, else what the recogniser hears. A recorded one was made by a real run of the same
// recogniser (scripts/speech/make-utterances.ts) and is used wherever it fits, so that every machine hears the same and the sentences of generated sets need no recogniser.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { type Stretch, stretchKey } from './audio-segments.ts';
import { SPEECH_ENGINE, SpeechRecogniser } from './speech-recogniser.ts';

export interface RecordedTranscripts {
  readonly engine: string;
  /** `YYYY-MM-DD` */
  readonly recordedOn: string;
  /** Over all sentences that were tried when the table of sentences was made. */
  readonly wordErrorPercent: number;
  readonly wordsMeasured: number;
  readonly transcripts: Readonly<Record<string, string>>;
}

export interface Transcript {
  /** `undefined`: nothing was recorded, and the recogniser is not installed. */
  readonly lines: readonly (string | undefined)[];
  /** How it came about, for whoever reads the answer. */
  readonly method: string;
}

export const TRANSCRIPTS_FILE = new URL('./recorded-transcripts.json', import.meta.url);
let recorded: RecordedTranscripts | undefined;

function recordedTranscripts(): RecordedTranscripts | undefined {
  if (!recorded && existsSync(TRANSCRIPTS_FILE)) recorded = JSON.parse(readFileSync(TRANSCRIPTS_FILE, 'utf8')) as RecordedTranscripts;
  return recorded;
}

/** Changes with what was recorded: part of the key under which transcripts are cached. */
export function transcriptsVersion(): string {
  version ??= existsSync(TRANSCRIPTS_FILE) ? createHash('sha256').update(readFileSync(TRANSCRIPTS_FILE)).digest('hex').slice(0, 8) : 'none';
  return version;
}
let version: string | undefined;

const recognisers = new Map<string, SpeechRecogniser>();

function recogniserIn(folder: string): SpeechRecogniser {
  const known = recognisers.get(folder) ?? new SpeechRecogniser(folder);
  recognisers.set(folder, known);
  return known;
}

/** Whether what was never recorded can be heard too. */
export function hasRecogniser(folder: string): boolean {
  return recogniserIn(folder).isInstalled();
}

/** @param folder of the recogniser's model. @throws Finding when it takes too long; ToolError SPEECH_FAILED */
export async function transcribe(stretches: readonly Stretch[], rate: number, folder: string): Promise<Transcript> {
  const kept = recordedTranscripts();
  const recogniser = recogniserIn(folder);
  const lines: (string | undefined)[] = [];
  let heardNow = 0;
  let missing = 0;
  for (const { samples } of stretches) {
    const known = kept?.transcripts[stretchKey(rate, samples)];
    if (known !== undefined) lines.push(known);
    else if (recogniser.isInstalled()) {
      lines.push(await recogniser.hear({ samples, rate }));
      heardNow += 1;
    } else {
      lines.push(undefined);
      missing += 1;
    }
  }
  const wasRecorded = stretches.length > heardNow + missing;
  const methods = [
    ...(kept && wasRecorded ? [`${kept.engine}; recorded ${kept.recordedOn}, word error rate ${kept.wordErrorPercent} %`] : []),
    ...(heardNow > 0 ? [`${SPEECH_ENGINE}; heard now`] : []),
  ];
  return { lines, method: methods.join('; ') };
}
