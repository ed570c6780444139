// Turns a CTranslate2 folder of an English Whisper into what sherpa-onnx reads: two ONNX graphs and a list of words. Nothing is trained, rounded or quantised.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GaugeError } from '../../base/error.ts';
import { readWeights } from './weights-file.ts';
import { decoderGraph, encoderGraph, type Vocabulary } from './whisper-graphs.ts';

interface Tokenizer {
  readonly added_tokens: readonly { readonly content: string; readonly id: number }[];
  readonly model: { readonly vocab: Readonly<Record<string, number>> };
}

/** @param model content of `model.bin`; `tokenizer`: content of `tokenizer.json`. Writes `encoder.onnx`, `decoder.onnx`, `tokens.txt` into an existing folder. */
export function convertWhisper(model: Uint8Array, tokenizer: string, folder: string): void {
  const weights = readWeights(model);
  const words = JSON.parse(tokenizer) as Tokenizer;
  writeFileSync(join(folder, 'encoder.onnx'), encoderGraph(weights, vocabularyOf(words)));
  writeFileSync(join(folder, 'decoder.onnx'), decoderGraph(weights));
  writeFileSync(join(folder, 'tokens.txt'), tokenLines(words));
}

function vocabularyOf({ added_tokens, model: { vocab } }: Tokenizer): Vocabulary {
  const marks = new Map(added_tokens.map(({ content, id }) => [content, id]));
  const of = (...names: readonly string[]): number => {
    for (const name of names) {
      const id = marks.get(`<|${name}|>`);
      if (id !== undefined) return id;
    }
    return broken(names.join(' or '));
  };
  return {
    start: of('startoftranscript'),
    end: of('endoftext'),
    blank: vocab['Ġ'] ?? broken('blank'),
    translate: of('translate'),
    transcribe: of('transcribe'),
    noTimestamps: of('notimestamps'),
    noSpeech: of('nospeech', 'nocaptions'),
    startOfPrevious: of('startofprev'),
    startOfModel: of('startoflm'),
  };
}

function broken(missing: string): never {
  throw new GaugeError('WEIGHTS_BROKEN', `the list of words has no mark ${missing}`);
}

/** One word a line, its bytes in base64. The tokenizer writes a byte as a letter: printable ones as themselves, others in order from U+0100. */
function tokenLines({ added_tokens, model: { vocab } }: Tokenizer): string {
  const bytes = new Map<string, number>();
  let next = 0x100;
  for (let byte = 0; byte < 0x100; byte++) {
    const printable = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    bytes.set(String.fromCodePoint(printable ? byte : next++), byte);
  }
  const marks = new Set(added_tokens.map(({ id }) => id));
  return Object.entries(vocab)
    .filter(([, id]) => !marks.has(id))
    .sort(([, one], [, other]) => one - other)
    .map(([word, id]) => `${Buffer.from([...word].map((letter) => bytes.get(letter) ?? 0)).toString('base64')} ${id}\n`)
    .join('');
}
