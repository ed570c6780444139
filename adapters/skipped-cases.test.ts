// The table of skipped cases in the README of this folder is written from CONFORMANCE_SKIPS, by `vitest -u` when those change.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CONFORMANCE_SKIPS } from './conformance.ts';

const TABLE = /(?<=\n## Cases skipped\n[^|]*\n)\|[^\n]*\n\|[^\n]*\n(?:\|[^\n]*\n)*/;

test('the README lists every case that a row skips, with the reason', async () => {
  const lines = Object.entries(CONFORMANCE_SKIPS).flatMap(([row, skips]) =>
    [...Map.groupBy(Object.entries(skips), ([, why]) => why)].map(
      ([why, cases]) => `| \`${row}\` | ${cases.map(([id]) => `\`${id}\``).join(', ')} | ${why.replaceAll('|', '\\|')} |\n`,
    ),
  );
  const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');
  expect(readme).toMatch(TABLE);
  await expect(readme.replace(TABLE, () => ['| row | cases | why |\n', '| --- | --- | --- |\n', ...lines].join(''))).toMatchFileSnapshot('README.md');
});
