import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredPage } from '../tasks/gaia/web/render-page.ts';
import { openTestSet, type TestSet } from './testing.ts';

/** Latin letters stand for themselves in every encoding here; what lies between `{}` is given by its bytes. */
function page(path: string, contentType: string, template: string): Partial<StoredPage> {
  const parts = template.split(/\{([\da-f]*)\}/);
  const body = Buffer.concat(parts.map((part, i) => Buffer.from(part, i % 2 === 0 ? 'utf8' : 'hex')));
  return { url: `https://www.a.example/${path}`, contentType, encoding: 'base64', body: body.toString('base64') };
}

const html = (head: string, text: string) =>
  `<html><head>${head}<title>T</title></head><body><main><p>This is what stands there: ${text}.</p></main></body></html>`;
const utf16 = (text: string) => `{fffe${Buffer.from(text, 'utf16le').toString('hex')}}`;

const CASES: readonly (readonly [what: string, contentType: string, template: string, text: string])[] = [
  ['gbk in the header', 'text/html; charset=gbk', html('', '{b1b1bea9}'), '北京'],
  ['Shift_JIS in a meta tag alone', 'text/html', html('<meta charset="Shift_JIS">', '{93fa9574}'), '日付'],
  ['the old form of a meta tag', 'text/html', html(`<meta http-equiv="Content-Type" content='text/html; charset = shift_jis'>`, '{93fa9574}'), '日付'],
  ['a header against a meta tag', 'text/html; charset=utf-8', html('<meta charset=windows-1251>', 'Привет'), 'Привет'],
  ['a meta tag where the header names what is none', 'text/html; charset=none-such', html('<meta charset=windows-1251>', '{cff0e8e2e5f2}'), 'Привет'],
  ['iso-8859-1, by which everybody means windows-1252', 'text/html; charset=iso-8859-1', html('', 'O{92}Neill'), 'O’Neill'],
  ['a label in quotes and capitals', 'text/html; charset="WINDOWS-1251"', html('', '{cff0e8e2e5f2}'), 'Привет'],
  ['UTF-16 with its mark, whatever the header says', 'text/html; charset=utf-8', utf16(html('', 'Zoë – 5 €')), 'Zoë – 5 €'],
  ['a meta tag that calls itself UTF-16, which cannot be', 'text/html', html('<meta charset="utf-16">', 'Zoë'), 'Zoë'],
  ['the declaration of XML', 'application/xml', `<?xml version="1.0" encoding='windows-1251'?><a>This is what stands there: {cff0e8e2e5f2}.</a>`, 'Привет'],
  ['plain text in koi8-r', 'text/plain; charset=koi8-r', 'This is what stands there: {f0d2c9d7c5d4}.', 'Привет'],
];

const UNKNOWN: readonly (readonly [contentType: string, template: string, text: string, taken: string])[] = [
  ['text/html; charset=x-none', html('', 'Zoë'), 'Zoë', 'utf-8'],
  ['text/html; charset=x-none', html('', 'Zo{eb}'), 'Zoë', 'windows-1252'],
  ['text/plain; charset=x-none', 'This is what stands there: Zoë.', 'Zoë', 'utf-8'],
];

let set: TestSet;
beforeAll(async () => {
  const known = CASES.map(([, contentType, template], i) => page(`known-${i}`, contentType, template));
  const unknown = UNKNOWN.map(([contentType, template], i) => page(`unknown-${i}`, contentType, template));
  set = await openTestSet({}, [...known, ...unknown]);
});
afterAll(() => set.close());

const fetched = async (path: string) => (await set.run('web_fetch', { url: `https://www.a.example/${path}` })).text;

describe('the encoding of a page', () => {
  it.each(CASES.map(([what, , , text], i) => [what, text, i] as const))('is taken from %s', async (_, text, i) => {
    const shown = await fetched(`known-${i}`);
    expect(shown).toContain(`This is what stands there: ${text}.`);
    expect(shown).not.toMatch(/\ufffd|does not exist/);
  });

  it('is found by the bytes where its name means none, and the text says so', async () => {
    for (const [i, [, , text, taken]] of UNKNOWN.entries()) {
      const shown = await fetched(`unknown-${i}`);
      expect(shown).toContain(`This is what stands there: ${text}.`);
      expect(shown).toContain(`\n\n[It names the encoding "x-none", which does not exist: it was taken for ${taken}.]\n\n`);
    }
  });
});
