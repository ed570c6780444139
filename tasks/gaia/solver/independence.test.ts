// The second solver may know the world and the question, and a reading tool's texts; nothing of what writes questions, plans or documents.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

/** Shapes of the world, which a type import erases. */
const ALLOWED_TYPES = ['../world/world.ts'];

/** @returns what a folder's modules import from outside it, one line each: `solve-web.ts imports ../formula.ts` */
function strangers(folder: string): string[] {
  const modules = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return modules.flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const imports = [
      ...text.matchAll(/(?:^|\n)\s*(?:import|export)\s+(type\s)?[^;]*?from\s+'([^']+)'|\bimport\(\s*['"`]([^'"`]+)|\brequire\(|^import\s+'([^']+)'/gm),
    ];
    return imports.flatMap(([whole, type, from, late, bare]) => {
      const target = from ?? late ?? bare ?? whole.trim();
      const inside = target.startsWith('./') && dirname(relative(folder, resolve(folder, target))) === '.';
      return inside || (type !== undefined && ALLOWED_TYPES.includes(target)) ? [] : [`${name} imports ${target}`];
    });
  });
}

const scratch = mkdtempSync(join(tmpdir(), 'agentgauge-solver-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A folder of modules with these texts. */
function modules(texts: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(scratch, 'modules-'));
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe('the second solver stands alone', () => {
  it('imports nothing but its own modules and the shape of the world', () => {
    const folder = import.meta.dirname;
    expect(readdirSync(folder).filter((name) => name.startsWith('solve-')).length).toBeGreaterThan(4);
    expect(strangers(folder)).toEqual([]);
  });

  it.each([
    ["import { evaluate } from '../../formula.ts';", '../../formula.ts'],
    ["import type { SolutionPlan } from '../../plan.ts';", '../../plan.ts'],
    ["import { createWorld } from '../world/world.ts';", '../world/world.ts'],
    ["import {\n  cellRead,\n  type SheetTable,\n} from '../documents/table.ts';", '../documents/table.ts'],
    ["export { sheetTotal } from '../templates/document-tables.ts';", '../templates/document-tables.ts'],
    ["const { readValue } = await import('../../evidence.ts');", '../../evidence.ts'],
    ["import '../compose.ts';", '../compose.ts'],
    ["import { read } from './deeper/../../web/page.ts';", './deeper/../../web/page.ts'],
  ])('is caught at %s', (text, target) => {
    expect(strangers(modules({ 'solve-x.ts': text }))).toEqual([`solve-x.ts imports ${target}`]);
    expect(
      strangers(modules({ 'solve-x.ts': "import { total } from './wording.ts';\nimport type { World } from '../world/world.ts';\n", 'solve-x.test.ts': text })),
    ).toEqual([]);
  });
});
