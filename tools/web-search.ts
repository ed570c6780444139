// The tool `web_search`: the best pages of the offline web for some words, numbered.
import { stringOf, type Tool, toolSchema } from './tool.ts';

export const webSearch: Tool = {
  schema: toolSchema(
    'web_search',
    'Searches the web and returns the best results, each with title, address and a snippet. Read a page with web_fetch.',
    { query: { type: 'string', description: 'A few telling words, for example Harlow House visitors 1987' } },
    ['query'],
  ),
  run: async (given, { web }) => {
    const query = stringOf(given, 'query');
    const hits = await (await web()).search(query);
    if (hits.length === 0) return `No results for "${query}". Try fewer or other words, such as the name alone.`;
    return hits.map(({ title, url, snippet }, i) => `${i + 1}. ${title}\n   ${url}\n   ${snippet}`).join('\n');
  },
};
