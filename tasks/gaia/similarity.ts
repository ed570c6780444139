// How alike two questions are: the Dice coefficient of their sets of character trigrams (never below Jaccard's, so a bound on it bounds both).

export function trigramsOf(text: string): ReadonlySet<string> {
  const plain = ` ${text.toLowerCase().replace(/\s+/g, ' ').trim()} `;
  const found = new Set<string>();
  for (let at = 0; at + 3 <= plain.length; at++) found.add(plain.slice(at, at + 3));
  return found;
}

/** From 0 (no trigram shared) to 1 (the same trigrams). */
export function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const trigram of a) if (b.has(trigram)) shared += 1;
  return a.size + b.size === 0 ? 1 : (2 * shared) / (a.size + b.size);
}
