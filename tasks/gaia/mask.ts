// A question with its slots blanked: what two tasks of one wording have in common. Knows no template: slots are told by how they are written.

/** Names, numbers and quotations become `_`; runs of them one. A word in capitals counts as a name wherever it stands, a capitalised one within a sentence. */
export function masked(question: string): string {
  return question
    .replace(/"[^"]*"|“[^”]*”/g, '_')
    .replace(/(?<![.?!]\s)(?<!^)\b\p{Lu}[\p{L}'-]*/gu, '_')
    .replace(/\b\p{Lu}{2,}\b/gu, '_')
    .replace(/[-+]?\d[\d.,]*/g, '_')
    .replace(/_(?:(?:,? (?:and|of|at|the) |, | )_)+/g, '_')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
