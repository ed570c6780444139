// Search by a provider with a key: Tavily, Brave or Serper, each one JSON request. Which one, and its key, come from the environment; keys appear nowhere else.
import { type Clock, systemClock } from '../base/clock.ts';
import { UsageError } from '../base/error.ts';
import type { SearchHit } from '../tasks/search-index.ts';
import { ROBOTS_VARIABLE } from './robots.ts';
import { ToolError } from './tool-error.ts';

export interface SearchProvider {
  readonly name: string;
  /** @throws ToolError `SEARCH_FAILED` when the provider refuses or answers something else; `SEARCH_BLOCKED` while it wants to be left alone */
  search(query: string): Promise<readonly SearchHit[]>;
}

interface Recipe {
  readonly base: string;
  readonly keyVariable: string;
  request(base: string, key: string, query: string): { readonly url: string; readonly init: RequestInit };
  hits(body: Record<string, unknown>): unknown;
  hit(entry: Record<string, unknown>): { readonly title: unknown; readonly url: unknown; readonly snippet: unknown };
}

const RESULTS = 8;
const TIMEOUT_MS = 15_000;
/** After a block nothing is asked for so long, then for twice as long. */
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 600_000;

/** Forms as the providers document them: docs.tavily.com, api-dashboard.search.brave.com, serper.dev. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  tavily: {
    base: 'https://api.tavily.com',
    keyVariable: 'TAVILY_API_KEY',
    request: (base, key, query) => ({ url: `${base}/search`, init: post({ Authorization: `Bearer ${key}` }, { query, max_results: RESULTS }) }),
    hits: ({ results }) => results,
    hit: ({ title, url, content }) => ({ title, url, snippet: content }),
  },
  brave: {
    base: 'https://api.search.brave.com',
    keyVariable: 'BRAVE_API_KEY',
    request: (base, key, query) => ({
      url: `${base}/res/v1/web/search?${new URLSearchParams({ q: query, count: String(RESULTS) })}`,
      init: { headers: { 'X-Subscription-Token': key, Accept: 'application/json' } },
    }),
    hits: ({ web }) => (web as { results?: unknown } | undefined)?.results ?? [],
    hit: ({ title, url, description }) => ({ title, url, snippet: description }),
  },
  serper: {
    base: 'https://google.serper.dev',
    keyVariable: 'SERPER_API_KEY',
    request: (base, key, query) => ({ url: `${base}/search`, init: post({ 'X-API-KEY': key }, { q: query, num: RESULTS }) }),
    hits: ({ organic }) => organic,
    hit: ({ title, link, snippet }) => ({ title, url: link, snippet }),
  },
};

/** The variables that the tool broker needs of the host's environment for the live web, and no others. */
export function searchEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const provider = environment['AGENTGAUGE_SEARCH'];
  if (!provider) return {};
  const keyVariable = Object.hasOwn(RECIPES, provider) ? RECIPES[provider]?.keyVariable : undefined;
  const key = keyVariable === undefined ? undefined : environment[keyVariable];
  const robots = environment[ROBOTS_VARIABLE];
  return {
    AGENTGAUGE_SEARCH: provider,
    ...(keyVariable === undefined || !key ? {} : { [keyVariable]: key }),
    ...(robots ? { [ROBOTS_VARIABLE]: robots } : {}),
  };
}

function post(headers: Record<string, string>, body: unknown): RequestInit {
  return { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

/**
 * The provider that `AGENTGAUGE_SEARCH` names.
 *
 * @returns `undefined` when it names none: then there is no live web
 * @throws UsageError `UNKNOWN_SEARCH_PROVIDER` or `SEARCH_KEY_MISSING`
 */
export function searchProvider(
  environment: Readonly<Record<string, string | undefined>>,
  base?: string,
  clock: Clock = systemClock,
): SearchProvider | undefined {
  const name = environment['AGENTGAUGE_SEARCH'];
  if (!name) return undefined;
  const recipe = Object.hasOwn(RECIPES, name) ? RECIPES[name] : undefined;
  if (!recipe) {
    throw new UsageError('UNKNOWN_SEARCH_PROVIDER', `AGENTGAUGE_SEARCH is ${JSON.stringify(name)}`, {
      remedy: `It is one of ${Object.keys(RECIPES).join(', ')}.`,
    });
  }
  const key = environment[recipe.keyVariable];
  if (!key)
    throw new UsageError('SEARCH_KEY_MISSING', `search by ${name} needs a key in ${recipe.keyVariable}`, {
      remedy: `Set ${recipe.keyVariable}, or leave AGENTGAUGE_SEARCH empty.`,
    });
  let [pauseMs, pausedUntilMs] = [0, 0];
  const blocked = (what: string) =>
    new ToolError('SEARCH_BLOCKED', `search by ${name} is blocked: it ${what}; other words will not help`, {
      remedy: `it is asked again in ${Math.ceil((pausedUntilMs - clock.nowMs()) / 1_000)} s`,
    });
  return {
    name,
    search: async (query) => {
      if (query.trim() === '') return [];
      if (clock.nowMs() < pausedUntilMs) throw blocked('wanted to be left alone');
      const found = await searchBy(name, recipe, base ?? recipe.base, key, query);
      if (typeof found !== 'string') {
        pauseMs = 0;
        return found;
      }
      pauseMs = Math.min(Math.max(FIRST_PAUSE_MS, 2 * pauseMs), LONGEST_PAUSE_MS);
      pausedUntilMs = clock.nowMs() + pauseMs;
      throw blocked(found);
    },
  };
}

/** @returns in place of results, how it keeps us out: such an answer must never be read as no results */
async function searchBy(name: string, recipe: Recipe, base: string, key: string, query: string): Promise<readonly SearchHit[] | string> {
  const { url, init } = recipe.request(base, key, query);
  const failed = (what: string, cause?: unknown) =>
    new ToolError('SEARCH_FAILED', `search by ${name} ${what}`, {
      remedy: 'check the key and the plan that it belongs to',
      ...(cause === undefined ? {} : { cause }),
    });
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const isPage = response.headers.get('content-type')?.includes('html') ?? false;
    if (response.status === 429 || (isPage && [200, 202, 403, 503].includes(response.status))) {
      await response.body?.cancel();
      return response.status === 429 ? 'was asked too often (status 429)' : `gives a page for people, such as a human check (status ${response.status})`;
    }
    body = response.ok ? await response.json() : await response.body?.cancel();
  } catch (cause) {
    throw failed('did not answer with JSON', cause);
  }
  if (!response.ok) throw failed(`answered ${response.status}`);
  const entries = typeof body === 'object' && body !== null ? recipe.hits(body as Record<string, unknown>) : undefined;
  if (!Array.isArray(entries)) throw failed('answered in a form that is not known');
  return entries.slice(0, RESULTS).flatMap((entry: unknown) => {
    const { title, url: address, snippet } = recipe.hit((entry ?? {}) as Record<string, unknown>);
    if (typeof address !== 'string' || !URL.canParse(address)) return [];
    return [{ title: plain(title) || address, url: address, snippet: plain(snippet).slice(0, 300) }];
  });
}

/** Providers mark what was found with tags. */
function plain(text: unknown): string {
  return typeof text === 'string'
    ? text
        .replace(/<[^>]*>/g, '')
        .replace(/\s+/g, ' ')
        .trim()
    : '';
}
