import { describe, expect, it } from 'vitest';
import { indexPages, searchWords } from './search-index.ts';
import { snippetOf } from './snippet.ts';

describe('searchWords', () => {
  it('keeps words that every page holds when there are no others', () => {
    expect(searchWords('What is the population of Ösgard in the 1990s?')).toEqual(['population', 'ösgard', '1990s']);
    expect(searchWords('who is who')).toEqual(['who', 'is']);
  });
});

describe('the dials of the search', () => {
  const pages = Array.from({ length: 200 }, (_, i) => ({ url: `https://www.a.example/${i}`, title: `Salt page ${i}`, text: i < 8 ? 'salt harbour' : 'wind' }));

  it('leave pages out of the index, the same ones each time, and more at a lower recall', async () => {
    const found = async (recall: number) => (await indexPages(pages, { recall })).search('harbour').map(({ url }) => url);
    expect(await found(1)).toHaveLength(8);
    expect(await found(0)).toEqual([]);
    const [half, again, most] = [await found(0.5), await found(0.5), await found(0.8)];
    expect(half).toEqual(again);
    expect(most).toEqual(expect.arrayContaining(half));
  });

  it('put other pages into the places of results', async () => {
    const found = async (noise: number) => (await indexPages(pages, { noise })).search('harbour').filter(({ snippet }) => snippet.includes('wind')).length;
    expect(await found(0)).toBe(0);
    expect(await found(1)).toBeGreaterThan(5);
    expect(await found(0.2)).toBeLessThan(6);
  });
});

describe('snippetOf', () => {
  it('shows the part of the text that holds most of the words, cut at words', () => {
    const text = `${'nothing to see in this part '.repeat(20)}but Harlow House counted 48,210 visitors in 1987 ${'and more of nothing '.repeat(20)}`.trim();
    const snippet = snippetOf(text, ['harlow', 'visitors', '1987']);
    expect(snippet).toContain('Harlow House counted 48,210 visitors in 1987');
    expect(snippet).toMatch(/^… \w/);
    expect(snippet).toMatch(/ …$/);
    expect(snippet.length).toBeLessThan(170);
  });
});
