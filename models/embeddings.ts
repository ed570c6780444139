// Vectors for idioms that index something before they ask: a hashed bag of words and of word pairs, deterministic and marked as such. Texts that share words are
// near each other, and nothing more: no comparison of retrieval may rest on it.
import { createHash } from 'node:crypto';
import type { TokenCounter } from './count-tokens.ts';
import { asRecord, RequestError } from './read-request.ts';

export const EMBEDDING_MODEL = 'hashed-bag-of-words';
const DIMENSIONS = 256;
const MOST_DIMENSIONS = 4096;

/** @returns the body of the reply. @throws RequestError when the body asks for nothing that can be embedded */
export function embeddingsBody(parsed: unknown, tokens: TokenCounter): { readonly body: unknown; readonly inputTokens: number } {
  const request = asRecord(parsed);
  if (!request) throw new RequestError('We could not parse the JSON body of your request: an object is expected.');
  const texts = typeof request.input === 'string' ? [request.input] : Array.isArray(request.input) ? request.input.map(spelled) : undefined;
  if (texts === undefined || texts.length === 0 || texts.some((text) => text === undefined))
    throw new RequestError("Invalid type for 'input': text, a list of texts or of token lists is expected.", 'input');
  const wanted = request.dimensions ?? DIMENSIONS;
  if (typeof wanted !== 'number' || !Number.isInteger(wanted) || wanted < 1 || wanted > MOST_DIMENSIONS)
    throw new RequestError(`Invalid value for 'dimensions': a whole number from 1 to ${MOST_DIMENSIONS} is expected.`, 'dimensions');
  const data = (texts as string[]).map((text, index) => {
    const vector = embed(text, wanted);
    const embedding = request.encoding_format === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector;
    return { object: 'embedding', index, embedding };
  });
  const inputTokens = (texts as string[]).reduce((total, text) => total + tokens.count(text), 0);
  return { body: { object: 'list', data, model: EMBEDDING_MODEL, usage: { prompt_tokens: inputTokens, total_tokens: inputTokens } }, inputTokens };
}

/** A list of token numbers is as good a text as any: equal lists get equal vectors. */
function spelled(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry;
  if (typeof entry === 'number') return String(entry);
  return Array.isArray(entry) ? entry.join(' ') : undefined;
}

/** Of length 1; a text without words points along the first axis. */
export function embed(text: string, dimensions: number): number[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const vector = new Array<number>(dimensions).fill(0);
  const add = (feature: string, weight: number) => {
    const digest = createHash('sha256').update(feature).digest();
    const at = digest.readUInt32LE(0) % dimensions;
    vector[at] = (vector[at] ?? 0) + ((digest[4] as number & 1) ? weight : -weight);
  };
  words.forEach((word, at) => {
    add(word, 1);
    if (at > 0) add(`${words[at - 1]} ${word}`, 0.5);
  });
  const length = Math.hypot(...vector);
  if (length === 0) return [1, ...new Array<number>(dimensions - 1).fill(0)];
  return vector.map((value) => value / length);
}
