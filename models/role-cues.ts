// The words and schemas by which a request shows that it wants a plan and not an answer (method M4.3). Generic: none is taken from a prompt of ours or of a framework.
import type { JsonSchema, ModelRequest } from './read-request.ts';

const PARTS = '(?:sub-?(?:tasks?|questions?|problems?|goals?)|steps|parts|pieces|to-?dos)';
const STRONG = [
  new RegExp(`\\b(?:break|split|divide|decompose|cut)\\b[^.]{0,80}\\b${PARTS}\\b`),
  new RegExp(`\\b(?:list|plan|sequence|outline|series) of (?:\\w+ ){0,3}${PARTS}\\b`),
  /\bwhich sub-?(?:tasks|questions|problems|goals)\b/,
];
/** Words that also stand in prompts for one who plans aloud and then answers: they count only where the task needs tools and none are there. */
const WEAK = [
  /\b(?:make|write|create|produce|give|draft|devise|prepare|return) (?:a|an|the|your) (?:\w+[ -]){0,3}plan\b/,
  /\byou are (?:a|the) (?:\w+ ){0,3}planner\b/,
];

/** A client's knock at the door before it works: one user text, a greeting and nothing else, without tools. It asks for nothing, so it is no part. */
export function isKnock({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): boolean {
  const [only] = messages;
  return tools.length === 0 && messages.length === 1 && only?.role === 'user' && /^\s*(?:hello|hi|hey|ping|test)\s*[.!?]*\s*$/i.test(only.text);
}

/** @param text canonical, without question and instruction. */
export function asksForPlan(text: string, needsTools: boolean): boolean {
  return STRONG.some((cue) => cue.test(text)) || (needsTools && WEAK.some((cue) => cue.test(text)));
}

const LIST_NAME = /^(?:sub-?_?(?:tasks?|questions?|problems?|goals?)|tasks?|steps?|plan|parts?|to-?_?dos?|questions?|queries|goals?)$/i;

/** Whether a schema wants a list of subtasks: it is one, or one of its properties is. */
export function wantsPlan(schema: JsonSchema): boolean {
  return isList(schema) || planProperty(schema) !== undefined;
}

/** Name of the property that takes the list. */
export function planProperty(schema: JsonSchema): string | undefined {
  return Object.entries(schema.properties ?? {}).find(([name, property]) => LIST_NAME.test(name) && isList(property))?.[0];
}

function isList(schema: JsonSchema): boolean {
  return schema.type === 'array' || (Array.isArray(schema.type) && schema.type.includes('array'));
}

/** Whether plain text is to hold JSON. */
export function asksForJson(text: string): boolean {
  return /\bjson\b/.test(text);
}

/** A JSON schema that stands in the words, where a client has no field for one. @param told as it was written */
export function schemaInWords(told: string): JsonSchema | undefined {
  const start = told.search(/\{\s*"(?:\$schema|\$defs|title|description|type|properties)"\s*:/);
  if (start === -1) return undefined;
  const text = told.slice(start);
  let depth = 0;
  for (const { 0: mark, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (mark === '{') depth += 1;
    if (mark !== '}' || --depth > 0) continue;
    try {
      return JSON.parse(text.slice(0, index + 1)) as JsonSchema;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

const VERDICT = [
  /\byou are (?:a|an|the) (?:\w+ ){0,3}(?:critic|reviewer|verifier|checker|judge|evaluator|auditor|examiner)\b/,
  /\b(?:review|critique|check|verify|evaluate|assess|judge|grade) (?:whether )?(?:(?:the|this|that|their|its|his|her|any|each|proposed|given) )+(?:\w+ ){0,2}(?:answer|response|solution|reply|work|result|draft|output|proposal)s?\b/,
];

/** Whether somebody else's answer is to be judged. @param text canonical, around the question */
export function asksForVerdict(text: string): boolean {
  return VERDICT.some((cue) => cue.test(text));
}

/** Whether the reply is to be the name of whoever speaks next. @param text canonical, around the question */
export function asksForNextSpeaker(text: string): boolean {
  return /\b(?:select|choose|pick|decide|return|name)\b[^.\n]{0,60}\b(?:next|which)\b[^.\n]{0,30}\b(?:role|speaker|agent|worker|participant|member|team member)\b/.test(
    text,
  );
}

const NO_WORDS = new Set(['FINAL', 'ANSWER', 'JSON', 'YOUR', 'ONLY', 'NOT', 'MUST', 'NEVER', 'ALWAYS', 'AND', 'THE', 'XML', 'URL']);
const SAID_WORD = /\b(?:respond|reply|answer|say|write|output|return|type|end|finish|close)\b(?:[^.\n]{0,60}?)\b([A-Z]{3,20})\b/g;

/** The word in capitals with which a conversation is to be ended or an answer approved, where the prompt names one. @param told as it was written */
export function closingWord(told: string): string | undefined {
  return [...told.matchAll(SAID_WORD)].map((match) => match[1] as string).find((word) => !NO_WORDS.has(word));
}
