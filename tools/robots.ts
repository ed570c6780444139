// What a host wants of programs that read it (robots.txt, RFC 9309): rules for our name, else those for everybody. Pure; whose answer it is and what a missing
// one means is live-web.ts.

/** By which a host may name us. */
export const AGENT_NAME = 'agentgauge';

/** Set to `ignored`, no host of the live web is asked for its rules. */
export const ROBOTS_VARIABLE = 'AGENTGAUGE_ROBOTS';

interface Rule {
  readonly allow: boolean;
  readonly pattern: string;
}

/** @param path with its query. @returns false when the rule that fits best forbids it; at equal length the kinder one counts */
export function robotsAllow(text: string, path: string): boolean {
  let best: Rule | undefined;
  for (const rule of rulesFor(text, AGENT_NAME) ?? rulesFor(text, '*') ?? []) {
    if (!fits(rule.pattern, path)) continue;
    const [longer, before] = [rule.pattern.length, best?.pattern.length ?? -1];
    if (longer > before || (longer === before && rule.allow)) best = rule;
  }
  return best?.allow ?? true;
}

/** Of all groups that name it; `undefined` when none does. */
function rulesFor(text: string, agent: string): Rule[] | undefined {
  let rules: Rule[] | undefined;
  let [isOurs, namesGoOn] = [false, false];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, key = '', value = ''] = /^\s*([\w-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/.exec(line) ?? [];
    const field = key.toLowerCase();
    if (field === 'user-agent') {
      isOurs = (namesGoOn && isOurs) || value.toLowerCase() === agent;
      namesGoOn = true;
      if (isOurs) rules ??= [];
    } else if (field === 'allow' || field === 'disallow') {
      namesGoOn = false;
      // An empty one forbids nothing.
      if (isOurs && value !== '') rules?.push({ allow: field === 'allow', pattern: value });
    }
  }
  return rules;
}

/** `*` stands for anything, `$` at the end for the end. Each part is looked for once, so no pattern takes long. */
function fits(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$');
  const [first = '', ...parts] = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = parts.pop();
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (last === undefined) return !anchored || at === path.length;
  return anchored ? path.length - last.length >= at && path.endsWith(last) : path.indexOf(last, at) >= 0;
}
