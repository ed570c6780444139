// Faults from outside: loaded, drawn, shown under their own name, mended like any other.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadTokenCounter, type TokenCounter } from './count-tokens.ts';
import { INSTRUCTION, INVENTED, oneHarbour, runInvented, TOOLS } from './fixtures/invented-set.ts';
import { runLoop } from './fixtures/loop-shapes.ts';
import { type HeldOutFault, loadHeldOutFaults } from './held-out.ts';
import { profileWith } from './rates.ts';
import { createSimulatedModel } from './simulated.ts';

const EXAMPLE = fileURLToPath(new URL('../examples/held-out', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'held-out-'));
let tokens: TokenCounter;
beforeAll(async () => {
  tokens = await loadTokenCounter();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function walk(faults: readonly HeldOutFault[], correction = 1) {
  const profile = { ...profileWith('clean', {}, faults), correction };
  const model = createSimulatedModel({ plans: INVENTED.map(({ plan }) => plan), profile, enforce: 'honoured', tokens });
  const trial = model.open({ trialId: 1, seed: 1, trialIndex: 0, instruction: INSTRUCTION });
  const terms = { systemText: '', userText: `${oneHarbour.plan.question}\n${INSTRUCTION}`, tools: TOOLS, run: runInvented, mostTurns: 6 };
  return { ...(await runLoop('chat', trial, terms)), facts: trial.facts() };
}

test('M5.4: the example in the repository loads, and each of its faults is met under its own name', async () => {
  const faults = await loadHeldOutFaults(EXAMPLE);
  expect(faults.map(({ name }) => name)).toEqual(['fenced-arguments', 'doubled-call', 'talks-on']);
  for (const fault of faults) {
    const { steps, facts } = await walk([{ ...fault, rate: 1 }]);
    expect(steps.some((step) => step.endsWith(` own:${fault.name}`))).toBe(true);
    expect(facts.undisturbed).toBe(false);
  }
  expect((await walk(faults.map((fault) => ({ ...fault, rate: 0 })))).facts.undisturbed).toBe(true);
});

test('a fault that shows is mended with the correction probability, like any other', async () => {
  const [fenced] = (await loadHeldOutFaults(EXAMPLE)) as [HeldOutFault];
  const always = [{ ...fenced, rate: 1 }];
  expect((await walk(always)).steps).toEqual(['s1/0 own:fenced-arguments', 's1/1', 's2/0 own:fenced-arguments', 's2/1', 'answer/0']);
  expect((await walk(always, 0)).steps).toEqual([0, 1, 2, 3, 4, 5].map((ask) => `s1/${ask} own:fenced-arguments`));
});

test('its form follows from the seed alone', async () => {
  const drawn: number[] = [];
  const spoil: HeldOutFault['spoil'] = (right, draw) => {
    drawn.push(draw);
    return right;
  };
  const fault: HeldOutFault = { name: 'x', at: 'call', rate: 1, spoil };
  await walk([fault]);
  await walk([fault]);
  expect(drawn.slice(drawn.length / 2)).toEqual(drawn.slice(0, drawn.length / 2));
  expect(new Set(drawn).size).toBeGreaterThan(1);
});

test.each<[string, string, RegExp]>([
  ['is no list', 'export const faults = 3;', /exports no list named faults/],
  ['has a name with blanks', 'export const faults = [{ name: "a b", at: "call", rate: 1, spoil: (r) => r }];', /faults\[0\]\.name is "a b"/],
  ['is at no place', 'export const faults = [{ name: "a", at: "plan", rate: 1, spoil: (r) => r }];', /faults\[0\]\.at is "plan"/],
  ['does nothing', 'export const faults = [{ name: "a", at: "call", rate: 1 }];', /faults\[0\]\.spoil is no function/],
  ['is there twice', 'const f = { name: "a", at: "call", rate: 1, spoil: (r) => r }; export const faults = [f, f];', /two faults are named a/],
  ['cannot be read', 'export const faults = [;', /cannot be loaded/],
])('a file whose fault %s is refused by its place', async (_, source, wanted) => {
  const directory = mkdtempSync(join(folder, 'case-'));
  writeFileSync(join(directory, 'faults.mjs'), source);
  await expect(loadHeldOutFaults(directory)).rejects.toMatchObject({ code: 'HELD_OUT_INVALID', message: expect.stringMatching(wanted) });
});

test('a folder of templates alone has no faults; one that is not there, or holds nothing to read, is told with what is due', async () => {
  const templates = mkdtempSync(join(folder, 'templates-'));
  writeFileSync(join(templates, 'templates.js'), '');
  expect(await loadHeldOutFaults(templates)).toEqual([]);
  await expect(loadHeldOutFaults(join(folder, 'absent'))).rejects.toMatchObject({
    code: 'HELD_OUT_MISSING',
    message: expect.stringMatching(/^there is no folder /),
  });
  const misnamed = mkdtempSync(join(folder, 'misnamed-'));
  writeFileSync(join(misnamed, 'fault.ts'), 'export const faults = [];');
  await expect(loadHeldOutFaults(misnamed)).rejects.toMatchObject({
    code: 'HELD_OUT_MISSING',
    message: `${misnamed} holds neither faults.ts nor templates.ts (or .js, .mjs)`,
    remedy: 'examples/held-out/ shows what such a folder holds.',
  });
});
