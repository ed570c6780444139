// Fixed words in place of install root, folders and ports (method M5.0): a framework may feed back a stack trace, and prompt bytes must not depend on the checkout.
import type { Replacement } from './control.ts';

const LOOPBACK_PORT = /(127\.0\.0\.1|localhost|\[::1\]):\d{2,5}/g;

/** @returns a function that replaces the longest match first, in each spelling that JSON inside JSON may give a path, and then loopback ports. */
export function fixedWords(replacements: readonly Replacement[]): (text: string) => string {
  const spelled = replacements.flatMap(({ from, to }) => spellings(from).map((spelling) => ({ from: spelling, to })));
  spelled.sort((a, b) => b.from.length - a.from.length);
  return (text) => {
    let changed = text;
    for (const { from, to } of spelled) if (changed.includes(from)) changed = changed.replaceAll(from, to);
    return changed.includes(':') ? changed.replace(LOOPBACK_PORT, '$1:PORT') : changed;
  };
}

/** As it is, and as JSON with only ASCII spells it, once and twice. */
function spellings(text: string): string[] {
  const once = asciiJson(text);
  return [...new Set([text, once, asciiJson(once), JSON.stringify(text).slice(1, -1)])].filter((spelling) => spelling !== '');
}

function asciiJson(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
