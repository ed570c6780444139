import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CONFORMANCE_SKIPS } from './conformance.ts';
import { casesOf } from './conformance-divided.ts';
import { ADAPTERS, type AdapterEntry, adapterModule, findAdapter, installCommand, missingPackages, pythonFile } from './registry.ts';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { optionalDependencies: Record<string, string> };

function pinOf({ environment }: AdapterEntry, name: string): string | undefined {
  if (environment === undefined) return manifest.optionalDependencies[name];
  return new RegExp(`^${name}==([^ ;]+)`, 'm').exec(readFileSync(pythonFile(`locks/${environment}.txt`), 'utf8'))?.[1];
}

describe('the registry', () => {
  test.each(ADAPTERS.map((entry) => [entry.id, entry] as const))('%s has a file with its export, one shape at least, and packages that we pin', (_, entry) => {
    expect(existsSync(adapterModule(entry))).toBe(true);
    const source = readFileSync(adapterModule(entry), 'utf8');
    expect(source).toMatch(new RegExp(entry.language === 'node' ? `export const ${entry.exportName}: Adapter\\b` : `^${entry.exportName}(: Adapter)? = `, 'm'));
    for (const shape of entry.shapes) expect(source).toMatch(new RegExp(`\\b${shape}\\b`));
    for (const name of entry.packages) expect(pinOf(entry, name)).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('every package of every row is installed here', () => {
    expect(ADAPTERS.flatMap(missingPackages)).toEqual([]);
  });

  test('an unknown adapter is told with all that there are', () => {
    expect(() => findAdapter('langgraf')).toThrow(
      expect.objectContaining({
        code: 'UNKNOWN_ADAPTER',
        message: 'there is no adapter "langgraf"',
        remedy:
          'Choose from: fetch, openai, langchain, langgraph, llamaindex, openai-agents, engine, httpx, openai-py, langchain-py, langgraph-py, openai-agents-py, smolagents, ' +
          'pydantic-ai, crewai, autogen, llamaindex-py, graphbit, graphbit-0.6.7.',
      }),
    );
  });

  test('the install command brings the pinned versions', () => {
    expect(installCommand(findAdapter('openai-agents'))).toBe(
      `npm install @openai/agents@${manifest.optionalDependencies['@openai/agents']} openai@${manifest.optionalDependencies['openai']}`,
    );
  });

  test('a Python row is installed by its environment, whose lock has a hash for every file and names no registry', () => {
    expect(installCommand(findAdapter('openai-py'))).toBe('agentgauge setup python shared');
    for (const environment of new Set(ADAPTERS.flatMap((entry) => entry.environment ?? []))) {
      const lock = readFileSync(pythonFile(`locks/${environment}.txt`), 'utf8');
      const pins = lock.split('\n').filter((line) => /^\S/.test(line));
      expect(pins.filter((line) => !/^[\w.[\],-]+==\S+( ; .*)? \\$/.test(line))).toEqual([]);
      expect(lock.match(/\\\n {4}--hash=sha256:/g)?.length).toBeGreaterThanOrEqual(pins.length);
      expect(lock).not.toMatch(/:\/\/|--index|--find-links/);
    }
  });

  test('a package that is not there is missing, whatever else is', () => {
    expect(missingPackages({ ...findAdapter('openai'), packages: ['openai', 'agentgauge-no-such-framework'] })).toEqual(['agentgauge-no-such-framework']);
  });

  test('published figures stand beside no Node row but the engine, and there as a claim (method M9.3)', () => {
    expect(ADAPTERS.filter((entry) => entry.language === 'node' && entry.publishedAs !== undefined)).toEqual([
      expect.objectContaining({ id: 'engine', publishedAs: 'GraphBit', publishedIsClaim: true }),
    ]);
  });

  test('ids and conformance skips fit together', () => {
    expect(new Set(ADAPTERS.map(({ id }) => id)).size).toBe(ADAPTERS.length);
    for (const [of, skips] of Object.entries(CONFORMANCE_SKIPS)) {
      const [id = '', shape] = of.split('/');
      const shapes = findAdapter(id).shapes.filter((one) => shape === undefined || one === shape);
      const cases = shapes.flatMap((one) => casesOf(id, one).map((each) => each.id));
      for (const name of Object.keys(skips)) expect(cases, of).toContain(name);
    }
  });

  test('importing the public entry loads no framework', () => {
    const sources = ['index.ts', 'registry.ts', 'conformance.ts', 'conformance-checks.ts', 'installed-packages.ts'].map((name) =>
      readFileSync(new URL(name, import.meta.url), 'utf8'),
    );
    const imported = sources.flatMap((source) => [...source.matchAll(/from '([^']+)'/g)].map((match) => match[1]));
    expect(imported.length).toBeGreaterThan(10);
    expect(imported.filter((name) => !name?.startsWith('.') && !name?.startsWith('node:'))).toEqual([]);
  });
});
