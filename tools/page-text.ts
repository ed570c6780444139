// What a fetched response says, as title and text: HTML by its main text, plain formats as they stand, PDF by its own reader.
import { type Decoded, declaredInHtml, declaredInXml, decodeText, isEncoding } from './decode-text.ts';
import { feedText } from './feed-text.ts';
import { type MainText, mainTextOf } from './main-text.ts';
import { readPdfPages, renderPages } from './pdf-text.ts';
import { readApart } from './reader-pool.ts';
import { Finding, GivenUp } from './tool-error.ts';

/** @returns text empty when the content is of a kind that has none; the title then says what it is */
export async function pageText(url: string, contentType: string, bytes: Uint8Array): Promise<MainText> {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const charset = parameters
    .find((parameter) => parameter.trim().startsWith('charset='))
    ?.split('=')[1]
    ?.replace(/["'\s]/g, '');
  if (type.includes('html') || type === '') {
    const page = decodedBy(bytes, [charset, declaredInHtml(bytes)]);
    const { title, text } = await mainTextOf(page.text, url);
    return { title, text: `${page.remark}${text}` };
  }
  if (isPdf(contentType)) return pdfText(url, bytes);
  const { text, isText, remark } = decodedBy(bytes, [charset, declaredInXml(bytes)]);
  const feed = isText && type.includes('xml') ? await feedText(text, url) : undefined;
  if (feed) return feed;
  const readable = /^text\/|json|xml|csv|yaml|javascript/.test(type) && isText;
  return {
    title: nameOf(url),
    text: readable ? `${remark}${text}` : `This address holds ${type.trim()} (${bytes.length} bytes), which cannot be shown as text.`,
  };
}

/** The same in a thread apart, which is ended when it takes too long or too much: for pages that nobody has vouched for. */
export async function pageTextApart(url: string, contentType: string, bytes: Uint8Array): Promise<MainText & { readonly isGivenUp?: true }> {
  try {
    return await readApart('page', { name: url, extension: contentType }, bytes);
  } catch (thrown) {
    if (thrown instanceof GivenUp) return { title: nameOf(url), text: thrown.message, isGivenUp: true };
    throw thrown;
  }
}

export function isPdf(contentType: string): boolean {
  return contentType.toLowerCase().split(';')[0]?.trim() === 'application/pdf';
}

async function pdfText(url: string, bytes: Uint8Array): Promise<MainText> {
  try {
    return { title: nameOf(url), text: renderPages(await readPdfPages(nameOf(url), bytes), 1) };
  } catch (thrown) {
    if (thrown instanceof Finding) return { title: nameOf(url), text: thrown.message };
    throw thrown;
  }
}

/**
 * As browsers do: by what the sender says, else by what the page says of itself, each only where there is such an encoding; else by the bytes.
 * `remark` tells of a name that means none.
 */
function decodedBy(bytes: Uint8Array, labels: readonly (string | undefined)[]): Decoded & { readonly remark: string } {
  const given = labels.flatMap((label) => label || []);
  const known = given.find(isEncoding);
  const decoded = decodeText(bytes, known);
  const remark =
    known === undefined && given[0] !== undefined
      ? `[It names the encoding "${given[0]}", which does not exist: it was taken for ${decoded.encoding}.]\n\n`
      : '';
  return { ...decoded, remark };
}

function nameOf(url: string): string {
  const { pathname, hostname } = new URL(url);
  return pathname.split('/').filter(Boolean).at(-1) ?? hostname;
}
