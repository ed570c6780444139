// Word errors of a transcript, as recognisers are compared: words to insert, remove or change, signs and the form of numbers and dates left aside.

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

export function wordErrors(said: string, heard: string): number {
  const [from, to] = [wordsOf(said), wordsOf(heard)];
  let above = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, word] of from.entries()) {
    const row = [i + 1];
    for (let j = 1; j <= to.length; j++)
      row.push(Math.min((row[j - 1] as number) + 1, (above[j] as number) + 1, (above[j - 1] as number) + (to[j - 1] === word ? 0 : 1)));
    above = row;
  }
  return above[to.length] as number;
}

/** `March 14th, 1987` and `14 March 1987` are the same words, `$245` and `245 dollars` too. */
export function wordsOf(text: string): string[] {
  const words = text
    .toLowerCase()
    .replace(/(\d),(?=\d{3})/g, '$1')
    .replace(/\$(\d+(?:\.\d+)?)(?: dollars)?/g, '$1 dollars')
    .replace(/£(\d+(?:\.\d+)?)(?: pounds)?/g, '$1 pounds')
    .replace(/(\d)(?:st|nd|rd|th)\b/g, '$1')
    .split(/[^a-z0-9'.]+|\.(?!\d)/)
    .filter((word) => word !== '');
  for (let i = 1; i < words.length; i++) {
    const [before, here] = [words[i - 1] as string, words[i] as string];
    if (MONTHS.includes(here) && /^\d{1,2}$/.test(before)) [words[i - 1], words[i]] = [here, before];
  }
  return words;
}
