import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { draftPlan, v } from '../plan-draft.ts';
import { createWorld } from '../world/world.ts';
import { type FirstSearch, openFirstSearch } from './first-search.ts';
import type { StoredPage } from './render-page.ts';

const FILLER = '<p>Nothing of note was ever seen here, and nobody minds.</p>'.repeat(20);

function page(path: string, title: string, main: string): StoredPage {
  return {
    url: `https://www.a.example/${path}`,
    status: 200,
    contentType: 'text/html; charset=utf-8',
    title,
    body: `<html><body><nav>1,944</nav><main><h1>${title}</h1>${main}</main></body></html>`,
  };
}

let search: FirstSearch;
beforeAll(async () => {
  const pages = [
    page('tower', 'Tower of Selkmoor', `<p>The tower of Selkmoor &amp; its 4,310 steps.</p>${FILLER}<p>It has 77 bells.</p>`),
    page('copy', 'Tower, copied', '<p>This copy of https://www.b.example/1812 is about the tower of Selkmoor.</p>'),
    { ...page('gone', 'Tower of Selkmoor', '<p>The tower of Selkmoor has 66 doors.</p>'), status: 410 },
  ];
  search = await openFirstSearch(pages, createWorld(1));
});
afterAll(() => search.close());

function planOf(tool: string, query: string) {
  const plan = draftPlan();
  const chain = plan.chain('Look it up.');
  const { x } = chain.step({ tool, arguments: { query } }, { x: { label: 'count', after: ['x'], kind: 'number', value: 4310 } });
  return plan.finish('How many?', v(x), 4310);
}

describe('the first search of a plan', () => {
  it('shows what stands in a title or a snippet, as people write numbers', () => {
    const plan = planOf('web_search', 'tower of Selkmoor steps');
    expect(search.shows(plan, '4310')).toBe(true);
    expect(search.shows(plan, 'Selkmoor')).toBe(true);
  });

  it('does not show what stands further down on a page, around it, in an address, or on a page that is gone', () => {
    const plan = planOf('web_search', 'tower of Selkmoor steps');
    for (const truth of ['77', '1944', '1812', '66']) expect(search.shows(plan, truth), truth).toBe(false);
  });

  it('counts a list as a whole', () => {
    expect(search.shows(planOf('web_search', 'tower of Selkmoor'), 'Selkmoor, Harlow')).toBe(false);
  });

  it('is silent about plans that begin otherwise', () => {
    expect(search.shows(planOf('read_text', 'tower of Selkmoor steps'), '4310')).toBe(false);
  });
});
