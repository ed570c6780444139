import { describe, expect, it } from 'vitest';
import { robotsAllow } from './robots.ts';

const lines = (...all: string[]) => all.join('\n');

describe('robots.txt', () => {
  it.each<[string, string, string, boolean]>([
    ['without any rule allows', '', '/a', true],
    ['forbids what begins so', lines('User-agent: *', 'Disallow: /private'), '/private/x', false],
    ['forbids nothing by an empty rule', lines('User-agent: *', 'Disallow:'), '/x', true],
    ['forbids all', lines('user-agent : *', 'DISALLOW: / # everything'), '/', false],
    ['lets the longer rule count', lines('User-agent: *', 'Disallow: /a', 'Allow: /a/open'), '/a/open/1', true],
    ['lets the kinder rule count at equal length', lines('User-agent: *', 'Disallow: /a', 'Allow: /a'), '/a', true],
    ['speaks to another agent alone', lines('User-agent: elsebot', 'Disallow: /'), '/', true],
    ['speaks to us by name, and then not to all', lines('User-agent: *', 'Disallow: /', 'User-agent: AgentGauge', 'Disallow: /no'), '/yes', true],
    ['speaks to several at once', lines('User-agent: elsebot', 'User-agent: agentgauge', 'Disallow: /no'), '/no', false],
    ['begins a group anew after its rules', lines('User-agent: agentgauge', 'Disallow: /no', 'User-agent: elsebot', 'Disallow: /yes'), '/yes', true],
    ['knows wild cards', lines('User-agent: *', 'Disallow: /*/draft*.pdf$'), '/2024/draft-1.pdf', false],
    ['knows the end', lines('User-agent: *', 'Disallow: /*.pdf$'), '/a.pdf?page=2', true],
    ['counts no sign twice', lines('User-agent: *', 'Disallow: /aba*aba$'), '/ababa', true],
    ['is a page in place of rules', '<!doctype html><p>Nothing here: go away</p>', '/', true],
    ['has line ends of its own', 'User-agent: *\r\nDisallow: /a\r\n', '/a', false],
  ])('that %s', (_, text, path, allowed) => {
    expect(robotsAllow(text, path)).toBe(allowed);
  });

  it('takes no longer for a pattern made of wild cards', () => {
    expect(robotsAllow(lines('User-agent: *', `Disallow: /${'*a'.repeat(5_000)}b`), `/${'a'.repeat(9_000)}`)).toBe(true);
  });
});
