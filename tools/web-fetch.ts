// The tool `web_fetch`: one page of the offline web as Markdown, in parts, or the passages around a text.
import { findPassages } from './find-passages.ts';
import { windowText } from './text-window.ts';
import { integerOf, stringOf, type Tool, toolSchema } from './tool.ts';

export const webFetch: Tool = {
  schema: toolSchema(
    'web_fetch',
    'Fetches a web page and returns its title, address and main text as Markdown. A long text comes in parts: ask for the next with page, or for passages around a text with find.',
    {
      url: { type: 'string', description: 'Address of the page, for example https://www.site.example/page' },
      page: { type: 'integer', description: 'Which part of a long text, from 1' },
      find: { type: 'string', description: 'Show only the passages around this text' },
    },
    ['url'],
  ),
  run: async (given, { web, visited }) => {
    const { url, status, statusText, title, text } = await (await web()).fetch(stringOf(given, 'url'), visited);
    const find = stringOf(given, 'find').trim();
    const shown = find === '' ? windowText(text === '' ? '(no text)' : text, 'page', integerOf(given, 'page')) : findPassages(text, find);
    const head = [`Title: ${title}`, `URL: ${url}`];
    if (status < 200 || status > 299) head.push(`Status: ${status} ${statusText}`);
    return `${head.join('\n')}\n\n${shown}`;
  },
};
