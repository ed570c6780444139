import { describe, expect, it } from 'vitest';
import { feedText } from './feed-text.ts';

const URL_OF = 'https://www.a.example/feed.xml';

describe('a feed as text', () => {
  it('lists the items of RSS with address, day and summary', async () => {
    const rss = `<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour news</title><link>https://www.a.example/</link>
      <item><title>Two &amp; a half ships</title><link>/ships</link><pubDate>Mon, 15 Sep 2025 07:00:00 +0000</pubDate><description><![CDATA[<p>They <b>came</b> in.</p>]]></description></item>
      <item><title>No address</title></item></channel></rss>`;
    expect(await feedText(rss, URL_OF)).toEqual({
      title: 'Harbour news',
      text: '# Harbour news\n\n- [Two & a half ships](https://www.a.example/ships)\n  Published: 2025-09-15\n  They came in.\n- No address',
    });
  });

  it('lists the entries of Atom', async () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Openings</title><entry><title>Salt</title><link href="https://b.example/salt"/><updated>2024-03-02T08:00:00Z</updated><summary>At the quay.</summary></entry></feed>`;
    expect(await feedText(atom, URL_OF)).toEqual({
      title: 'Openings',
      text: '# Openings\n\n- [Salt](https://b.example/salt)\n  Published: 2024-03-02\n  At the quay.',
    });
  });

  it('keeps a day that it cannot read, and cuts a long summary', async () => {
    const found = await feedText(
      `<rss><channel><title>x</title><item><title>y</title><pubDate>soon</pubDate><description>${'word '.repeat(100)}</description></item></channel></rss>`,
      URL_OF,
    );
    expect(found?.text).toContain('Published: soon');
    expect(found?.text).toMatch(/word …$/);
  });

  it('says when there are no entries, and is silent about what is no feed', async () => {
    expect((await feedText('<rss><channel><title>Empty</title></channel></rss>', URL_OF))?.text).toContain('no entries');
    expect(await feedText('<?xml version="1.0"?><svg></svg>', URL_OF)).toBeUndefined();
    expect(await feedText('<html><body><feed></feed></body></html>', URL_OF)).toBeUndefined();
  });

  it('expands no entities', async () => {
    const bomb = '<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><rss><channel><title>&b;</title></channel></rss>';
    expect((await feedText(bomb, URL_OF))?.text ?? '').not.toContain('aaaaaaaaaaaa');
  });
});
