// In what two rows' requests differ, as short texts: the comparing half of the wire audit. Knows nothing of tables.
import { canonicalJson } from '../../base/canonical-json.ts';
import { schemaLosses } from './wire-schemas.ts';

/** What the audit looks at, in this order; a fact that neither row has is left out. */
export const WIRE_FACTS = [
  ['endpoint', 'endpoint'],
  ['streamed', 'streamed'],
  ['sampling', 'sampling'],
  ['addedSystemText', 'added system text'],
  ['instructionIn', 'instruction in'],
  ['tools', 'tools'],
  ['toolChoice', 'tool choice'],
  ['parallelToolCalls', 'parallel calls'],
  ['otherKeys', 'other keys'],
] as const;

type Facts = Readonly<Record<string, unknown>>;

/** What a floor's own cell says: the value that the others are held against. */
/** Facts that are read off the others: what a row does with tools. */
export const WIRE_READINGS = [
  ['toolCalls', 'tool calls'],
  ['schemas', 'tool schemas'],
] as const;

/** @param floor of the row's language; absent: the row is held against itself. @returns texts by reading; what cannot be told is left out */
export function readWire(facts: Facts, floor: Facts | undefined): Readonly<Partial<Record<(typeof WIRE_READINGS)[number][0], string>>> {
  const mine = byName(asList(facts['tools']));
  if (floor === undefined) return { toolCalls: mine.size > 0 ? 'native' : 'none' };
  const theirs = byName(asList(floor['tools']));
  if (mine.size === 0 && theirs.size > 0) return { toolCalls: 'in the text' };
  const losses = merged(schemaLosses(mine, theirs), [...theirs.keys()]);
  return { toolCalls: mine.size > 0 && theirs.size === 0 ? 'native' : 'same', schemas: losses.length > 0 ? `lossy: ${limited(losses)}` : 'lossless' };
}

export function describeFact(name: string, facts: Facts): string {
  const value = facts[name];
  if (name === 'tools') return Array.isArray(value) && value.length > 0 ? [...byName(value).keys()].join(', ') : 'none';
  if (name === 'addedSystemText') return typeof value === 'string' && value !== '' ? quoted(value) : 'none';
  return value === undefined ? 'absent' : short(value);
}

/** @returns `same`, or what is different */
export function compareFact(name: string, facts: Facts, floor: Facts): string {
  const [mine, theirs] = [facts[name], floor[name]];
  if (name === 'addedSystemText' && (mine ?? '') === (theirs ?? '')) return 'same';
  if (equal(mine, theirs)) return 'same';
  if (name === 'tools') return toolDifferences(asList(mine), asList(theirs));
  if (name === 'addedSystemText') return typeof mine === 'string' && mine !== '' ? quoted(mine) : 'none';
  const differences = differencesIn(mine, theirs, '');
  return limited(differences);
}

function toolDifferences(mine: readonly unknown[], theirs: readonly unknown[]): string {
  const [own, floor] = [byName(mine), byName(theirs)];
  const lines: string[] = [];
  for (const name of floor.keys()) if (!own.has(name)) lines.push(`${name}: not offered`);
  for (const [name, tool] of own) {
    const other = floor.get(name);
    if (other === undefined) lines.push(`${name}: added`);
    else lines.push(...differencesIn(tool, other, name));
  }
  if (lines.length === 0) return 'other order';
  return limited(merged(lines, [...own.keys()]));
}

/** The same difference in every tool is said once. */
function merged(lines: readonly string[], names: readonly string[]): string[] {
  const tails = new Map<string, string[]>();
  for (const line of lines) {
    const name = names.find((candidate) => line.startsWith(`${candidate}.`));
    const tail = name === undefined ? line : line.slice(name.length + 1);
    tails.set(tail, [...(tails.get(tail) ?? []), ...(name === undefined ? [] : [name])]);
  }
  return [...tails].map(([tail, of]) =>
    of.length === 0 ? tail : of.length === names.length && of.length > 1 ? `each tool: ${tail}` : `${of.join(', ')}: ${tail}`,
  );
}

function differencesIn(mine: unknown, theirs: unknown, path: string): string[] {
  if (equal(mine, theirs)) return [];
  if (isPlain(mine) && isPlain(theirs)) {
    const keys = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])].sort();
    return keys.flatMap((key) => differencesIn(mine[key], theirs[key], path === '' ? key : `${path}.${key}`));
  }
  const place = path === '' ? '' : `${path} `;
  return [`${place}${mine === undefined ? 'absent' : short(mine)} (floor: ${theirs === undefined ? 'absent' : short(theirs)})`];
}

/** Chat nests a tool under `function`, Responses does not: both by name, without the wrapping. */
function byName(tools: readonly unknown[]): Map<string, Facts> {
  const named = new Map<string, Facts>();
  for (const [index, tool] of tools.entries()) {
    if (!isPlain(tool)) {
      named.set(typeof tool === 'string' ? tool : `tool ${index + 1}`, {});
      continue;
    }
    const { function: nested, type: _type, name: ownName, ...rest } = tool;
    const { name, ...facts } = isPlain(nested) ? { ...rest, ...nested } : { ...rest, name: ownName };
    named.set(typeof name === 'string' ? name : `tool ${index + 1}`, facts);
  }
  return new Map([...named].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

const MOST = 4;

function limited(lines: readonly string[]): string {
  const shown = lines.slice(0, MOST).join('; ');
  return lines.length > MOST ? `${shown}; and ${lines.length - MOST} more` : shown;
}

function quoted(words: string): string {
  const points = [...words.replace(/\s+/g, ' ').trim()];
  const head = points.length > 60 ? `${points.slice(0, 60).join('')}…` : points.join('');
  return `${[...words].length} characters: "${head}"`;
}

function short(value: unknown): string {
  const words = typeof value === 'string' ? value : canonicalJson(value);
  const points = [...words];
  return points.length > 80 ? `${points.slice(0, 80).join('')}…` : words;
}

function equal(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return a === b;
  return canonicalJson(a) === canonicalJson(b);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
