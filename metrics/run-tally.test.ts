import { describe, expect, it } from 'vitest';
import { RunTally } from './run-tally.ts';
import { manifest, planRow, trialRecord } from './testing-records.ts';

const PLAN = manifest(['alpha', 'beta'], 2, { trials: 2 });
const ALPHA = planRow('alpha');

describe('a tally of records', () => {
  it('counts a record of no planned row, task or trial as a stranger, and a second one of a trial as a double; the first stands', () => {
    const tally = new RunTally(PLAN);
    tally.add(trialRecord({ score: { rule: 'number', correct: true } }));
    tally.add(trialRecord());
    tally.add(trialRecord({ framework: 'gamma' }));
    tally.add(trialRecord({ taskId: 't3' }));
    tally.add(trialRecord({ trialIndex: 2 }));
    expect(tally).toMatchObject({ recorded: 1, doubles: 1, strangers: 3 });
    expect(tally.row(ALPHA).rateCounts().correct).toBe(1);
  });

  it('keeps of each figure what is known, by the place of its trial in the plan', () => {
    const tally = new RunTally(PLAN);
    tally.add(trialRecord({ taskId: 't2', trialIndex: 1, overheadMs: 0 }));
    const { columns } = tally.row(ALPHA);
    expect(columns.where().map((place) => tally.places.nameAt(place))).toEqual(['t2#1']);
    expect(columns.among('overheadMs', columns.where())).toEqual([0]);
    expect(columns.among('cpuMs', columns.where())).toEqual([]);
    expect(tally.row(planRow('beta')).columns.where()).toEqual([]);
  });

  it('keeps of a failure that was not repaired the beginning of the first line of its error', () => {
    const tally = new RunTally(PLAN);
    const message = `${'x'.repeat(200)}\nstack`;
    tally.add(trialRecord({ outcome: 'failed', handling: 'reported', code: 'framework-exception', failure: { code: 'framework-exception', message } }));
    tally.add(trialRecord({ taskId: 't2' }));
    expect(tally.row(ALPHA).open).toEqual([
      {
        place: 0,
        ending: { outcome: 'failed', code: 'framework-exception', handling: 'reported', isCaused: true, events: [], message: `${'x'.repeat(160)}…` },
      },
    ]);
  });

  it('keeps one ending for all trials that end alike', () => {
    const tally = new RunTally(PLAN);
    for (const taskId of ['t1', 't2'])
      tally.add(trialRecord({ taskId, outcome: 'failed', handling: 'lost', code: 'loop', events: [{ code: 'loop', source: 'framework' }] }));
    const [first, second] = tally.row(ALPHA).open;
    expect(first).toMatchObject({ place: 0, ending: { code: 'loop' } });
    expect(second?.ending).toBe(first?.ending);
  });

  it('counts codes and wires of a cut trial only where the exact part is not asked for', () => {
    const tally = new RunTally(PLAN);
    tally.add(trialRecord({ cut: true, code: 'wrong-answer' }));
    const [all] = tally.counts({ exactOnly: false });
    const [exact] = tally.counts({ exactOnly: true });
    expect(all).toMatchObject({ recorded: 1, cut: 1, modelCalls: 2, codes: [{ code: 'wrong-answer', trials: 1, example: 't1#0' }] });
    expect(exact).toMatchObject({ recorded: 1, cut: 1, modelCalls: 0, codes: [], wires: [] });
  });
});
