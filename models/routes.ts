// The tools by which a framework lets an agent hand its task on: to take over the conversation (hand-off), or to work on a part and report (delegation).
// Told by names, parameters and descriptions alone (method M4.3); no framework's names stand here.
import { isAnswerTool } from './offered-tools.ts';
import type { JsonSchema, OfferedTool } from './read-request.ts';

export interface Route {
  readonly tool: OfferedTool;
  /** `hand-off`: somebody else goes on in this conversation. `delegation`: somebody else gets a text, and the tool returns a report. */
  readonly kind: 'hand-off' | 'delegation';
  /** The parameter that takes what is to be done. */
  readonly taskIn?: string;
  /** The parameter that says who shall do it, and whom it may name, where that is said. */
  readonly targetIn?: string;
  readonly targets: readonly string[];
}

const SOMEBODY =
  /\b(?:delegat\w*|co-?workers?|colleagues?|(?:sub-?)?agents?|teammates?|(?:team )?members?|specialists?|experts?|assistants?|helpers?|workers?)\b/i;
const HANDS_OFF = /(?:^|[_.-])(?:transfer|hand[_-]?off|hand[_-]?over|escalate|switch|route)(?:[_-]?(?:back[_-]?)?to)?(?:[_.-]|$)/i;
/** What is given with these is work, whoever gets it. */
const WORK = /^(?:task|sub_?task|assignment|instructions?|request|work|work_?item|objective|goal)(?:_?(?:description|text))?$/i;
/** What is given with these may be work, or a search term: it counts when the tool says that somebody else will see it. */
const WORDS = /^(?:question|query|input|message|prompt|text|content)$/i;
const TARGET = /^(?:to_?)?(?:agent|co_?worker|assistant|worker|recipient|target|destination|specialist|member|next|speaker|role|who)(?:_?(?:name|id))?$/i;

/** @param isOwn whether a tool is one to work with oneself */
export function routesOf(tools: readonly OfferedTool[], isOwn: (tool: OfferedTool) => boolean): Route[] {
  return tools.flatMap((tool): Route[] => {
    if (isOwn(tool)) return [];
    const names = Object.keys(tool.schema.properties ?? {});
    const targetIn = names.find((name) => TARGET.test(name));
    const said = `${tool.name.replaceAll(/[_.-]+/g, ' ')} ${tool.description}`;
    const taskIn = names.find((name) => WORK.test(name)) ?? (SOMEBODY.test(said) ? names.find((name) => WORDS.test(name)) : undefined);
    const targets = targetsOf(tool, targetIn);
    const target = targetIn === undefined ? {} : { targetIn };
    const handsOff = HANDS_OFF.test(tool.name);
    // A name like that of an answer, and a piece of work for somebody else: they answer in place of whoever is asked.
    if (handsOverTheEnd(tool)) return [{ tool, kind: 'hand-off', ...(taskIn === undefined ? {} : { taskIn }), ...target, targets }];
    if (taskIn !== undefined && !(handsOff && targetIn === undefined)) return [{ tool, kind: 'delegation', taskIn, ...target, targets }];
    return handsOff || (targetIn !== undefined && SOMEBODY.test(said)) ? [{ tool, kind: 'hand-off', ...target, targets }] : [];
  });
}

/** A tool that ends the conversation as an answer would, and takes work for somebody else in place of an answer. */
export function handsOverTheEnd(tool: OfferedTool): boolean {
  return isAnswerTool(tool) && SOMEBODY.test(tool.description) && Object.keys(tool.schema.properties ?? {}).some((name) => WORK.test(name));
}

/** Names that an enumeration lists, else those that follow a word for somebody and a colon, as a list or as the keys of an object. */
function targetsOf({ schema, description }: OfferedTool, targetIn: string | undefined): string[] {
  if (targetIn === undefined) return [];
  const property = schema.properties?.[targetIn];
  const listed = enumOf(property);
  if (listed.length > 0) return listed;
  const texts = [property?.description ?? '', description];
  for (const text of texts) {
    const after = new RegExp(`${SOMEBODY.source}[^:\\n]{0,60}:\\s*([\\s\\S]{1,600})`, 'i').exec(text)?.[1];
    if (after === undefined) continue;
    const keys = [...after.matchAll(/['"]([^'"\n]{1,60})['"]\s*:/g)].map((match) => match[1] as string);
    if (keys.length > 0) return keys;
    const lines = [...after.matchAll(/^\s*[-*•]?\s*([\w][\w .-]{0,40}?)\s*:/gm)].map((match) => match[1] as string);
    if (lines.length > 0) return lines;
    const [first = ''] = after.split('\n');
    const names = first.split(/[,;]/).map((name) => name.replace(/^[\s['"*]+|[\s\]'".*]+$/g, ''));
    if (names.every((name) => name !== '' && name.length <= 60)) return names;
  }
  return [];
}

function enumOf(schema: JsonSchema | undefined): string[] {
  const all = [schema, ...(schema?.anyOf ?? []), ...(schema?.oneOf ?? [])];
  return all.flatMap((one) => (one?.const === undefined ? (one?.enum ?? []) : [one.const])).filter((entry) => typeof entry === 'string');
}

/** Whom to ask: who says most of the words for which the open steps' tools stand, and has not been asked yet. */
export function choose(routes: readonly Route[], wanted: readonly string[], asked: number): { readonly route: Route; readonly target?: string } | undefined {
  const words = new Set(wanted.flatMap((tool) => tool.toLowerCase().split(/[_.-]+/)));
  const fits = (text: string) => [...new Set(text.toLowerCase().match(/[a-z]+/g) ?? [])].filter((word) => stems(word).some((stem) => words.has(stem))).length;
  const options = routes.flatMap((route): { readonly route: Route; readonly target?: string; readonly fit: number }[] => {
    const about = `${route.tool.name.replaceAll('_', ' ')} ${route.tool.description}`;
    if (route.targets.length === 0) return [{ route, fit: fits(about) }];
    return route.targets.map((target) => ({ route, target, fit: fits(`${target} ${lineAbout(route.tool.description, target)}`) }));
  });
  options.sort((a, b) => b.fit - a.fit);
  return options[Math.min(asked, options.length - 1)];
}

/** searching, searches: search; images: image. */
function stems(word: string): string[] {
  return [word, ...['ing', 'es', 's'].filter((end) => word.endsWith(end)).map((end) => word.slice(0, -end.length))];
}

function lineAbout(text: string, target: string): string {
  return text.split('\n').find((line) => line.includes(target)) ?? '';
}

const NOBODY = ['front_desk', 'second_opinion', 'archivist'];

/** A name that a model might expect, and that nobody bears. @param draw in [0, 1) */
export function nobody(draw: number, known: string): string {
  const free = NOBODY.filter((name) => !known.includes(name));
  return free[Math.floor(draw * free.length)] ?? 'nobody_in_particular';
}

/** Arguments that hand a text on; whatever else is demanded is filled with something harmless. */
export function routeArguments(route: Route, target: string | undefined, task: string): Record<string, unknown> {
  const { properties = {}, required = [] } = route.tool.schema;
  const given: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    if (name === route.taskIn) given[name] = task;
    else if (name === route.targetIn) given[name] = target ?? 'agent';
    else if (required.includes(name)) given[name] = harmless(schema);
  }
  return given;
}

function harmless(schema: JsonSchema): unknown {
  const types = [schema.type ?? 'string'].flat();
  if (types.includes('null') || schema.anyOf?.some(({ type }) => type === 'null')) return null;
  if (types.includes('object')) return {};
  if (types.includes('array')) return [];
  if (types.includes('boolean')) return false;
  return types.includes('number') || types.includes('integer') ? 1 : 'It is part of a larger question.';
}
