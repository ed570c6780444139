// Lines no wider than a screen, broken at blanks. What is longer than a line and has no blank stays whole, so that addresses and commands can be copied.

/** The text's own indent is kept; `indent` stands before the lines that follow. */
export function wrapped(text: string, width: number, indent = ''): string[] {
  const lead = /^ */.exec(text)?.[0] ?? '';
  const lines: string[] = [];
  let line = lead;
  for (const word of text.trim().split(' ')) {
    const joined = line.trim() === '' ? line + word : `${line} ${word}`;
    if (joined.length > width && line.trim() !== '') {
      lines.push(line);
      line = indent + word;
    } else line = joined;
  }
  return [...lines, line];
}
