// Zero-tool tasks of arithmetic and dates: everything stands in the question.
import type { Formula } from '../../plan.ts';
import { c, draftPlan, op } from '../plan-draft.ts';
import { type Template, worded } from '../template.ts';
import { addDays, longDate, weekdayOf } from '../world/calendar.ts';

const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** Coins in jars: each clause is a step. */
export const jars: Template = {
  name: 'zero-jars',
  type: 'zero-tool',
  turns: 2,
  write: ({ world, random, turn }) => {
    const [a, b, d] = random
      .shuffle(world.persons)
      .slice(0, 3)
      .map((person) => person.name.split(' ')[0] as string) as [string, string, string];
    if (new Set([a, b, d]).size < 3) return undefined;
    const first = random.integer(14, 48);
    const times = random.integer(3, 6);
    const less = random.integer(5, 13);
    const given = random.integer(6, 12);
    const second = first * times - less;
    const third = (first + second) * 2 - given;
    const truth = first + second + third;
    const question = worded(
      turn,
      `${a} keeps ${first} shells in a jar. ${b} has ${WORDS[times]} times as many, less ${less}. ${d} had twice as many as the two of them together, and then gave ${given} away to a neighbour. How many shells do the three own now?`,
      `A tally of lamps: the north pier has ${first}; the south pier has ${WORDS[times]} times that number, but ${less} fewer; the long quay has double what both piers have, apart from ${given} that were stolen. What is the sum of all lamps that are there?`,
    );
    const north = c(first);
    const south: Formula = op('subtract', op('multiply', c(first), c(times)), c(less));
    const long: Formula = op('subtract', op('multiply', op('add', north, south), c(2)), c(given));
    const plan = draftPlan();
    const chain = plan.chain(
      worded(turn, `Work out how many shells ${a}, ${b} and ${d} own now.`, `Add up the lamps, starting from the ${first} of the north pier.`),
    );
    for (let step = 0; step < 4; step++) chain.think();
    return { question, truth: String(truth), plan: plan.finish(question, op('add', north, south, long), truth) };
  },
};

/** Every so many days from a given one. */
export const calendar: Template = {
  name: 'zero-calendar',
  type: 'zero-tool',
  turns: 2,
  write: ({ random, turn }) => {
    const start = addDays('2027-01-01', random.integer(0, 700));
    const every = random.pick([9, 11, 12, 13, 16, 17, 18]);
    const nth = random.integer(6, 11);
    const due = addDays(start, every * (nth - 1));
    const truth = weekdayOf(due);
    const question = worded(
      turn,
      `A supply boat calls at an island on ${longDate(start)} and from then on once in every ${every} days. Its calls are numbered from that first one. On which day of the week does call number ${nth} fall?`,
      `Counting ${longDate(start)} as the first, a lamp is serviced each ${every} days. Name the weekday of service number ${nth}.`,
    );
    const plan = draftPlan();
    const chain = plan.chain(`Find the weekday of number ${nth} when one comes every ${every} days from ${longDate(start)}.`);
    for (let step = 0; step < 3; step++) chain.think();
    const answer: Formula = { op: 'weekday', of: { op: 'add-days', of: c(start), days: op('multiply', c(every), c(nth - 1)) } };
    return { question, truth, plan: plan.finish(question, answer, truth) };
  },
};
