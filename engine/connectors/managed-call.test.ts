// The managed call under any order of requests, answers, failures, aborts and passing time: what must hold at every moment, and once all is over.
import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConnectorEvent } from '../connector.ts';
import { newCallCounts } from '../events.ts';
import { manualClock, settle } from '../fixtures/manual-clock.ts';
import { connector } from './make-connector.ts';

const CONCURRENCY = 2;
const TTL_MS = 100;
const TIMEOUT_MS = 60;

type Step =
  | { readonly do: 'ask'; readonly what: string; readonly safe: boolean; readonly run: number }
  | { readonly do: 'answer'; readonly at: number; readonly how: 'value' | 'busy' | 'fatal' }
  | { readonly do: 'abort'; readonly at: number }
  | { readonly do: 'wait'; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const), what: fc.constantFrom('a', 'b', 'c'), safe: fc.boolean(), run: fc.nat(2) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('answer' as const), at: fc.nat(9), how: fc.constantFrom('value', 'value', 'busy', 'fatal') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('abort' as const), at: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 30, 70, 150) }) },
);

interface Open {
  readonly what: string;
  readonly safe: boolean;
  end(how: 'value' | 'busy' | 'fatal'): void;
}

test('bounds hold at every moment; each request has one end and its own answer; nothing is left, and the counts add up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), fc.boolean(), async (steps, cached) => {
      const clock = manualClock();
      const open = new Set<Open>();
      const answeredAtMs = new Map<string, number>();
      const made = connector<{ readonly what: string; readonly safe: boolean }, string, (what: string, safe: boolean) => Promise<{ readonly value: string }>>(
        {
          name: 'any',
          concurrency: CONCURRENCY,
          timeoutMs: TIMEOUT_MS,
          clock,
          retry: { attempts: 3, backoffMs: 20 },
          ...(cached ? { cache: { ttlMs: TTL_MS, maxEntries: 2 } } : {}),
        },
        {
          answer: ({ what, safe }, signal) =>
            new Promise((resolve, reject) => {
              const one: Open = {
                what,
                safe,
                end: (how) => {
                  open.delete(one);
                  if (how !== 'value') return reject(new Error(how));
                  if (safe) answeredAtMs.set(what, clock.nowMs());
                  resolve({ value: `${what} ${safe}`, bytes: 1 });
                },
              };
              open.add(one);
              signal.addEventListener('abort', () => open.delete(one));
            }),
          mayPass: (error) => (error as { code?: unknown }).code === 'timeout' || (error as Error).message === 'busy',
          textOf: (value) => value,
        },
        (call) => (what, safe) => call({ what, safe }, safe),
      );
      const runs = [{}, {}, {}];
      const counts = newCallCounts();
      const asked: { readonly controller: AbortController; readonly events: ConnectorEvent[]; readonly what: string; ended: unknown }[] = [];
      const begin = (what: string, safe: boolean, run: number) => {
        const controller = new AbortController();
        const events: ConnectorEvent[] = [];
        const one = { controller, events, what: `${what} ${safe}`, ended: undefined as unknown };
        asked.push(one);
        const emit = (event: ConnectorEvent) => {
          events.push(event);
          if (event.type === 'connector-end' && event.from === 'cache') expect(clock.nowMs()).toBeLessThan((answeredAtMs.get(what) ?? -Infinity) + TTL_MS);
        };
        const link = { node: 'n', run: runs[run] as object, signal: controller.signal, counts, standIn: undefined, listening: true, emit };
        const settled = (how: unknown) => {
          expect(one.ended).toBeUndefined();
          one.ended = how;
        };
        made
          .open(link)(what, safe)
          .then(({ value }) => settled(value), settled);
      };
      const check = () => {
        expect(open.size).toBeLessThanOrEqual(CONCURRENCY);
        expect(made.counts().atWork).toBe(open.size);
        // Nobody waits while a place is free.
        if (made.counts().waiting > 0) expect(open.size).toBe(CONCURRENCY);
        const safe = [...open].filter((one) => one.safe).map(({ what }) => what);
        expect(new Set(safe).size).toBe(safe.length);
      };
      for (const one of steps) {
        if (one.do === 'ask') begin(one.what, one.safe, one.run);
        else if (one.do === 'answer') [...open][one.at % Math.max(1, open.size)]?.end(one.how);
        else if (one.do === 'abort') asked[one.at % Math.max(1, asked.length)]?.controller.abort(new Error('left'));
        else await clock.advance(one.ms);
        await settle();
        check();
      }
      while (asked.some(({ ended }) => ended === undefined)) {
        for (const one of [...open]) one.end('value');
        await clock.advance(50);
        check();
      }
      const ends = asked.map(({ events, what, ended }) => {
        expect(events.filter(({ type }) => type === 'connector-start').length).toBe(1);
        const [end, ...more] = events.filter((event) => event.type === 'connector-end');
        expect(more).toEqual([]);
        expect(events.at(-1)).toBe(end);
        if (end?.ok === true) expect(ended).toBe(what);
        return end?.code ?? 'answered';
      });
      const { requests, hits, misses, shared, errors, waiting, atWork } = made.counts();
      expect({ waiting, atWork, timers: clock.waiting }).toEqual({ waiting: 0, atWork: 0, timers: 0 });
      for (const { controller } of asked) expect(getEventListeners(controller.signal, 'abort').length).toBe(0);
      const gaveUp = ends.filter((end) => end === 'cancelled').length;
      expect(requests).toBe(asked.length);
      expect(hits + misses + shared + errors + gaveUp).toBe(requests);
      expect(counts).toEqual({ ...made.counts(), waiting: undefined, atWork: undefined });
    }),
    { numRuns: 150 },
  );
}, 30_000);
