// The words and schemas by which a request shows that it wants a plan and not an answer (method M4.3). Generic: none is taken from a prompt of ours or of a framework.
import type { JsonSchema } from './read-request.ts';

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
