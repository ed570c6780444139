// The page for a browser: what stays in view, what is said in words, and that foreign text stays text.
import { describe, expect, it } from 'vitest';
import { reportOf, rowOf, tableOf } from '../fixtures/tables.ts';
import type { Row } from '../report.ts';
import { renderHtml } from './html.ts';

const row = (framework: string, key: Partial<Row['key']> = {}, change: Partial<Row> = {}) => {
  const { key: own, ...rest } = rowOf(framework, { accuracyPercent: { value: 50, n: 4, low: 15, high: 85 } }, change);
  return { ...rest, key: { ...own, ...key } };
};

/** What is between the tags of the table's body, a line each row. */
function bodyLines(html: string): string[] {
  const [, body = ''] = /<\/thead>(.*)<\/table>/s.exec(html) ?? [];
  return body
    .split('</tr>')
    .map((line) =>
      line
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => line !== '');
}

describe('HTML', () => {
  it('keeps in one cell what tells a row from the others, and sets interval and n below a figure', () => {
    const html = renderHtml(reportOf(tableOf([row('a'), row('a', { settings: 'hardened' }, { rank: 2 })])));
    expect(html).toContain('<th scope="row">a<small>hardened</small></th>');
    expect(html).toContain('<th scope="col" class="name">framework<small>settings</small></th>');
    expect(html).toContain('<td class="number">50.0<small>[15.0,\u00a085.0]</small></td>');
  });

  it('sets blocks of rows under a heading where the order of the table has them together, and nothing where it has not', () => {
    const ranked = row('a');
    const floor = row('fetch', {}, { section: 'floor' });
    expect(bodyLines(renderHtml(reportOf(tableOf([ranked, floor]))))).toEqual([
      'ranked, default',
      '1 a 4 50.0 [15.0, 85.0]',
      'floors',
      'floor fetch 4 50.0 [15.0, 85.0]',
    ]);
    expect(bodyLines(renderHtml(reportOf(tableOf([ranked, floor, row('b')]))))).toHaveLength(3);
    const unranked = [ranked, floor].map(({ rank: _, ...rest }) => rest);
    expect(bodyLines(renderHtml(reportOf(tableOf(unranked))))[0]).toBe('single, default');
  });

  it('names the seed of one run, and of several none', () => {
    const title = (runs: number) => /<title>(.*)<\/title>/.exec(renderHtml(reportOf(tableOf([row('a')], { runs }))))?.[1];
    expect(title(1)).toBe('Report: reproduce on tiny, seed 1');
    expect(title(4)).toBe('Report: 4 runs on tiny');
  });

  it('says whose figure a published one is', () => {
    const html = renderHtml(reportOf(tableOf([rowOf('engine', { accuracyPercent: { value: 75, n: 4, published: 67.6, publishedIsClaim: true } })])));
    expect(html).toContain('<td class="number">67.6<small>claim</small></td>');
  });

  it('keeps every word of foreign text, escaped, and loads nothing', () => {
    const html = renderHtml(reportOf(tableOf([row('<script>alert("a & b")</script>')], { caption: 'a < b', notes: ['<b>'] })));
    expect(html).toContain('&lt;script&gt;alert(&quot;a &amp; b&quot;)&lt;/script&gt;');
    expect(html).toContain('<p class="caption">a &lt; b</p>');
    expect(html).toContain('<li>&lt;b&gt;</li>');
    expect(html).not.toMatch(/<(?:script|link|img|iframe)|https?:/);
  });

  it('folds a text that would fill the screen, and keeps it whole', () => {
    const met = (value: string) => {
      const columns = [{ id: 'met', title: 'what was met', unit: 'text', exact: true }] as const;
      return renderHtml(reportOf(tableOf([rowOf('a', { met: { value, n: 4 } })], { columns })));
    };
    expect(met('x'.repeat(160))).toContain(`<td class="long">${'x'.repeat(160)}</td>`);
    const long = `${'x'.repeat(71)}<${'y'.repeat(100)}`;
    const whole = `${'x'.repeat(71)}&lt;${'y'.repeat(100)}`;
    expect(met(long)).toContain(`<td class="long"><details><summary>${'x'.repeat(71)}&lt;…</summary>${whole}</details></td>`);
  });

  it('draws a picture above its table, with words for those who do not see it', () => {
    const html = renderHtml(reportOf(tableOf([row('a')])), { pictures: { table1: [{ title: 'Accuracy & more', svg: '<svg></svg>\n' }] } });
    expect(html).toContain('<figure role="img" aria-label="Accuracy &amp; more"><svg></svg></figure>');
    expect(html.indexOf('<figure')).toBeLessThan(html.indexOf('<table'));
  });

  it('folds a list, and of a very long one says where the rest stands', () => {
    const list = (rows: number) =>
      renderHtml(
        reportOf(
          tableOf(
            Array.from({ length: rows }, (_, at) => row(`row${at}`)),
            { id: 'long', isList: true },
          ),
        ),
      );
    expect(list(3)).toContain('<summary>3 lines</summary>');
    expect(list(1_002)).toContain('<summary>1002 lines, of which the first 1000 stand here: tables/long.csv has all</summary>');
    expect(list(1_002)).not.toContain('row1000');
  });
});
