// Search by a provider with a key: Tavily, Brave or Serper, each one JSON request. Which one, and its key, come from the environment; keys appear nowhere else.
import { UsageError } from '../base/error.ts';
import { ToolError } from './tool-error.ts';
import type { SearchHit } from './web.ts';

export interface SearchProvider {
  readonly name: string;
  /** @throws ToolError `SEARCH_FAILED` when the provider refuses or answers something else */
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

/** The variables that the tool broker needs of the host's environment for live search, and no others. */
export function searchEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const provider = environment['AGENTGAUGE_SEARCH'];
  if (!provider) return {};
  const keyVariable = Object.hasOwn(RECIPES, provider) ? RECIPES[provider]?.keyVariable : undefined;
  const key = keyVariable === undefined ? undefined : environment[keyVariable];
  return { AGENTGAUGE_SEARCH: provider, ...(keyVariable === undefined || !key ? {} : { [keyVariable]: key }) };
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
export function searchProvider(environment: Readonly<Record<string, string | undefined>>, base?: string): SearchProvider | undefined {
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
  return { name, search: (query) => searchBy(name, recipe, base ?? recipe.base, key, query) };
}

async function searchBy(name: string, recipe: Recipe, base: string, key: string, query: string): Promise<readonly SearchHit[]> {
  if (query.trim() === '') return [];
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
