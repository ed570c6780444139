// The model and the tasks know no row, and share no wording with a prompt of an adapter or of the engine (method M4.4): checked on every string in the sources.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { describe, expect, test } from 'vitest';
import { ADAPTERS } from '../adapters/registry.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Words of everyday use that happen to be ids. */
const EVERYDAY = new Set(['fetch', 'openai', 'engine', 'httpx']);
const RUN = 6;

interface Literal {
  readonly file: string;
  readonly text: string;
}

/** @param patterns whether what stands between the slashes of a regular expression counts: a cue of ours may be one, a prompt of theirs never is */
function literalsOf(patterns: boolean, ...folders: string[]): Literal[] {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root })).filter((file) => !/\.test\.ts$|fixtures/.test(file));
  return files.flatMap((file) => stringsIn(parseAst(readFileSync(`${root}${file}`, 'utf8'), { lang: 'ts' }), patterns).map((text) => ({ file, text })));
}

function stringsIn(node: unknown, patterns = true): string[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((one) => stringsIn(one, patterns));
  const { type, value, regex } = node as { readonly type?: string; readonly value?: unknown; readonly regex?: { readonly pattern: string } };
  if (type === 'Literal') return regex ? (patterns ? [regex.pattern] : []) : typeof value === 'string' ? [value] : [];
  if (type === 'TemplateElement') return [(value as { readonly cooked: string | null }).cooked ?? ''];
  return Object.values(node).flatMap((one) => stringsIn(one, patterns));
}

function runsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(' '));
}

function namesOf(text: string, ids: readonly string[]): string[] {
  return ids.filter((id) => new RegExp(`(?<![\\w-])${id}(?![\\w-])`, 'i').test(text));
}

function shared(ours: readonly Literal[], theirs: readonly Literal[]): string[] {
  const known = new Map(theirs.flatMap(({ file, text }) => runsOf(text).map((run) => [run, file] as const)));
  return ours.flatMap(({ file, text }) => runsOf(text).flatMap((run) => (known.has(run) ? [`${file} and ${known.get(run)}: ${run}`] : [])));
}

describe('models and tasks', () => {
  const ours = literalsOf(true, 'models', 'tasks');
  const theirs = literalsOf(false, 'adapters', 'engine');
  const ids = ADAPTERS.map((row) => row.id).filter((id) => !EVERYDAY.has(id));

  test('are read whole', () => {
    expect(ours.length).toBeGreaterThan(500);
    expect(theirs.length).toBeGreaterThan(300);
    expect(ids.length).toBeGreaterThanOrEqual(4);
    expect(ours.map(({ file }) => file)).toContain('models/roles.ts');
  });

  test('hold the id of no row', () => {
    expect(ours.flatMap(({ file, text }) => namesOf(text, ids).map((id) => `${file}: ${id}`))).toEqual([]);
  });

  test('share no six words in a row with a prompt of an adapter or of the engine', () => {
    expect(shared(ours, theirs)).toEqual([]);
  });

  test('would be caught if they did', () => {
    const [id] = ids as [string, ...string[]];
    expect(namesOf(`when ${id} asks`, ids)).toEqual([id]);
    expect(namesOf(`when ${id}ish asks`, ids)).toEqual([]);
    const prompt = { file: 'a.ts', text: 'Say plainly what you have found so far.' };
    expect(shared([{ file: 'b.ts', text: 'You say plainly: what you have found' }], [prompt])).toEqual(['b.ts and a.ts: say plainly what you have found']);
    expect(shared([{ file: 'b.ts', text: 'say plainly what you have' }], [prompt])).toEqual([]);
    expect(stringsIn(parseAst(['const a: "kind" = `x $', '{1} y`; const b = /z/;'].join(''), { lang: 'ts' }))).toEqual(['kind', 'x ', ' y', 'z']);
  });
});
