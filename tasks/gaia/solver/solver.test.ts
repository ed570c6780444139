import { describe, expect, it } from 'vitest';
import { composeSet } from '../compose-set.ts';
import { scoreAnswer } from '../score.ts';
import { solveFromWorld } from './solve-from-world.ts';

describe('the second solver', () => {
  it.each([31, 32])('finds the one answer to every web and zero-tool question of seed %i', async (seed) => {
    const { world, tasks } = await composeSet({ kind: 'generated', seed, n: 136 });
    const strays = tasks.flatMap(({ task, truth }) => {
      if (task.type === 'document') return [];
      const answers = solveFromWorld(task.template, task.question, world) ?? [];
      return answers.length === 1 && scoreAnswer(answers[0] as string, truth).correct ? [] : [`${task.template}: ${JSON.stringify(answers)} for ${truth}`];
    });
    expect(strays).toEqual([]);
  });

  it('sees two answers where two things fit', async () => {
    const { world } = await composeSet({ kind: 'generated', seed: 31, n: 1 });
    const queue = 'These people wait in one line: Ann, Bea, Cyd. Ann is somewhere before Bea. Cyd is not at the front.';
    expect(solveFromWorld('zero-queue', queue, world)).toEqual(['ABC', 'ACB']);
  });

  it('knows no kind that it was not told', async () => {
    const { world } = await composeSet({ kind: 'generated', seed: 31, n: 1 });
    expect(solveFromWorld('web-unheard-of', 'What?', world)).toBeUndefined();
  });
});
