import { describe, expect, it } from 'vitest';
import { exactPart } from './exact-part.ts';
import { trialRecord } from './testing-records.ts';

describe('exactPart', () => {
  it('drops names that end in Ms, Bytes, Percent or At, at any depth, and the times of calls', () => {
    const record = trialRecord({ wallMs: 1, overheadUpperMs: 2, peakRssBytes: 3, failure: { code: 'hang', message: 'm' } });
    const part = exactPart(record);
    expect(Object.keys(part).filter((name) => /Ms$|Bytes$/.test(name))).toEqual([]);
    expect(part.failure).toEqual({ code: 'hang', message: 'm' });
    expect(part.calls).toEqual([
      [100, 10, 200],
      [100, 10, 200],
    ]);
    expect(part.toolCalls).toEqual([['web_search', 200]]);
  });

  it('is the same for two runs that differ in times and in the order of arrival only', () => {
    const one = trialRecord({
      wallMs: 5,
      calls: [
        [0, 1, 10, 1, 200],
        [0, 2, 20, 2, 200],
      ],
      toolCalls: [
        ['a', 0, 1, 200],
        ['b', 0, 1, 200],
      ],
    });
    const other = trialRecord({
      cpuMs: 6,
      calls: [
        [3, null, 20, 2, 200],
        [3, 4, 10, 1, 200],
      ],
      toolCalls: [
        ['b', 2, 3, 200],
        ['a', 2, null, 200],
      ],
    });
    expect(exactPart(one)).toEqual(exactPart(other));
    expect(exactPart(trialRecord({ calls: [[0, 1, 11, 1, 200]] }))).not.toEqual(exactPart(trialRecord({ calls: [[0, 1, 10, 1, 200]] })));
  });

  it('keeps outcome, answer and score of a cut trial, and drops usage, code, calls and events', () => {
    const part = exactPart(
      trialRecord({ cut: true, answer: '5', score: { rule: 'number', correct: true }, code: 'x', events: [{ code: 'x', source: 'model' }] }),
    );
    expect(part).toMatchObject({ cut: true, outcome: 'completed', answer: '5', score: { rule: 'number', correct: true } });
    for (const name of ['usage', 'code', 'calls', 'toolCalls', 'events']) expect(part).not.toHaveProperty(name);
  });

  it('leaves the record as it was', () => {
    const record = trialRecord({ wallMs: 1 });
    exactPart(record);
    expect(record).toEqual(trialRecord({ wallMs: 1 }));
  });
});
