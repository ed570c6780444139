// The picture: what is drawn, what is skipped, and that foreign text stays text.
import { describe, expect, it } from 'vitest';
import { rowOf, tableOf } from './fixtures/tables.ts';
import { plotColumn } from './plot-column.ts';

const WORDS = { title: 'Accuracy <simulated>', axis: '%' };

describe('plotColumn', () => {
  it('skips a row without the cell and never draws it at zero', () => {
    const picture =
      plotColumn(tableOf([rowOf('a', { accuracyPercent: { value: 40, n: 4, low: 10, high: 80 } }), rowOf('b', {})]), 'accuracyPercent', WORDS) ?? '';
    expect(picture.match(/<circle/g)).toHaveLength(1);
    expect(picture).not.toContain('>b<');
    expect(picture).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('draws nothing when no row has the cell', () => {
    expect(plotColumn(tableOf([rowOf('a', {})]), 'accuracyPercent', WORDS)).toBeUndefined();
    expect(plotColumn(tableOf([rowOf('a', {})]), 'nothing', WORDS)).toBeUndefined();
  });

  it('escapes the words it is given', () => {
    const picture = plotColumn(tableOf([rowOf('<script>&"', { accuracyPercent: { value: 0, n: 4 } })]), 'accuracyPercent', WORDS) ?? '';
    expect(picture).toContain('&lt;script&gt;&amp;&quot;');
    expect(picture).toContain('Accuracy &lt;simulated&gt;');
    expect(picture).not.toContain('<script>');
  });

  it('scales times to a round number above the largest and survives all zeros', () => {
    const picture =
      plotColumn(tableOf([rowOf('a', { overheadMs: { value: 31, n: 4 } }), rowOf('b', { overheadMs: { value: 9, n: 4 } })]), 'overheadMs', WORDS) ?? '';
    expect(picture).toContain('>40<');
    expect(plotColumn(tableOf([rowOf('a', { overheadMs: { value: 0, n: 4 } })]), 'overheadMs', WORDS)).not.toMatch(/NaN|Infinity/);
  });
});
