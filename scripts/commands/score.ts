// `agentgauge score`: the official scorer as a filter. One line in, one line out, in order, however long the input is.
import { StringDecoder } from 'node:string_decoder';
import { UsageError } from '../../base/error.ts';
import { scoreAnswer } from '../../tasks/gaia/score.ts';
import type { Command } from '../command.ts';

export const score: Command = {
  name: 'score',
  summary: 'score answers as the official GAIA scorer does',
  usage: '< answers.jsonl',
  options: {},
  help: [
    'Reads JSON Lines {"answer": …, "target": …} from standard input and prints {"correct": …, "rule": "number" | "list" | "string"} for each line, in order.',
    'An answer of null (or none at all) is a missing answer. The answer is compared as it stands: no marker is looked for. Empty lines are passed over.',
    'Example:',
    `  $ echo '{"answer":"$1,500","target":"1500"}' | agentgauge score\n  {"correct":true,"rule":"number"}`,
  ].join('\n\n'),
  async run({ positionals }, io) {
    if (positionals.length > 0) {
      throw new UsageError('UNEXPECTED_ARGUMENT', `score takes no argument, found "${positionals[0]}"`, {
        remedy: 'Send the lines on standard input: agentgauge score < FILE',
      });
    }
    let number = 0;
    let pending = '';
    const flush = () => {
      if (pending !== '') io.out(pending);
      pending = '';
    };
    try {
      for await (const line of linesOf(io.stdin)) {
        if (io.signal.aborted) return 130;
        number++;
        if (line.trim() === '') continue;
        const { correct, rule } = scorePair(line, number);
        pending += `${JSON.stringify({ correct, rule })}\n`;
        if (pending.length > 65_536) flush();
      }
    } finally {
      flush();
    }
    return 0;
  },
};

function scorePair(line: string, number: number) {
  const { answer = null, target } = parseObject(line, number);
  if (typeof target !== 'string') throw badLine(number, `"target" must be text, found ${found(target)}`);
  if (answer !== null && typeof answer !== 'string') throw badLine(number, `"answer" must be text or null, found ${found(answer)}`);
  return scoreAnswer(answer, target);
}

function parseObject(line: string, number: number): { readonly answer?: unknown; readonly target?: unknown } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch (cause) {
    throw badLine(number, `it is no JSON: ${line.length > 80 ? `${line.slice(0, 80)}…` : line}`, cause);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw badLine(number, `expected an object, found ${found(parsed)}`);
  return parsed;
}

function badLine(number: number, what: string, cause?: unknown): UsageError {
  return new UsageError('BAD_LINE', `Line ${number} of standard input: ${what}`, {
    remedy: 'Each line must be {"answer": TEXT or null, "target": TEXT}.',
    cause,
  });
}

function found(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Lines end in LF alone. `node:readline` would also break at U+2028 and U+2029, which JSON allows inside a text. */
async function* linesOf(input: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  let first = true;
  for await (const chunk of input) {
    const pieces = (typeof chunk === 'string' ? chunk : decoder.write(chunk)).split('\n');
    const last = pieces.pop() ?? '';
    for (const piece of pieces) {
      parts.push(piece);
      const line = parts.join('');
      parts = [];
      yield first ? line.replace(/^\ufeff/, '') : line;
      first = false;
    }
    parts.push(last);
  }
  const rest = parts.join('') + decoder.end();
  if (rest !== '') yield first ? rest.replace(/^\ufeff/, '') : rest;
}
