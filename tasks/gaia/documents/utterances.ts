// Sentences for recordings, each of which the pinned recogniser was seen to read right. How they were found: scripts/speech/make-utterances.ts.
import { readFileSync } from 'node:fs';
import type { VoiceName } from '../../task.ts';

export type Utterance<Value> = readonly [say: string, about: string, value: Value];

export interface UtteranceTable {
  readonly madeBy: string;
  readonly engine: string;
  /** `YYYY-MM-DD` */
  readonly recordedOn: string;
  /** Over all sentences that were tried, also those that are not kept. */
  readonly wordErrorPercent: number;
  readonly wordsMeasured: number;
  readonly tried: number;
  /** In pounds. */
  readonly weights: readonly Utterance<number>[];
  /** In dollars. */
  readonly prices: readonly Utterance<number>[];
  /** How many people came. */
  readonly visitors: readonly Utterance<number>[];
  /** On which day something was opened. */
  readonly openings: readonly Utterance<string>[];
}

export const UTTERANCES_FILE = new URL('./utterances.json', import.meta.url);
let loaded: UtteranceTable | undefined;

export function utterances(): UtteranceTable {
  loaded ??= JSON.parse(readFileSync(UTTERANCES_FILE, 'utf8')) as UtteranceTable;
  return loaded;
}

/** How the same sentences are read when a natural voice speaks them. */
export interface VoiceReadings extends Omit<UtteranceTable, 'weights' | 'prices' | 'visitors' | 'openings'> {
  /** Where the voice came from. */
  readonly voice: string;
  /** What was heard in place of a sentence. */
  readonly misread: Readonly<Record<string, string>>;
}

export function voiceReadingsFile(voice: VoiceName): URL {
  return new URL(`./utterances-${voice}.json`, import.meta.url);
}

export function voiceReadings(voice: VoiceName): VoiceReadings {
  return JSON.parse(readFileSync(voiceReadingsFile(voice), 'utf8')) as VoiceReadings;
}
