// Fills a JSON schema with an answer: what the model writes where a response format or an answer tool wants an object. Always valid for the schemas that agents use.
import type { JsonSchema } from './read-request.ts';

export interface AnswerWords {
  /** The whole reply, with the line that the instruction wants if it was asked for. */
  readonly reply: string;
  /** The answer alone. */
  readonly answer: string;
  readonly thought: string;
  /** Whether everything asked for was found: what a yes-or-no field about that says. Absent: the answer decides. */
  readonly complete?: boolean;
  /** A critic's: what yes-or-no fields and lists of verdicts say. */
  readonly approves?: boolean;
}

/** The same for every row: self-reported confidence tells nothing (method M4.11). */
const CONFIDENCE = 0.9;
const YES = /^(?:approved?|accept(?:ed)?|pass(?:ed)?|yes|ok|correct|good|valid|true|done|finish)/i;
const NO = /^(?:reject(?:ed)?|revise|fail(?:ed)?|no|incorrect|needs|retry|bad|invalid|false)/i;
const THOUGHT = /thought|reason|explanation|analysis|rationale|plan|comment|note/i;

/** Whether an object's schema asks for a verdict: a word for yes among words for no, or a yes-or-no field about acceptance. */
export function wantsVerdict({ properties = {} }: JsonSchema): boolean {
  return Object.entries(properties).some(([name, { type, enum: words = [] }]) =>
    words.length > 0
      ? words.some((word) => YES.test(String(word))) && words.some((word) => NO.test(String(word)))
      : type === 'boolean' && /approv|accept|valid|correct|pass|satisf|sufficient/i.test(name),
  );
}

export function fillSchema(schema: JsonSchema, words: AnswerWords): unknown {
  return fill(schema, 'answer', words, schema.$defs ?? {}, 0);
}

function fill(schema: JsonSchema, name: string, words: AnswerWords, defs: Readonly<Record<string, JsonSchema>>, depth: number): unknown {
  if (depth > 12) return null;
  if (schema.$ref !== undefined) return fill(defs[schema.$ref.split('/').at(-1) ?? ''] ?? {}, name, words, defs, depth + 1);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) {
    const verdict = words.approves === undefined ? undefined : schema.enum.find((entry) => (words.approves ? YES : NO).test(String(entry)));
    return schema.enum.find((entry) => String(entry) === words.answer) ?? verdict ?? schema.enum[0];
  }
  const branch = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].find((option) => option.type !== 'null');
  if (branch) return fill(branch, name, words, defs, depth + 1);
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? (schema.properties ? ['object'] : []));
  switch (types.find((type) => type !== 'null')) {
    case 'object':
      return fillObject(schema, words, defs, depth);
    case 'array':
      return schema.items ? [fill(schema.items, name, words, defs, depth + 1)] : [];
    case 'number':
    case 'integer': {
      if (/confidence|score|probability/i.test(name)) return CONFIDENCE;
      const number = Number(words.answer.replaceAll(',', ''));
      return words.answer.trim() !== '' && Number.isFinite(number) ? number : 0;
    }
    case 'boolean':
      if (words.approves !== undefined) return words.approves;
      if (words.complete !== undefined && /complete|done|found|success|finish|answered|solved/i.test(name)) return words.complete;
      return !/^(?:no|false)$/i.test(words.answer);
    case 'null':
      return null;
    default:
      return THOUGHT.test(name) ? words.thought : words.reply;
  }
}

function fillObject(schema: JsonSchema, words: AnswerWords, defs: Readonly<Record<string, JsonSchema>>, depth: number): unknown {
  const entries = Object.entries(schema.properties ?? {});
  return Object.fromEntries(entries.map(([key, property]) => [key, fill(property, key, words, defs, depth + 1)]));
}

/** Arguments for an answer tool: its schema filled; a tool without parameters gets none. */
export function answerArguments(schema: JsonSchema, words: AnswerWords): unknown {
  return fillSchema({ ...schema, type: 'object' }, words);
}
