// Zero-tool tasks of logic and words. Clues are added until exactly one order is left, which is proved by trying all of them; each clue is a step of thought.
import type { Random } from '../../../base/random.ts';
import { c, draftPlan } from '../plan-draft.ts';
import { type Template, worded } from '../template.ts';

interface Clue {
  readonly text: string;
  readonly holds: (order: readonly string[]) => boolean;
}

/** Who stands where, of six people: six to nine clues. */
export const queue: Template = {
  name: 'zero-queue',
  type: 'zero-tool',
  turns: 2,
  write: ({ world, random, turn }) => {
    const size = 6;
    const names = [...new Map(random.shuffle(world.persons).map(({ name }) => [name[0] as string, name.split(' ')[0] as string])).values()].slice(0, size);
    const order = random.shuffle(names);
    const clues = clueSet(random, order, [6, 9]);
    if (!clues) return undefined;
    const truth = order.map((name) => name[0]).join('');
    const people = [...names].sort().join(', ');
    const told = clues.map(({ text }) => `${text}.`).join(' ');
    const question = worded(
      turn,
      `These people wait in one line: ${people}. ${told} Write down the initials of their names from the front of the line to its end, without blanks.`,
      `A group of hikers (${people}) walks along a ridge in single file. We know this: ${told} In what sequence do they walk? Answer with first letters only, leader first, as one word.`,
    );
    const plan = draftPlan();
    const chain = plan.chain(worded(turn, `Put the people waiting in line (${people}) in order.`, `Find the sequence of the hikers (${people}) on the ridge.`));
    for (const _ of clues) chain.think();
    return { question, truth, plan: plan.finish(question, c(truth), truth) };
  },
};

/** So many clues that leave one order, each of them needed. */
function clueSet(random: Random, order: readonly string[], [fewest, most]: readonly [number, number]): Clue[] | undefined {
  for (let attempt = 0; attempt < 40; attempt++) {
    const clues = tellingClues(random, order);
    if (clues && clues.length >= fewest && clues.length <= most) return clues;
  }
  return undefined;
}

function tellingClues(random: Random, order: readonly string[]): Clue[] | undefined {
  const all = permutations(order);
  const place = (in_: readonly string[], name: string) => in_.indexOf(name);
  const candidates: Clue[] = [];
  for (const a of order) {
    const at = place(order, a);
    if (at !== 0 && random.next() < 0.5) candidates.push({ text: `${a} is not at the front`, holds: (o) => place(o, a) !== 0 });
    if (at !== order.length - 1 && random.next() < 0.5) candidates.push({ text: `${a} is not at the end`, holds: (o) => place(o, a) !== o.length - 1 });
    for (const b of order) {
      const gap = place(order, b) - at;
      if (gap > 0) candidates.push({ text: `${a} is somewhere before ${b}`, holds: (o) => place(o, a) < place(o, b) });
      if (gap === 1) candidates.push({ text: `${b} comes directly after ${a}`, holds: (o) => place(o, b) === place(o, a) + 1 });
      if (gap === 2) candidates.push({ text: `exactly one person stands between ${a} and ${b}`, holds: (o) => Math.abs(place(o, b) - place(o, a)) === 2 });
    }
  }
  let left = all;
  const chosen: Clue[] = [];
  for (const clue of random.shuffle(candidates)) {
    const next = left.filter(clue.holds);
    if (next.length === left.length) continue;
    chosen.push(clue);
    left = next;
    if (left.length === 1) break;
  }
  if (left.length !== 1) return undefined;
  return chosen.filter((clue) => all.filter((o) => chosen.every((other) => other === clue || other.holds(o))).length > 1).length === chosen.length
    ? chosen.map(capitalized)
    : undefined;
}

function capitalized(clue: Clue): Clue {
  return { ...clue, text: (clue.text[0] as string).toUpperCase() + clue.text.slice(1) };
}

function permutations<T>(of: readonly T[]): T[][] {
  if (of.length <= 1) return [[...of]];
  return of.flatMap((first, i) => permutations([...of.slice(0, i), ...of.slice(i + 1)]).map((rest) => [first, ...rest]));
}

/** Liars and truth-tellers: one statement each, one way in which all fit. */
export const liars: Template = {
  name: 'zero-liars',
  type: 'zero-tool',
  write: ({ world, random, turn }) => {
    const names = random.shuffle([...new Set(world.persons.map(({ name }) => name.split(' ')[0] as string))]).slice(0, 5);
    const honest = names.map(() => random.next() < 0.5);
    const statements = names.map((speaker, i) => {
      const [a, b] = random.shuffle(names.map((_, j) => j).filter((j) => j !== i)) as [number, number];
      const kinds = [
        { text: `"${names[a]} always lies"`, holds: (h: readonly boolean[]) => h[a] === false },
        { text: `"${names[a]} always tells the truth"`, holds: (h: readonly boolean[]) => h[a] === true },
        { text: `"${names[a]} and ${names[b]} are of the same kind"`, holds: (h: readonly boolean[]) => h[a] === h[b] },
        { text: `"at least one of ${names[a]} and ${names[b]} lies"`, holds: (h: readonly boolean[]) => !h[a] || !h[b] },
      ];
      const fitting = kinds.filter(({ holds }) => holds(honest) === honest[i]);
      return fitting.length === 0 ? undefined : { speaker, ...random.pick(fitting) };
    });
    const spoken = statements.filter((statement) => statement !== undefined);
    if (spoken.length < names.length) return undefined;
    const worlds = Array.from({ length: 2 ** names.length }, (_, bits) => names.map((__, i) => ((bits >> i) & 1) === 1));
    const possible = worlds.filter((h) => spoken.every(({ holds }, i) => holds(h) === h[i]));
    if (possible.length !== 1) return undefined;
    const truth = honest.filter((h) => !h).length;
    const question = worded(
      turn,
      `On an island some always lie and all others always tell the truth. ${spoken.map(({ speaker, text }) => `${speaker} says: ${text}.`).join(' ')} How many of these people are liars? Answer with a number.`,
    );
    const plan = draftPlan();
    const chain = plan.chain(`Find out how many of ${names.join(', ')} are liars.`);
    for (let step = 0; step < 5; step++) chain.think();
    return { question, truth: String(truth), plan: plan.finish(question, c(truth), truth) };
  },
};

/** Letters taken out of given words. */
export const letters: Template = {
  name: 'zero-letters',
  type: 'zero-tool',
  turns: 2,
  write: ({ world, random, turn }) => {
    const words = random.shuffle(world.towns.map(({ name }) => name)).slice(0, 6);
    const taken = turn === 0 ? words.map((word) => word[2] as string) : [...words].sort((a, b) => (a < b ? -1 : 1)).map((word) => word.at(-2) as string);
    const text = taken.join('').toUpperCase();
    const truth = turn === 0 ? [...text].reverse().join('') : text;
    const question = worded(
      turn,
      `Take the third letter of each of these place names in the order given: ${words.join(', ')}. Put the letters in a row and read the row backwards. Which capital letters result?`,
      `Sort the names ${words.join(', ')} alphabetically. What string of capitals do you get when you join the last letter but one of every name in that order?`,
    );
    const plan = draftPlan();
    const chain = plan.chain(
      worded(turn, `Collect the third letters of ${words.join(', ')} and turn them round.`, `Sort ${words.join(', ')} and join their last letters but one.`),
    );
    for (let step = 0; step < (turn === 0 ? 3 : 4); step++) chain.think();
    return { question, truth, plan: plan.finish(question, turn === 0 ? { op: 'reverse', of: c(text) } : c(text), truth) };
  },
};
