// Zero-tool tasks of ciphers, clocks and sets: everything stands in the question, and the answer's form is asked for.
import { c, draftPlan } from '../plan-draft.ts';
import { distinct, type Template, worded } from '../template.ts';

const A = 'a'.charCodeAt(0);

/** Letters moved along the alphabet: the name of a town comes out. */
export const cipher: Template = {
  name: 'zero-cipher',
  type: 'zero-tool',
  turns: 2,
  write: ({ world, random, turn }) => {
    const [sample, hidden] = distinct(random, world.towns, 2).map(({ name }) => name.toLowerCase()) as [string, string];
    const shift = random.integer(3, 11);
    const moved = (word: string, by: number) => [...word].map((letter) => String.fromCharCode(A + ((letter.charCodeAt(0) - A + by + 26) % 26))).join('');
    const truth = hidden;
    const question = worded(
      turn,
      `In a secret letter each letter of a name is replaced by another that lies a fixed number of places further on in the alphabet, with a following z. There "${sample}" is written "${moved(sample, shift)}". Which name is written "${moved(hidden, shift)}"? Answer in lower case.`,
      `A child writes names backwards and then moves every letter the same number of places on in the alphabet (after z comes a again). "${sample}" becomes "${moved([...sample].reverse().join(''), shift)}". Which name, in lower case, became "${moved([...hidden].reverse().join(''), shift)}"?`,
    );
    const plan = draftPlan();
    const chain = plan.chain(`Find how "${sample}" was written, and read "${moved(hidden, shift)}${turn === 0 ? '' : ', reversed'}" by the same rule.`);
    for (let step = 0; step < 3 + turn; step++) chain.think();
    return { question, truth, plan: plan.finish(question, c(truth), truth) };
  },
};

/** Clock arithmetic over a journey with pauses and a change of zone. */
export const journey: Template = {
  name: 'zero-journey',
  type: 'zero-tool',
  turns: 2,
  write: ({ world, random, turn }) => {
    const [from, over, to] = distinct(random, world.towns, 3).map(({ name }) => name) as [string, string, string];
    const start = random.integer(5 * 60, 9 * 60);
    const [first, pause, second] = [random.integer(75, 190), random.integer(12, 55), random.integer(66, 210)];
    const zone = turn === 0 ? 60 : -60;
    const end = start + first + pause + second + zone;
    const clock = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    const truth = clock(end);
    const question = worded(
      turn,
      `A coach leaves ${from} at ${clock(start)} local time and needs ${first} minutes to ${over}. It waits there for ${pause} minutes and reaches ${to} after another ${second} minutes. Clocks in ${to} are one hour ahead of those in ${from}. What do they show on arrival? Write it as HH:MM on a 24-hour clock.`,
      `Between ${from} and ${to} travellers put their watches back by an hour. A train departs from ${from} at ${clock(start)}, runs ${first} minutes, stands ${pause} minutes at ${over} and runs ${second} minutes more. At what local time, as HH:MM, does it get to ${to}?`,
    );
    const plan = draftPlan();
    const chain = plan.chain(`Work out the local time of arrival in ${to} after leaving ${from} at ${clock(start)} by way of ${over}.`);
    for (let step = 0; step < 4; step++) chain.think();
    return { question, truth, plan: plan.finish(question, c(truth), truth) };
  },
};

/** Who is in some lists and not in others; the answer is a list in order. */
export const rosters: Template = {
  name: 'zero-rosters',
  type: 'zero-tool',
  turns: 2,
  write: ({ world, random, turn }) => {
    const people = [...new Set(random.shuffle(world.persons).map(({ name }) => name.split(' ')[0] as string))].slice(0, 9);
    const pick = () => people.filter(() => random.next() < 0.6);
    const [rowing, choir, chess] = [pick(), pick(), pick()];
    const wanted = people.filter((person) =>
      turn === 0
        ? rowing.includes(person) && choir.includes(person) && !chess.includes(person)
        : [rowing, choir, chess].filter((list) => list.includes(person)).length === 2,
    );
    const truth = wanted.length;
    if (truth < 2 || rowing.length < 3 || choir.length < 3 || chess.length < 3) return undefined;
    const lists = `Rowing: ${rowing.join(', ')}. Choir: ${random.shuffle(choir).join(', ')}. Chess: ${random.shuffle(chess).join(', ')}.`;
    const question = worded(
      turn,
      `A village keeps three lists of members. ${lists} How many people row and sing but do not play chess? Give the number as one English word in lower case.`,
      `Here are the members of three clubs. ${lists} How many of the people belong to exactly two of the clubs? Spell the number out as a lower-case word.`,
    );
    const plan = draftPlan();
    const chain = plan.chain(`Count the members that the question wants among ${rowing.join(', ')} (rowing) and ${choir.length} singers.`);
    for (let step = 0; step < 4; step++) chain.think();
    const word = NUMBER_WORDS[truth] as string;
    return { question, truth: word, plan: plan.finish(question, c(word), word) };
  },
};

const NUMBER_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** Everyday division with rest: whole packs, and what is left of the money. */
export const packs: Template = {
  name: 'zero-packs',
  type: 'zero-tool',
  turns: 2,
  write: ({ world, random, turn }) => {
    const town = random.pick(world.towns).name;
    const guests = random.integer(41, 96);
    const each = random.integer(2, 4);
    const inPack = random.pick([6, 8, 10, 12]);
    const price = random.integer(135, 480);
    const purse = random.pick([200, 250, 300]) * 100;
    const bought = Math.ceil((guests * each) / inPack);
    const left = purse - bought * price;
    if (left <= 500 || (guests * each) % inPack === 0) return undefined;
    const truth = turn === 0 ? left : bought * inPack - guests * each;
    if (truth < 3) return undefined;
    const question = worded(
      turn,
      `For a feast in ${town}, ${guests} guests are to get ${each} rolls each. Rolls come only in packs of ${inPack}, and a pack costs ${price} pence. The cook has ${purse / 100} pounds. How many pence remain after buying just enough packs?`,
      `The school of ${town} expects ${guests} visitors and wants to hand ${each} flags to each of them. Flags are sold in bundles of ${inPack} at ${price} pence. When as few bundles as possible are bought, how many flags are left over?`,
    );
    const plan = draftPlan();
    const chain = plan.chain(`Work out the purchase for ${guests} people in ${town} in lots of ${inPack}.`);
    for (let step = 0; step < 4; step++) chain.think();
    return { question, truth: String(truth), plan: plan.finish(question, c(truth), truth) };
  },
};
