import { describe, expect, it } from 'vitest';
import { RECORD_VERSION } from './record.ts';
import { parseManifest, parseTrialRecord, parseWireRecord, parseWorkerRecord } from './record-schema.ts';
import { manifest, trialRecord, workerRecord } from './testing-records.ts';

function errorOf(act: () => unknown) {
  try {
    act();
  } catch (error) {
    const { code, message } = error as Error & { code: string };
    return { code, message };
  }
  return undefined;
}

describe('stored records', () => {
  it('come back as they were written, whole or bare', () => {
    const full = trialRecord({
      score: { rule: 'number', correct: true },
      events: [{ code: 'loop', source: 'framework', step: 's1', ask: 0, repaired: true }],
      wallMs: 3.5,
      block: 2,
      cut: true,
    });
    expect(parseTrialRecord(JSON.parse(JSON.stringify(full)), 'x')).toEqual(full);
    expect(parseTrialRecord(trialRecord(), 'x')).toEqual(trialRecord());
    expect(parseWorkerRecord(workerRecord(), 'x')).toEqual(workerRecord());
    expect(parseManifest(manifest(['alpha'], 2), 'x')).toEqual(manifest(['alpha'], 2));
    const wire = { wire: 'w', framework: 'a', shape: 's', settings: 'd', facts: { tools: [] } };
    expect(parseWireRecord(wire, 'x')).toEqual(wire);
  });

  it.each([
    ['a null', { ...trialRecord(), code: null }, 'code'],
    ['a NaN', { ...trialRecord(), wallMs: Number.NaN }, 'wallMs'],
    ['a negative time', { ...trialRecord(), overheadMs: -1 }, 'overheadMs'],
    ['an unknown key', { ...trialRecord(), extra: 1 }, 'extra'],
    ['an unknown outcome', { ...trialRecord(), outcome: 'fine' }, 'outcome'],
    ['a missing field', { ...trialRecord(), taskId: undefined }, 'taskId'],
    ['a wrong row deep inside', { ...trialRecord(), calls: [[1, 2, 3, 'x', 5]] }, 'calls.0.3'],
  ])('refuse %s, with its place', (_, record, where) => {
    const error = errorOf(() => parseTrialRecord(record, 'trials.jsonl:17'));
    expect(error?.code).toBe('RECORD_BROKEN');
    expect(error?.message.startsWith('trials.jsonl:17: ')).toBe(true);
    expect(error?.message).toContain(where);
  });

  it.each([
    ['no object', 'a word'],
    ['no version', { framework: 'a' }],
  ])('refuse %s', (_, value) => {
    expect(errorOf(() => parseWorkerRecord(value, 'workers.jsonl:1'))?.code).toBe('RECORD_BROKEN');
  });

  it('of another version are their own error, whatever else they hold', () => {
    for (const parse of [parseTrialRecord, parseWorkerRecord, parseManifest]) {
      expect(errorOf(() => parse({ recordVersion: 99, new: 'field' }, 'trials.jsonl:1'))).toEqual({
        code: 'RECORD_VERSION',
        message: `trials.jsonl:1: record version 99, this program reads version ${RECORD_VERSION}`,
      });
    }
  });
});
