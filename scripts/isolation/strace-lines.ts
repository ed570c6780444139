// What `strace -f -ttt -y` writes, read: one system call or one end of a thread a line. Pure; what a call means for isolation is said in judge-trace.ts.

export type TraceLine =
  | { readonly kind: 'call'; readonly tid: number; readonly atMs: number; readonly name: string; readonly args: readonly string[]; readonly result: string }
  | { readonly kind: 'end'; readonly tid: number; readonly atMs: number; readonly by: { readonly code: number } | { readonly signal: string } };

/** @yields calls when they have returned: of one that was interrupted by others the two halves are put together */
export function* readTrace(lines: Iterable<string>): Generator<TraceLine> {
  const unfinished = new Map<number, string>();
  for (const line of lines) {
    const read = /^(\d+)\s+(\d+\.\d+) (.*)$/s.exec(line);
    if (read === null) continue;
    const tid = Number(read[1]);
    const atMs = Number(read[2]) * 1000;
    let text = read[3] as string;
    const end = /^\+\+\+ (?:exited with (\d+)|killed by (SIG\w+))/.exec(text);
    if (end !== null) {
      unfinished.delete(tid);
      yield { kind: 'end', tid, atMs, by: end[2] === undefined ? { code: Number(end[1]) } : { signal: end[2] } };
      continue;
    }
    if (text.endsWith(' <unfinished ...>')) {
      unfinished.set(tid, text.slice(0, -' <unfinished ...>'.length));
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/s.exec(text);
    if (resumed !== null) {
      text = `${unfinished.get(tid) ?? ''}${resumed[1]}`;
      unfinished.delete(tid);
    }
    const call = /^(\w+)\((.*)\)\s+= (.*)$/s.exec(text);
    if (call !== null) yield { kind: 'call', tid, atMs, name: call[1] as string, args: splitArguments(call[2] as string), result: call[3] as string };
  }
}

const OPENS = '([{';
const CLOSES = ')]}';

/** At the commas between arguments: not at those in texts, structures and the paths that `-y` puts behind descriptors. */
export function splitArguments(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let inText = false;
  let inPath = false;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string;
    if (inText) {
      if (sign === '\\') at++;
      else if (sign === '"') inText = false;
    } else if (inPath) {
      if (sign === '>') inPath = false;
    } else if (sign === '"') inText = true;
    else if (sign === '<' && /[\dDT]/.test(text[at - 1] ?? '')) inPath = true;
    else if (OPENS.includes(sign)) depth++;
    else if (CLOSES.includes(sign)) depth--;
    else if (sign === ',' && depth === 0) {
      found.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  const last = text.slice(from).trim();
  return last === '' && found.length === 0 ? [] : [...found, last];
}

/** The text of a quoted argument; `undefined` for anything else. */
export function quoted(argument: string | undefined): string | undefined {
  const text = /^"((?:[^"\\]|\\.)*)"/s.exec(argument ?? '')?.[1];
  return text?.replace(/\\(["\\])/g, '$1');
}

/** The path that `-y` puts behind a descriptor. */
export function pathBehind(argument: string | undefined): string | undefined {
  return /^(?:AT_FDCWD|-?\d+)<(.*)>$/s.exec(argument ?? '')?.[1];
}

/** All texts of a list of texts, as `execve` has for its arguments. */
export function quotedList(argument: string | undefined): string[] {
  return [...(argument ?? '').matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map((match) => match[1] as string);
}
