// Records what a model said, and says it again: a back end around another one, and one in its place. A replayed request has the same key (cassette-key.ts), the same
// trial index and the same place among equal requests of its trial; what was never recorded is an error that shows the nearest request and what differs.
import { UsageError } from '../base/error.ts';
import { type Cassette, CassetteWriter, type RecordedAnswer, type RecordedExchange, readCassette } from './cassette-file.ts';
import { differenceOf, keyOf, partsOf, type RequestPart } from './cassette-key.ts';
import type { ModelRequest } from './read-request.ts';
import type { ReplySource, SourceAnswer, SourceTrial, TrialFacts, TrialTerms } from './reply-source.ts';

/** @param salt where what is said must not leave the machine: the cassette then holds salted hashes */
export function recordingSource(inner: ReplySource, file: string, salt?: string): ReplySource {
  const writer = new CassetteWriter(file, salt);
  return {
    ...inner,
    open: (terms) => {
      const trial = inner.open(terms);
      return {
        reply: async (request, signal) => {
          const parts = partsOf(request);
          const answer = await trial.reply(request, signal);
          // Nobody heard what was said after the client had left; a client that asks again is recorded when it asks.
          if (signal.aborted) return answer;
          const keep = (said: RecordedAnswer) => writer.exchange(terms.trialId, terms.trialIndex, parts, said);
          if (answer.kind === 'relay') return { ...answer, body: kept(answer.body, (body) => keep({ ...answer, body })) };
          const { settled: _, ...said } = answer.kind === 'message' ? answer : { settled: undefined, ...answer };
          keep(said as RecordedAnswer);
          return answer;
        },
        facts: () => {
          const facts = trial.facts();
          writer.facts(terms.trialId, facts);
          return facts;
        },
      };
    },
  };
}

/** Bytes as they come, and at their end all of them as text. */
async function* kept(body: AsyncIterable<Uint8Array>, whenWhole: (text: string) => void): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) {
    chunks.push(chunk);
    yield chunk;
  }
  whenWhole(Buffer.concat(chunks).toString('utf8'));
}

/** @param onMiss told of a request that was not recorded: the run cannot be the recorded one. @throws UsageError CASSETTE_MISSING, CASSETTE_INVALID, CASSETTE_REDACTED */
export function replayingSource(file: string, onMiss: (message: string) => void): ReplySource {
  const cassette = readCassette(file);
  if (cassette.isRedacted)
    throw new UsageError(
      'CASSETTE_REDACTED',
      `${file} was recorded over protected questions and holds hashes; the words lie in private/cassette.jsonl of the run that recorded it`,
      {
        remedy: 'Play that one.',
      },
    );
  const tapes = tapesOf(cassette);
  const taken = new Set<Tape>();
  return { models: ['cassette'], open: (terms) => new ReplayedTrial({ cassette, tapes: tapes.get(terms.trialIndex) ?? [], taken, terms, onMiss }) };
}

/** What was recorded of one trial. */
interface Tape {
  readonly trial: string;
  readonly byKey: Map<string, RecordedAnswer[]>;
}

function tapesOf({ exchanges }: Cassette): Map<number, Tape[]> {
  const tapes = new Map<string, Tape & { readonly trialIndex: number }>();
  for (const { trial, trialIndex, key, answer } of exchanges) {
    const tape = tapes.get(trial) ?? { trial, trialIndex, byKey: new Map() };
    tapes.set(trial, tape);
    tape.byKey.set(key, [...(tape.byKey.get(key) ?? []), answer]);
  }
  return Map.groupBy([...tapes.values()], ({ trialIndex }) => trialIndex);
}

interface Replay {
  readonly cassette: Cassette;
  readonly tapes: readonly Tape[];
  /** Those that are being played already. */
  readonly taken: Set<Tape>;
  readonly terms: TrialTerms;
  readonly onMiss: (message: string) => void;
}

class ReplayedTrial implements SourceTrial {
  readonly #replay: Replay;
  readonly #asked = new Map<string, number>();
  #tape: Tape | undefined;
  #missed = false;

  constructor(replay: Replay) {
    this.#replay = replay;
  }

  reply(request: ModelRequest): SourceAnswer {
    const parts = partsOf(request);
    const key = keyOf(parts);
    this.#tape ??= this.#choose(key);
    const order = this.#asked.get(key) ?? 0;
    const found = this.#tape?.byKey.get(key)?.[order];
    if (found === undefined) return this.#miss(parts, order);
    this.#asked.set(key, order + 1);
    return played(found);
  }

  facts(): TrialFacts {
    const recorded = this.#tape && this.#replay.cassette.facts.get(this.#tape.trial);
    return { ...recorded, harnessErrors: [...(recorded?.harnessErrors ?? []), ...(this.#missed ? ['replay-miss'] : [])] };
  }

  /** The recorded trial of the same number if it holds this request, else the first that does and is not played yet: one that begins with it before others. */
  #choose(key: string): Tape | undefined {
    const { tapes, taken, terms } = this.#replay;
    const free = tapes.filter((tape) => !taken.has(tape) && tape.byKey.has(key));
    const begins = (tape: Tape) => tape.byKey.keys().next().value === key;
    const chosen = free.find(({ trial }) => trial.endsWith(`:${terms.trialId}`)) ?? free.find(begins) ?? free[0];
    if (chosen) taken.add(chosen);
    return chosen;
  }

  #miss(parts: readonly RequestPart[], order: number): SourceAnswer {
    this.#missed = true;
    const { cassette, terms, onMiss } = this.#replay;
    const message = missWords(cassette.exchanges, parts, order, terms.trialIndex);
    onMiss(message);
    return { kind: 'error', status: 500, message, type: 'server_error', code: 'replay_miss', headers: { 'x-should-retry': 'false' } };
  }
}

function played(answer: RecordedAnswer): SourceAnswer {
  if (answer.kind !== 'relay') return answer;
  const bytes = Buffer.from(answer.body);
  return {
    ...answer,
    body: (async function* () {
      yield bytes;
    })(),
  };
}

/** The nearest is the one that shares the most parts; of those the one with the most in common at its beginning. */
function missWords(exchanges: readonly RecordedExchange[], parts: readonly RequestPart[], order: number, trialIndex: number): string {
  const texts = new Map(parts.map(({ name, text }) => [name, text]));
  const likeness = ({ parts: recorded }: RecordedExchange) =>
    recorded.filter(({ name, text }) => texts.get(name) === text).length - Math.abs(recorded.length - parts.length) / 100;
  const [nearest] = [...exchanges].sort((a, b) => likeness(b) - likeness(a));
  const asked = `A request of trial index ${trialIndex} with ${parts.length - 3} messages was not recorded${order > 0 ? ` for the ${order + 1}th time` : ''}.`;
  if (nearest === undefined) return `${asked} The cassette holds no request at all.`;
  return `${asked} Nearest is one of recorded trial ${nearest.trial.split(':')[1]}, trial index ${nearest.trialIndex}: ${differenceOf(nearest.parts, parts)}.`;
}
