import { expect, test } from 'vitest';
import type { ResolvedPlan } from '../runners/resolved-plan.ts';
import { nextCommands } from './next-commands.ts';

function planWith(parts: { modelKind?: ResolvedPlan['modelKind']; gated?: true; spec?: object; manifest?: object; row?: object }): ResolvedPlan {
  return {
    rows: [{ framework: 'fetch', shape: 'single', settings: 'default', ...parts.row }],
    manifest: { ...parts.manifest },
    modelKind: parts.modelKind ?? 'simulated',
    taskSet: parts.gated === undefined ? {} : { gated: true },
    spec: { profile: 'gpt-4o-mini', seed: 1, trials: 1, ...parts.spec },
  } as unknown as ResolvedPlan;
}

test('after a simulated study it varies the options that made it, and keeps the others', () => {
  const text = nextCommands('runs/a', planWith({}), { quick: true, frameworks: 'fetch,langgraph', 'node-only': undefined });
  expect(text).toMatchInlineSnapshot(`
    "Next:
      which trials stand behind a cell
        npm run agentgauge -- report runs/a --explain table1:fetch/single/default:accuracyPercent
      what each framework can do when the model makes no mistake
        npm run reproduce -- --quick --frameworks fetch,langgraph --profile clean
      another world, other faults: does the order hold?
        npm run reproduce -- --quick --frameworks fetch,langgraph --seed 2
    "
  `);
});

test('after a clean study it proposes no clean one', () => {
  expect(nextCommands('runs/a', planWith({ spec: { profile: 'clean', seed: 4 } }), { profile: 'clean', seed: '4' })).not.toContain('makes no mistake');
});

test('of a real model it proposes no profile, and of a recorded one nothing to draw again', () => {
  const upstream = planWith({ modelKind: 'upstream' });
  expect(nextCommands('runs/a', upstream, { model: 'upstream:m' })).toMatch(/reproduce -- --model upstream:m --trials 3$/m);
  expect(nextCommands('runs/a', upstream, { model: 'upstream:m' })).not.toMatch(/profile|--seed/);
  expect(nextCommands('runs/a', planWith({ modelKind: 'local', spec: { replay: 'cassette.jsonl' } }), {}).split('\n')).toHaveLength(4);
});

test('of a plan file, which no option made, it proposes no command that would run another study', () => {
  expect(nextCommands('runs/a', planWith({}), undefined)).not.toContain('reproduce');
});

test('of protected questions it names other selections and the file of the leaderboard', () => {
  const text = nextCommands('runs/a', planWith({ modelKind: 'upstream', gated: true }), undefined);
  expect(text).toMatch(/report runs\/a --jackknife 1000\n.*\n.*export submission runs\/a\n/);
});
