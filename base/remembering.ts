// The same function of a text, which keeps what it made of the last texts: histories are sent again and again. Nothing to rely on: when it is full, it forgets all.

/** A runaway text is not kept: hundreds of them would be a gigabyte. */
const LONGEST = 20_000;

/** @param most texts that it keeps */
export function remembering<T>(make: (text: string) => T, most: number): (text: string) => T {
  const made = new Map<string, T>();
  return (text) => {
    if (text.length > LONGEST) return make(text);
    const before = made.get(text);
    if (before !== undefined) return before;
    const now = make(text);
    if (made.size >= most) made.clear();
    made.set(text, now);
    return now;
  };
}
