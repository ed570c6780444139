// Makes the table of sentences that recordings of generated sets are put together from (tasks/gaia/documents/utterances.json), and their recorded transcripts
// (tools/recorded-transcripts.json): each candidate is spoken, heard by the real recogniser, and kept if it was read right to the last word.
// Needs `agentgauge setup speech`, takes some ten minutes on a quiet core:  node scripts/speech/make-utterances.ts && biome check --write FILES
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { seededRandom } from '../../base/random.ts';
import { cacheDirectory } from '../../runners/cache-directory.ts';
import { normalizeText, readValue } from '../../tasks/evidence.ts';
import { SPEECH_RATE, speak } from '../../tasks/gaia/documents/speech-synthesis.ts';
import { UTTERANCES_FILE, type UtteranceTable } from '../../tasks/gaia/documents/utterances.ts';
import { longDate } from '../../tasks/gaia/world/calendar.ts';
import { stretchesOf, stretchKey } from '../../tools/audio-segments.ts';
import { SPEECH_ENGINE, SpeechRecogniser } from '../../tools/speech-recogniser.ts';
import { type RecordedTranscripts, TRANSCRIPTS_FILE } from '../../tools/transcripts.ts';
import { wordErrors, wordsOf } from './word-errors.ts';

const GOODS = ['paper', 'honey', 'butter', 'coffee', 'potatoes', 'bread', 'iron', 'cotton', 'copper', 'leather', 'wood', 'chocolate'];
const THINGS = ['table', 'carpet', 'piano', 'window', 'machine', 'bicycle', 'blanket', 'telephone', 'camera', 'mirror', 'jacket', 'basket'];
const PLACES = ['concert', 'party', 'meeting', 'market', 'museum', 'festival', 'wedding', 'lecture', 'parade', 'theatre', 'station', 'dinner'];
const BUILDINGS = ['library', 'bridge', 'station', 'theatre', 'hospital', 'museum', 'market', 'harbour', 'church', 'factory', 'castle', 'college'];
/** Tried of each. */
const TRIED_EACH = 12;

interface Candidate {
  readonly say: string;
  readonly about: string;
  readonly value: number | string;
}

const random = seededRandom('utterances', 1);

function numbered(names: readonly string[], say: (name: string, value: number) => string): Candidate[] {
  return names.flatMap((about) => distinct(TRIED_EACH, () => random.integer(21, 980)).map((value) => ({ say: say(about, value), about, value })));
}

function dated(names: readonly string[], say: (name: string, date: string) => string): Candidate[] {
  const day = () => `${random.integer(1921, 1998)}-${two(random.integer(1, 12))}-${two(random.integer(1, 28))}`;
  return names.flatMap((about) => distinct(TRIED_EACH, day).map((value) => ({ say: say(about, americanDate(value)), about, value })));
}

function distinct<T>(count: number, draw: () => T): T[] {
  const drawn = new Set<T>();
  while (drawn.size < count) drawn.add(draw());
  return [...drawn];
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** Some right words (`March 14th`) are in no form that plans read. */
function isReadable(heard: string, value: number | string): boolean {
  return readValue(normalizeText(heard), { name: 'value', label: '', after: [], kind: typeof value === 'number' ? 'number' : 'date' }, {}) === value;
}

/** `March 14, 1987`: the order in which the recogniser writes dates. */
function americanDate(iso: string): string {
  return longDate(iso).replace(/^(\d+) (\w+) (\d+)$/, '$2 $1, $3');
}

const recogniser = new SpeechRecogniser(join(cacheDirectory(), 'speech'));
const transcripts: Record<string, string> = {};
let [tried, words, wrong] = [0, 0, 0];

async function keptOf(list: readonly Candidate[]): Promise<[string, string, number | string][]> {
  const kept: [string, string, number | string][] = [];
  for (const { say, about, value } of list) {
    const [stretch, ...more] = stretchesOf({ rate: SPEECH_RATE, samples: await speak(say) });
    if (!stretch || more.length > 0) throw new Error(`${say} is not one stretch of speech`);
    const heard = await recogniser.hear({ samples: stretch.samples, rate: SPEECH_RATE });
    const errors = wordErrors(say, heard);
    tried += 1;
    words += wordsOf(say).length;
    wrong += errors;
    if (errors > 0 || !isReadable(heard, value)) {
      process.stderr.write(`${say} | ${heard}\n`);
      continue;
    }
    kept.push([say, about, value]);
    transcripts[stretchKey(SPEECH_RATE, stretch.samples)] = heard;
  }
  return kept;
}

const made = {
  weights: await keptOf(numbered(GOODS, (name, value) => `The weight of the ${name} was ${value} pounds.`)),
  prices: await keptOf(numbered(THINGS, (name, value) => `The price of the ${name} is ${value} dollars.`)),
  visitors: await keptOf(numbered(PLACES, (name, value) => `The number of people at the ${name} was ${value}.`)),
  openings: await keptOf(dated(BUILDINGS, (name, date) => `The ${name} was opened on ${date}.`)),
};
const kept = Object.values(made).reduce((sum, list) => sum + list.length, 0);
const facts = {
  engine: SPEECH_ENGINE,
  recordedOn: systemClock.nowIso().slice(0, 10),
  wordErrorPercent: Math.round((1_000 * wrong) / words) / 10,
  wordsMeasured: words,
};
const table = { madeBy: 'node scripts/speech/make-utterances.ts', ...facts, tried, ...made } as UtteranceTable;
writeFileSync(UTTERANCES_FILE, `${JSON.stringify(table, null, 2)}\n`);
writeFileSync(TRANSCRIPTS_FILE, `${JSON.stringify({ ...facts, transcripts } satisfies RecordedTranscripts, null, 2)}\n`);
process.stdout.write(`${kept} of ${tried} sentences kept; ${wrong} of ${words} words read wrongly\n`);
recogniser.close();
