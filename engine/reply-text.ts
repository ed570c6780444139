// What of a reply's text is the answer. Reasoning that a server leaves in the text is taken out; where it never ends, nothing is left.

const OPEN = /^\s*<(think|thinking|reasoning)>/i;

/** Splits leading reasoning from the text. `<think>…` without an end is reasoning to its last letter. */
export function splitReasoning(text: string): { readonly text: string; readonly reasoning?: string } {
  // Most replies begin with a letter: no expression is run for them.
  const first = text.charCodeAt(0);
  if (first > 60 && first < 128) return { text };
  const opened = OPEN.exec(text);
  if (opened === null) return { text };
  const close = `</${(opened[1] as string).toLowerCase()}>`;
  const end = text.toLowerCase().indexOf(close, opened[0].length);
  if (end < 0) return { text: '', reasoning: text.slice(opened[0].length) };
  return { text: text.slice(end + close.length).trimStart(), reasoning: text.slice(opened[0].length, end) };
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
