import { describe, expect, it } from 'vitest';
import { causalEnds } from './causal-ends.ts';
import { overheadOf } from './overhead.ts';
import { talk } from './testing.ts';

// Request 0–10 asks, tool 10–20 answers, request 20–30 brings the result and answers: stamped late, both ends reach into what follows.
const late = talk([
  { asks: [['web_search', { query: 'a' }]], endMs: 14, ran: [{ name: 'web_search', arguments: { query: 'a' }, startMs: 12, endMs: 27 }] },
  { says: 'FINAL ANSWER: 5', startMs: 22 },
]);

describe('causalEnds', () => {
  it('ends a model call where a tool began that it asked for, and a tool where a request began that held its result', () => {
    const { modelCalls, toolCalls } = causalEnds(late);
    expect(modelCalls.map(({ endMs }) => endMs)).toEqual([12, 30]);
    expect(toolCalls).toEqual([{ startMs: 12, endMs: 22 }]);
  });

  it('takes no sequence for branches because of a late stamp', () => {
    const frame = { startMs: 0, endMs: 35, waits: [] };
    expect(overheadOf({ ...frame, ...causalEnds(late) })).not.toHaveProperty('overheadUpperMs');
    expect(overheadOf({ ...frame, modelCalls: late.traffic.calls, toolCalls: late.toolCalls })).toHaveProperty('overheadUpperMs');
  });

  it('leaves alone what no cause bounds', () => {
    const { traffic, toolCalls } = talk([{ asks: [['web_search', { query: 'a' }]] }, { says: 'x', delivered: [] }]);
    const ends = causalEnds({ traffic, toolCalls });
    expect(ends.toolCalls).toEqual([{ startMs: 10, endMs: 20 }]);
    expect(ends.modelCalls.map(({ endMs }) => endMs)).toEqual([10, 30]);
  });
});
