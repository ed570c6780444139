import { describe, expect, test } from 'vitest';
import { isSurelyTrialRecord } from './record-check.ts';
import { trialRecordSchema } from './record-schema.ts';
import { trialRecord } from './testing-records.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Every field is there, so that each can be spoiled. */
const full = JSON.parse(
  JSON.stringify(
    trialRecord({
      failure: { code: 'c', message: '' },
      stoppedBy: 'host',
      output: 'o',
      answer: 'a',
      noMarker: true,
      score: { rule: 'list', correct: false },
      handling: 'lost',
      code: 'c',
      events: [{ code: 'c', source: 'model', step: 's1', ask: 0, repaired: true }],
      calls: [[0.5, null, 1, 2, 200]],
      toolCalls: [['web_fetch', 1, null, 422]],
      configuration: 'full',
      parts: { planner: { modelCalls: 1, inputTokens: 2, largestInputTokens: 2, answers: 1 } },
      readings: [['s1', 3, 'lexical']],
      tierBytes: { scratchKept: 0 },
      undisturbed: false,
      cut: true,
      block: 3,
      wallMs: 1,
      overheadMs: 0,
      overheadUpperMs: 1,
      modelMs: 1,
      toolMs: 1,
      stubMs: 1,
      cpuMs: 1,
      setupMs: 1,
      peakRssBytes: 1,
      baselineRssBytes: 1,
      rssMethod: 'm',
    }),
  ),
) as Json;

const ODD: readonly Json[] = [null, true, false, 0, -1, 1.5, 2 ** 53, 99, '', 'word', [], {}, [1, 2, 3, 4, 5], ['w', 1, 2, 3], { code: 'c' }];

/** The value itself spoiled, then each of its parts in turn: replaced by each odd value, left out, given one more. */
function* spoiled(value: Json): Generator<Json> {
  yield* ODD;
  if (Array.isArray(value)) {
    yield [...value, ...value];
    yield value.slice(1);
    for (const [at, part] of value.entries()) for (const other of spoiled(part)) yield value.with(at, other);
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, surplus: 1 };
    yield JSON.parse(`{"__proto__":1,${JSON.stringify(value).slice(1)}`) as Json;
    for (const [name, part] of Object.entries(value)) {
      const { [name]: _left, ...rest } = value;
      yield rest;
      for (const other of spoiled(part)) yield { ...rest, [name]: other };
    }
  }
}

describe('the quick check of a record', () => {
  test('accepts what the schema accepts and nothing else, whatever one part is spoiled', () => {
    let accepted = 0;
    let refused = 0;
    for (const value of [full, JSON.parse(JSON.stringify(trialRecord())) as Json, ...spoiled(full)]) {
      const bySchema = trialRecordSchema.safeParse(value).success;
      if (isSurelyTrialRecord(value) !== bySchema) expect.fail(`the schema says ${bySchema} to ${JSON.stringify(value)}`);
      if (bySchema) accepted += 1;
      else refused += 1;
    }
    expect(accepted).toBeGreaterThan(50);
    expect(refused).toBeGreaterThan(500);
  });
});
