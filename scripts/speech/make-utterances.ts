// Makes the table of sentences that recordings of generated sets are put together from (tasks/gaia/documents/utterances.json), and their recorded transcripts
// (tools/recorded-transcripts.json): each candidate is spoken, heard by the real recogniser, and kept if it was read right to the last word.
// Needs `agentgauge setup speech`, takes some ten minutes on a quiet core:  node scripts/speech/make-utterances.ts && biome check --write FILES
// With the name of a natural voice that is set up it lets the voice say the sentences of that table, and lists those that are misread (utterances-NAME.json):
//   node scripts/speech/make-utterances.ts joe
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { seededRandom } from '../../base/random.ts';
import { cacheDirectory } from '../../runners/cache-directory.ts';
import { normalizeText, readValue } from '../../tasks/evidence.ts';
import { openVoice } from '../../tasks/gaia/documents/natural-voice.ts';
import { FLITE, type Speaker } from '../../tasks/gaia/documents/speech-synthesis.ts';
import { UTTERANCES_FILE, type UtteranceTable, utterances, type VoiceReadings, voiceReadingsFile } from '../../tasks/gaia/documents/utterances.ts';
import { longDate } from '../../tasks/gaia/world/calendar.ts';
import { VOICES, type VoiceName } from '../../tasks/task.ts';
import { stretchesOf, stretchKey } from '../../tools/audio-segments.ts';
import { SPEECH_ENGINE, SpeechRecogniser } from '../../tools/speech-recogniser.ts';
import { type RecordedTranscripts, TRANSCRIPTS_FILE } from '../../tools/transcripts.ts';
import { VOICE_SOURCES } from './set-up-voice.ts';
import { wordErrors, wordsOf } from './word-errors.ts';

const GOODS = ['paper', 'honey', 'butter', 'coffee', 'potatoes', 'bread', 'iron', 'cotton', 'copper', 'leather', 'wood', 'chocolate'];
const THINGS = ['table', 'carpet', 'piano', 'window', 'machine', 'bicycle', 'blanket', 'telephone', 'camera', 'mirror', 'jacket', 'basket'];
const PLACES = ['concert', 'party', 'meeting', 'market', 'museum', 'festival', 'wedding', 'lecture', 'parade', 'theatre', 'station', 'dinner'];
const BUILDINGS = ['library', 'bridge', 'station', 'theatre', 'hospital', 'museum', 'market', 'harbour', 'church', 'factory', 'castle', 'college'];
/** One that waits for its turn on a busy machine is no failure of the recogniser. */
const PATIENCE_MS = 600_000;
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

const voice = VOICES.find((name) => name === process.argv[2]);
if (process.argv[2] !== undefined && voice === undefined) throw new Error(`there is no voice ${process.argv[2]}`);
let [tried, words, wrong] = [0, 0, 0];

function newRecogniser(): SpeechRecogniser {
  return new SpeechRecogniser(join(cacheDirectory(), 'speech'), PATIENCE_MS);
}

interface Heard {
  readonly heard: string;
  /** To the last word. */
  readonly right: boolean;
  readonly key: string;
}

async function readingOf({ say, value }: Omit<Candidate, 'about'>, recogniser: SpeechRecogniser, speaker: Speaker): Promise<Heard> {
  const [stretch, ...more] = stretchesOf({ rate: speaker.rate, samples: await speaker.speak(say) });
  if (!stretch || more.length > 0) throw new Error(`${say} is not one stretch of speech`);
  const heard = await recogniser.hear({ samples: stretch.samples, rate: speaker.rate });
  const errors = wordErrors(say, heard);
  tried += 1;
  words += wordsOf(say).length;
  wrong += errors;
  const right = errors === 0 && isReadable(heard, value);
  if (!right) process.stderr.write(`${say} | ${heard}\n`);
  return { heard, right, key: stretchKey(speaker.rate, stretch.samples) };
}

function factsOf(): Pick<UtteranceTable, 'engine' | 'recordedOn' | 'wordErrorPercent' | 'wordsMeasured'> {
  const wordErrorPercent = Math.round((1_000 * wrong) / words) / 10;
  return { engine: SPEECH_ENGINE, recordedOn: systemClock.nowIso().slice(0, 10), wordErrorPercent, wordsMeasured: words };
}

async function makeTable(): Promise<void> {
  const recogniser = newRecogniser();
  const transcripts: Record<string, string> = {};
  const keptOf = async (list: readonly Candidate[]) => {
    const kept: [string, string, number | string][] = [];
    for (const { say, about, value } of list) {
      const { heard, right, key } = await readingOf({ say, value }, recogniser, FLITE);
      if (!right) continue;
      kept.push([say, about, value]);
      transcripts[key] = heard;
    }
    return kept;
  };
  const made = {
    weights: await keptOf(numbered(GOODS, (name, value) => `The weight of the ${name} was ${value} pounds.`)),
    prices: await keptOf(numbered(THINGS, (name, value) => `The price of the ${name} is ${value} dollars.`)),
    visitors: await keptOf(numbered(PLACES, (name, value) => `The number of people at the ${name} was ${value}.`)),
    openings: await keptOf(dated(BUILDINGS, (name, date) => `The ${name} was opened on ${date}.`)),
  };
  const table = { madeBy: 'node scripts/speech/make-utterances.ts', ...factsOf(), tried, ...made } as UtteranceTable;
  writeFileSync(UTTERANCES_FILE, `${JSON.stringify(table, null, 2)}\n`);
  writeFileSync(TRANSCRIPTS_FILE, `${JSON.stringify({ ...factsOf(), transcripts } satisfies RecordedTranscripts, null, 2)}\n`);
  recogniser.close();
}

async function readAgain(name: VoiceName): Promise<void> {
  const { weights, prices, visitors, openings } = utterances();
  const all = [...weights, ...prices, ...visitors, ...openings];
  const misread = new Map<string, string>();
  const left = all.values();
  const lane = async () => {
    const [recogniser, speaker] = [newRecogniser(), openVoice(name, cacheDirectory())];
    for (const [say, , value] of left) {
      const { heard, right } = await readingOf({ say, value }, recogniser, speaker);
      if (!right) misread.set(say, heard);
    }
    recogniser.close();
    speaker.close();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  const inOrder = Object.fromEntries(all.flatMap(([say]) => (misread.has(say) ? [[say, misread.get(say) as string]] : [])));
  const { wheel, pronunciation } = VOICE_SOURCES[name];
  const source = [wheel, pronunciation].map((part) => `${part.name} ${part.version}`).join(', ');
  const readings: VoiceReadings = { madeBy: `node scripts/speech/make-utterances.ts ${name}`, voice: source, ...factsOf(), tried, misread: inOrder };
  writeFileSync(voiceReadingsFile(name), `${JSON.stringify(readings, null, 2)}\n`);
}

await (voice === undefined ? makeTable() : readAgain(voice));
process.stdout.write(`${tried} sentences; ${wrong} of ${words} words read wrongly\n`);
