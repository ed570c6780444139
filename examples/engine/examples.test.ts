// Runs every example as its own process, and the example of engine/README.md as it stands there. `agentgauge/engine` is what the sources are now, not what
// was built last.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const folder = new URL('./', import.meta.url);
const engine = new URL('../../engine/', import.meta.url);
const scratch = mkdtempSync(join(tmpdir(), 'examples-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const HOOK = `
  import { registerHooks } from 'node:module';
  const sources = { 'agentgauge/engine': ${JSON.stringify(new URL('index.ts', engine).href)}, 'agentgauge/engine/connectors': ${JSON.stringify(new URL('connectors.ts', engine).href)} };
  registerHooks({ resolve: (name, context, next) => sources[name] ? next(sources[name], context) : next(name, name === 'zod' ? { ...context, parentURL: ${JSON.stringify(engine.href)} } : context) });`;

/** What a program prints; times in it stand as `… ms`. */
function outputOf(file: string): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(HOOK)}`, file], {
    encoding: 'utf8',
    cwd: scratch,
  });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout.replaceAll(/[\d.e-]+ ms/g, '… ms').trimEnd();
}

const EXPECTED: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  'ask-the-gauge.ts': ['Riga: 61\nAtlantis: There is no gauge in Atlantis.'],
  'chain.ts': ['tool-end answer rainfall', "{ text: 'It rained 61 mm.', notes: 2 }"],
  'human-gate.ts': [
    // Written once, though the run was begun, stopped and gone on with.
    /^draft: writing to Ada\nwaiting: Send "Dear Ada, the gauge is full\."\?\nsent: Dear Ada, the gauge is full\.\nflowchart TD\n/,
    '["send<br/>completed, … ms"]',
  ],
  'branch-and-recover.ts': [
    'quorum 3: quay 61 mm, tower 58 mm, roof (estimated) 60 mm',
    'quorum 4: call the observer, only 3 gauges answered',
    'node-error: node "field" failed: no such gauge',
    '["tower<br/>completed, 2 attempts, … ms"]',
    '<br/>skipped by branch"}}',
  ],
  'map-reduce.ts': [
    [
      'Bergen    289 mm  +18  ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇',
      'Porto     104 mm  -34  ▇▇▇▇▇▇▇▇▇▇',
      'Valletta   88 mm  +11  ▇▇▇▇▇▇▇▇',
      'Riga       61 mm   -7  ▇▇▇▇▇▇',
    ].join('\n'),
    '8 model calls, 6 requests to documents/',
  ],
  'subgraph.ts': ['completed to-latvian/review', 'completed names[1]/draft', "{ latvian: 'osta: Rīga, Liepāja', portuguese: 'porto' }"],
};

test('there is an expectation of each example, each has at most 60 lines and says how it is run, and the README lists it', () => {
  const programs = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  expect(Object.keys(EXPECTED).sort()).toEqual(programs.sort());
  const readme = readFileSync(new URL('README.md', engine), 'utf8');
  for (const file of programs) {
    const lines = readFileSync(new URL(file, folder), 'utf8').trimEnd().split('\n');
    expect([file, lines.length <= 60, lines.slice(0, 4).join(' ').includes(`npx node examples/engine/${file}`), readme.includes(`\`${file}\``)]).toEqual([
      file,
      true,
      true,
      true,
    ]);
  }
});

test.each(Object.entries(EXPECTED))('%s prints what it says', (file, expected) => {
  const output = outputOf(fileURLToPath(new URL(file, folder)));
  for (const part of expected) expect(output).toEqual(typeof part === 'string' ? expect.stringContaining(part) : expect.stringMatching(part));
});

test('the example of the README has 30 lines and prints what the README shows', () => {
  const readme = readFileSync(new URL('README.md', engine), 'utf8');
  const [, program = ''] = /^```ts\n(.*?)^```/ms.exec(readme) ?? [];
  const [, shown] = /^Output of this program.*?^```\n(.*?)^```/ms.exec(readme) ?? [];
  const file = join(scratch, 'readme.ts');
  writeFileSync(join(scratch, 'package.json'), '{"type":"module"}');
  writeFileSync(file, program);
  expect(outputOf(file)).toBe(shown?.trimEnd());
  expect(program.split('\n').filter((line) => line.trim() !== '').length).toBe(30);
});
