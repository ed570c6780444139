// What a fetched response says, as title and text: HTML by its main text, plain formats as they stand, PDF by its own reader.
import { decodeText } from './decode-text.ts';
import { feedText } from './feed-text.ts';
import { type MainText, mainTextOf } from './main-text.ts';
import { readPdfPages, renderPages } from './pdf-text.ts';
import { Finding } from './tool-error.ts';

/** @returns text empty when the content is of a kind that has none; the title then says what it is */
export async function pageText(url: string, contentType: string, bytes: Uint8Array): Promise<MainText> {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const charset = parameters
    .find((parameter) => parameter.trim().startsWith('charset='))
    ?.split('=')[1]
    ?.replace(/["'\s]/g, '');
  if (type.includes('html') || type === '') return mainTextOf(decodeText(bytes, charset ?? declaredInHtml(bytes)).text, url);
  if (type.trim() === 'application/pdf') return pdfText(url, bytes);
  const { text, isText } = decodeText(bytes, charset);
  const feed = isText && type.includes('xml') ? await feedText(text, url) : undefined;
  if (feed) return feed;
  const readable = /^text\/|json|xml|csv|yaml|javascript/.test(type) && isText;
  return { title: nameOf(url), text: readable ? text : `This address holds ${type.trim()} (${bytes.length} bytes), which cannot be shown as text.` };
}

async function pdfText(url: string, bytes: Uint8Array): Promise<MainText> {
  try {
    return { title: nameOf(url), text: renderPages(await readPdfPages(nameOf(url), bytes), 1) };
  } catch (thrown) {
    if (thrown instanceof Finding) return { title: nameOf(url), text: thrown.message };
    throw thrown;
  }
}

function declaredInHtml(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  return /<meta[^>]+charset=["']?([\w-]+)/i.exec(head)?.[1];
}

function nameOf(url: string): string {
  const { pathname, hostname } = new URL(url);
  return pathname.split('/').filter(Boolean).at(-1) ?? hostname;
}
