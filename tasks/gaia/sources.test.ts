import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(new URL('README.md', import.meta.url), 'utf8');
const sources = page.slice(page.indexOf('## Sources and licences'));

/** Data below a folder: what is neither code nor prose. */
function dataIn(folder: string): string[] {
  const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(root.length).replaceAll('\\', '/'));
  return paths.filter((path) => !/\.(?:ts|md|mjs|py|pyc)$|\/node_modules\/|\/\./.test(path) && !path.endsWith('-licence.txt'));
}

/** Whether a row of the table names the file or its folder; names behind the first of a row are in the folder of the first. */
function isNamed(path: string, table = sources): boolean {
  const rows = table.split('\n').filter((row) => row.startsWith('| `'));
  return rows.some((row) => {
    const [files = ''] = row.slice(2).split(' | ');
    const named = [...files.matchAll(/`([^`]+)`/g)].map(([, entry = '']) => entry);
    const folder = named[0]?.includes('/') ? named[0].slice(0, named[0].lastIndexOf('/') + 1) : '';
    return named.some((entry) => [entry, `${folder}${entry}`].some((full) => full === path || (full.endsWith('/') && path.startsWith(full))));
  });
}

describe('the page of sources and licences', () => {
  it('names every file of data in tasks, tools and examples', () => {
    const data = ['tasks', 'tools', 'examples'].flatMap(dataIn);
    expect(data).toContain('tasks/gaia/documents/glyphs.json');
    expect(data.length).toBeGreaterThan(15);
    expect(data.filter((path) => !isNamed(path))).toEqual([]);
  });

  it('would miss one that it does not name, and one that it no longer names', () => {
    expect(isNamed('tasks/gaia/documents/more.json')).toBe(false);
    expect(isNamed('tools/recorded-readings.json', sources.replace(/^.*recorded-readings.*$/m, ''))).toBe(false);
  });

  it('names no file that is not there', () => {
    const full = [...sources.matchAll(/^\| `([^`]+)`/gm)].map(([, file = '']) => file);
    const data = ['tasks', 'tools', 'examples'].flatMap(dataIn);
    expect(full.filter((file) => !data.some((path) => path === file || path.startsWith(file)))).toEqual([]);
  });
});
