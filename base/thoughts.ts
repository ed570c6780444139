// Takes out what a model thought aloud between <think> tags. A tag that never closes hides all that follows: thinking was all there was.

/** The text without its thoughts. A closing tag without an opening one ends thoughts that began before the text. */
export function withoutThoughts(text: string): string {
  if (!text.includes('think')) return text;
  const closed = text.replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/gi, '');
  const orphan = closed.replace(/^[\s\S]*<\/think(?:ing)?>/i, '');
  return orphan.replace(/<think(?:ing)?>[\s\S]*$/i, '');
}
