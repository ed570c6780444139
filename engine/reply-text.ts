// What of a reply's text is the answer. Reasoning that a server leaves in the text is taken out; where it never ends, nothing is left.

const CLOSE = /<\/(?:think|thinking|reasoning)>/i;
/** From a tag at the start of the text or of a line to its end, or to the end of the text. */
const BLOCK = /(^|\n)[ \t]*<(think|thinking|reasoning)>([\s\S]*?)(?:<\/\2>|$)/gi;

/**
 * Splits reasoning from the text. Thoughts that are never closed go on to the last letter, and a closing tag without an opening one ends thoughts that began before
 * the text: some servers have the opening tag in their prompt. A tag within a line is text about a tag.
 */
export function splitReasoning(text: string): { readonly text: string; readonly reasoning?: string } {
  if (!text.includes('<')) return { text };
  const thoughts: string[] = [];
  let rest = text.replace(BLOCK, (_, before: string, __, thought: string) => {
    thoughts.push(thought);
    return before;
  });
  for (let closed = CLOSE.exec(rest); closed !== null; closed = CLOSE.exec(rest)) {
    thoughts.push(rest.slice(0, closed.index));
    rest = rest.slice(closed.index + closed[0].length);
  }
  return thoughts.length === 0 ? { text } : { text: rest.trimStart(), reasoning: thoughts.join('\n') };
}

/** JSON that an answer holds: the whole text, or the one fenced block in it. `undefined` when it is no JSON. */
export function parseJsonAnswer(text: string): { readonly value: unknown } | undefined {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(text);
  for (const candidate of [text, fenced?.[1]]) {
    if (candidate === undefined) continue;
    try {
      return { value: JSON.parse(candidate) };
    } catch {
      // Not this one; the caller asks the model again when neither parses.
    }
  }
  return undefined;
}
