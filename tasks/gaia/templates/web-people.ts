// Web tasks about the people behind things: two chains of two hops (eight steps), or three of them (twelve).
import type { Formula } from '../../plan.ts';
import { c, draftPlan, op, type PlanDraft, v } from '../plan-draft.ts';
import { distinct, type Template, worded } from '../template.ts';
import type { Web } from '../web/build-web.ts';
import { visit } from '../web/readings.ts';
import { daysBetween } from '../world/calendar.ts';
import type { Person } from '../world/world.ts';

interface Thing {
  readonly kind: 'book' | 'ship' | 'museum';
  readonly name: string;
  readonly person: Person;
}

const ROLES = {
  book: { field: 'Author', role: 'author', site: 'Bookshelf Index' },
  ship: { field: 'Master', role: 'master', site: 'Harbour Almanac' },
  museum: { field: 'Architect', role: 'architect', site: 'Museum Register' },
} as const;

/** Thing, its person, the person's page: four steps of one chain. Born and birthplace are read, as asked. */
function personBehind(plan: PlanDraft, web: Web, { kind, name, person }: Thing, wanted: 'born' | 'both'): { name: string; born: string; place?: string } {
  const { field, role, site } = ROLES[kind];
  const chain = plan.chain(
    `Find ${wanted === 'both' ? 'the dates and place of birth' : 'the date of birth'} of the ${role} of ${name}; the ${site} names the ${role}, Orvelland Lives has the rest.`,
  );
  const { who } = visit(chain, web, { page: web.page(kind, name), about: name, reads: { who: [field, `${role} of ${name}`] } });
  const born = ['Born', `birthday of the ${role} of ${name}`] as const;
  const place = ['Place of birth', `birthplace of the ${role} of ${name}`] as const;
  const page = web.page('person', person.name);
  const at = { page, about: `the ${role} of ${name}`, ref: who };
  if (wanted === 'born') return { name: who, born: visit(chain, web, { ...at, reads: { born } }).born };
  return { name: who, ...visit(chain, web, { ...at, reads: { born, place } }) };
}

/** The first two are the older and the younger of the people; days of birth differ. */
function agesInOrder(things: readonly Thing[]): boolean {
  const days = things.map(({ person }) => person.born);
  return new Set(days).size === days.length && new Set(things.map(({ person }) => person.name)).size === days.length;
}

const daysFrom1900 = (born: string): Formula => ({ op: 'days-between', from: c('1900-01-01'), to: v(born) });

/** Authors of two novels: days between their births. */
export const authorAges: Template = {
  name: 'web-author-ages',
  type: 'web',
  turns: 2,
  write: ({ world, web, random, turn }) => {
    const things = distinct(random, world.books, 2).map(({ title, author }): Thing => ({ kind: 'book', name: title, person: author }));
    const [older, younger] = things as [Thing, Thing];
    const truth = daysBetween(older.person.born, younger.person.born);
    if (!agesInOrder(things) || truth <= 0) return undefined;
    const plan = draftPlan();
    const [a, b] = things.map((thing) => personBehind(plan, web, thing, 'born').born) as [string, string];
    const question = worded(
      turn,
      `By how many days is the author of "${older.name}" older than the author of "${younger.name}"? The Bookshelf Index says who wrote what, and Orvelland Lives when they were born.`,
      `Find out in the Bookshelf Index who wrote "${younger.name}" and who wrote "${older.name}". How many days after the latter was the former born, if Orvelland Lives is right?`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, { op: 'days-between', from: v(a), to: v(b) }, truth) };
  },
};

/** Masters of two ships: days between their births, or where the elder was born. */
export const shipMasters: Template = {
  name: 'web-ship-masters',
  type: 'web',
  turns: 3,
  write: ({ world, web, random, turn }) => {
    const things = distinct(random, world.ships, 2).map(({ name, captain }): Thing => ({ kind: 'ship', name, person: captain }));
    const [first, second] = things as [Thing, Thing];
    const days = daysBetween(first.person.born, second.person.born);
    if (!agesInOrder(things) || days <= 0 || first.person.birthplace === second.person.birthplace) return undefined;
    // A port at which one of the ships called is shown by any search for the ship.
    const ports = world.voyages.filter(({ ship }) => ship.name === first.name || ship.name === second.name).map(({ to }) => to);
    if (turn > 0 && ports.includes((turn === 1 ? first : second).person.birthplace)) return undefined;
    const plan = draftPlan();
    const [a, b] = things.map((thing) => personBehind(plan, web, thing, turn === 0 ? 'born' : 'both')) as [
      { name: string; born: string; place?: string },
      { name: string; born: string; place?: string },
    ];
    const names = random.shuffle([first.name, second.name]);
    const question = worded(
      turn,
      `The masters of ${first.name} and ${second.name} were not born on the same day. How many days lie between their births, with the Harbour Almanac for their names and Orvelland Lives for the dates?`,
      `Look up who commands ${names[0]} and who commands ${names[1]} in the Harbour Almanac. In which town was the elder of these two masters born, going by Orvelland Lives?`,
      `Which town saw the birth of the younger one of two captains, namely those that the almanac of harbours has as masters of ${names[0]} and ${names[1]}? Consult Orvelland Lives.`,
    );
    if (turn === 0) return { question, truth: String(days), plan: plan.finish(question, { op: 'days-between', from: v(a.born), to: v(b.born) }, days) };
    const truth = (turn === 1 ? first : second).person.birthplace.name;
    const answer: Formula = {
      op: 'first-by',
      order: turn === 1 ? 'smallest' : 'largest',
      of: [v(a.place ?? ''), v(b.place ?? '')],
      by: [daysFrom1900(a.born), daysFrom1900(b.born)],
    };
    return { question, truth, plan: plan.finish(question, answer, truth) };
  },
};

/** Three masters, eldest first: a list in order, twelve steps. */
export const mastersInOrder: Template = {
  name: 'web-masters-in-order',
  type: 'web',
  write: ({ world, web, random, turn }) => {
    const things = distinct(random, world.ships, 3).map(({ name, captain }): Thing => ({ kind: 'ship', name, person: captain }));
    if (!agesInOrder(things)) return undefined;
    const plan = draftPlan();
    const people = things.map((thing) => personBehind(plan, web, thing, 'born'));
    const truth = [...things]
      .sort((x, y) => (x.person.born < y.person.born ? -1 : 1))
      .map(({ person }) => person.name)
      .join(', ');
    const [a, b, d] = things.map(({ name }) => name) as [string, string, string];
    const question = worded(
      turn,
      `Who are the masters of the ships ${a}, ${b} and ${d}? Give the three names from the Harbour Almanac, eldest person first, and separate them by commas. Orvelland Lives has the dates of birth.`,
    );
    const answer: Formula = { op: 'list', of: people.map(({ name }) => v(name)), order: 'ascending', by: people.map(({ born }) => daysFrom1900(born)) };
    return { question, truth, plan: plan.finish(question, answer, truth) };
  },
};

/** Three architects, where the youngest was born: twelve steps. */
export const youngestArchitect: Template = {
  name: 'web-youngest-architect',
  type: 'web',
  write: ({ world, web, random, turn }) => {
    const things = distinct(random, world.museums, 3).map(({ name, architect }): Thing => ({ kind: 'museum', name, person: architect }));
    if (!agesInOrder(things) || new Set(things.map(({ person }) => person.birthplace.name)).size < 3) return undefined;
    const plan = draftPlan();
    const people = things.map((thing) => personBehind(plan, web, thing, 'both'));
    const truth = [...things].sort((x, y) => (x.person.born < y.person.born ? 1 : -1))[0]?.person.birthplace.name ?? '';
    const [a, b, d] = things.map(({ name }) => name) as [string, string, string];
    const question = worded(
      turn,
      `Three houses of the Museum Register, ${a}, ${b} and ${d}, were drawn by three architects. Where was the youngest of them born? Name the town that Orvelland Lives gives.`,
    );
    const answer: Formula = {
      op: 'first-by',
      order: 'largest',
      of: people.map(({ place }) => v(place ?? '')),
      by: people.map(({ born }) => daysFrom1900(born)),
    };
    return { question, truth, plan: plan.finish(question, answer, truth) };
  },
};

/** Three novelists, days from the eldest to the youngest: twelve steps. */
export const novelistSpan: Template = {
  name: 'web-novelist-span',
  type: 'web',
  write: ({ world, web, random, turn }) => {
    const things = distinct(random, world.books, 3).map(({ title, author }): Thing => ({ kind: 'book', name: title, person: author }));
    if (!agesInOrder(things)) return undefined;
    const plan = draftPlan();
    const days = things.map((thing) => daysFrom1900(personBehind(plan, web, thing, 'born').born));
    const numbers = things.map(({ person }) => daysBetween('1900-01-01', person.born));
    const truth = Math.max(...numbers) - Math.min(...numbers);
    const question = worded(
      turn,
      `Consider the people who wrote the novels ${things.map(({ name }) => `"${name}"`).join(', ')} (see the Bookshelf Index). How many days separate the birth of the eldest of the three from that of the youngest in Orvelland Lives?`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, op('subtract', op('maximum', ...days), op('minimum', ...days)), truth) };
  },
};
