// The invented world: every document, page and truth of a generated set follows from this one value, which follows from one seed.
// It holds what is so; how it is told (sites, tables, wrong copies) is no part of it.
import { type Random, seededRandom } from '../../../base/random.ts';
import { addDays, dayIn } from './calendar.ts';
import { createNames, type Names } from './names.ts';
import { createSeasons, type Season } from './seasons.ts';

export interface Town {
  readonly name: string;
  readonly region: string;
  readonly river: string;
  readonly population: number;
  readonly elevationM: number;
  readonly charteredYear: number;
}
export interface Person {
  readonly name: string;
  readonly born: string;
  readonly birthplace: Town;
  readonly calling: string;
  readonly school: Town;
}
export type Yearly = Readonly<Record<number, number>>;
export interface Firm {
  readonly name: string;
  readonly seat: Town;
  readonly founder: Person;
  readonly foundedYear: number;
  readonly staff: Yearly;
  readonly turnover: Yearly;
}
export interface Museum {
  readonly name: string;
  readonly town: Town;
  readonly architect: Person;
  readonly director: Person;
  readonly opened: string;
  readonly floorAreaM2: number;
  readonly ticketPence: number;
  readonly objects: number;
  readonly visitors: Yearly;
}
export interface Ship {
  readonly name: string;
  readonly yard: Firm;
  readonly homePort: Town;
  readonly captain: Person;
  readonly launched: string;
  readonly lengthM: number;
  readonly tonnage: number;
  readonly berths: number;
}
export interface Lighthouse {
  readonly name: string;
  readonly town: Town;
  readonly firstLit: string;
  readonly heightM: number;
  readonly rangeKm: number;
  readonly steps: number;
}
export interface Bridge {
  readonly name: string;
  readonly town: Town;
  readonly engineer: Person;
  readonly builder: Firm;
  readonly opened: string;
  readonly lengthM: number;
  readonly cost: number;
}
export interface Book {
  readonly title: string;
  readonly author: Person;
  readonly publisher: Firm;
  readonly published: string;
  readonly pages: number;
  readonly firstPrinting: number;
}
/** Where a paper's samples were taken: a table of its full text. */
export interface Station {
  readonly name: string;
  readonly samples: number;
  readonly depthM: number;
}
export interface Paper {
  readonly title: string;
  readonly stations: readonly Station[];
  readonly lead: Person;
  readonly received: string;
  readonly accepted: string;
  readonly samples: number;
  readonly sites: number;
}
export interface Festival {
  readonly name: string;
  readonly town: Town;
  readonly opens: string;
  readonly closes: string;
  readonly guests: number;
  readonly budget: number;
  readonly stages: number;
}
/** Who led what, and when; the last of a house or town is in office. */
export interface Tenure {
  readonly person: Person;
  readonly role: 'director' | 'mayor';
  /** Name of the museum or town. */
  readonly of: string;
  readonly fromYear: number;
  readonly untilYear?: number;
}
export interface Voyage {
  /** `A-0148`, unique in the port's book. */
  readonly entry: string;
  readonly ship: Ship;
  readonly from: Town;
  readonly to: Town;
  readonly sailed: string;
  readonly arrived: string;
  readonly cargo: string;
  readonly tonnes: number;
  readonly freight: number;
}
export interface Exhibition {
  readonly title: string;
  readonly museum: Museum;
  readonly opens: string;
  readonly closes: string;
  readonly visitors: number;
  readonly loans: number;
  readonly cost: number;
}
/** Two people who contradict each other about a figure, and the register. */
export interface Dispute {
  readonly about: 'steps' | 'objects';
  /** Name of the lighthouse or museum. */
  readonly of: string;
  readonly claims: readonly [number, number];
}
/** An order that the paper misreported, and corrected later. */
export interface Order {
  readonly printed: string;
  readonly corrected: string;
  readonly firm: Firm;
  readonly town: Town;
  readonly goods: string;
  readonly pieces: number;
  readonly misprintedPieces: number;
  readonly unitPrice: number;
  readonly signed: string;
  readonly due: string;
}
export interface Club {
  readonly name: string;
  readonly town: Town;
  readonly trainer: Person;
  readonly foundedYear: number;
  readonly seats: number;
}

export interface World {
  readonly seed: number;
  readonly country: string;
  readonly regions: readonly string[];
  readonly towns: readonly Town[];
  readonly persons: readonly Person[];
  readonly firms: readonly Firm[];
  readonly museums: readonly Museum[];
  readonly ships: readonly Ship[];
  readonly lighthouses: readonly Lighthouse[];
  readonly bridges: readonly Bridge[];
  readonly books: readonly Book[];
  readonly papers: readonly Paper[];
  readonly festivals: readonly Festival[];
  readonly clubs: readonly Club[];
  readonly orders: readonly Order[];
  readonly seasons: readonly Season[];
  readonly tenures: readonly Tenure[];
  readonly voyages: readonly Voyage[];
  readonly exhibitions: readonly Exhibition[];
  readonly disputes: readonly Dispute[];
}

/** Years for which yearly figures exist. */
export const YEARS = [2020, 2021, 2022, 2023, 2024, 2025] as const;

/** Clubs of the first league; a large world has more clubs than that. */
const LEAGUE = 10;

/** Four for each measure of the world. */
const REGIONS = [
  'Ashmark',
  'Lower Venn',
  'Saltreach',
  'Tarn Hills',
  'Brackenshire',
  'Cold Fens',
  'Dunmarch',
  'Eastern Holms',
  'Fogward',
  'Greywold',
  'Hithe Coast',
  'Inner Skerries',
  'Juniper Vale',
  'Kelpland',
  'Longwater',
  'Mirewood',
];
const GOODS = ['lamp glasses', 'mooring rings', 'school benches', 'ferry tickets', 'roof tiles', 'signal flags'];
const CALLINGS = ['architect', 'engineer', 'skipper', 'novelist', 'naturalist', 'curator', 'instrument maker', 'trainer', 'town clerk', 'collector'];
const CARGOES = ['salt', 'slate', 'timber', 'barley', 'rope', 'glass'];
const STATIONS = ['Alder', 'Beacon', 'Cinder', 'Drover', 'Ember', 'Ferry', 'Gorse', 'Heath'];

/**
 * Builds the world of a seed. The same seed and measure give an equal world on every machine.
 *
 * @param measure how large it is, from 1 (what 68 questions need) to 4 (what some hundreds need)
 */
export function createWorld(seed: number, measure = 1): World {
  const random = seededRandom('world', seed, measure);
  const regions = REGIONS.slice(0, 4 * measure);
  const names = createNames(random);
  const rivers = many(8, () => names.river());
  const towns = many(
    24 * measure,
    (i): Town => ({
      name: names.town(),
      region: regions[i % regions.length] as string,
      river: random.pick(rivers),
      population: random.integer(2_100, 96_000),
      elevationM: random.integer(12, 640),
      charteredYear: random.integer(1104, 1780),
    }),
  );
  const persons = many(
    220 * measure,
    (i): Person => ({
      name: names.person(),
      born: dayIn(random, 1921, 1984),
      birthplace: random.pick(towns),
      calling: CALLINGS[i % CALLINGS.length] as string,
      school: random.pick(towns),
    }),
  );
  const called = (calling: string) => persons.filter((person) => person.calling === calling);
  const firms = many(26 * measure, (i) => createFirm(random, names, towns, persons, i / measure));
  const yards = firms.filter((firm) => firm.name.endsWith('Shipyard'));
  const presses = firms.filter((firm) => firm.name.endsWith('Press'));
  const builders = firms.filter((firm) => !yards.includes(firm) && !presses.includes(firm));
  const architects = dealer(random, called('architect'));
  const curators = dealer(random, called('curator'));
  const skippers = dealer(random, called('skipper'));
  const engineers = dealer(random, called('engineer'));
  const novelists = dealer(random, called('novelist'));
  const naturalists = dealer(random, called('naturalist'));
  const trainers = dealer(random, called('trainer'));
  const clerks = dealer(random, called('town clerk'));
  const museums = many(
    22 * measure,
    (i): Museum => ({
      name: names.museum(),
      town: towns[i] as Town,
      architect: architects(),
      director: curators(),
      opened: dayIn(random, 1948, 2012),
      floorAreaM2: random.integer(640, 9_900),
      ticketPence: random.integer(28, 150) * 10,
      objects: random.integer(1_200, 88_000),
      visitors: yearly(random, 14_000, 190_000),
    }),
  );
  const ships = many(
    26 * measure,
    (): Ship => ({
      name: names.ship(),
      yard: random.pick(yards),
      homePort: random.pick(towns),
      captain: skippers(),
      launched: dayIn(random, 1951, 2009),
      lengthM: random.integer(310, 1_890) / 10,
      tonnage: random.integer(1_150, 24_900),
      berths: random.integer(24, 940),
    }),
  );
  const lighthouses = random
    .shuffle(towns)
    .slice(0, 18 * measure)
    .map(
      (town): Lighthouse => ({
        name: names.lighthouse(),
        town,
        firstLit: dayIn(random, 1822, 1931),
        heightM: random.integer(140, 620) / 10,
        rangeKm: random.integer(14, 48),
        steps: random.integer(61, 288),
      }),
    );
  const bridges = random
    .shuffle(towns)
    .slice(0, 16 * measure)
    .map(
      (town): Bridge => ({
        name: `${town.river} Bridge at ${town.name}`,
        town,
        engineer: engineers(),
        builder: random.pick(builders),
        opened: dayIn(random, 1949, 2006),
        lengthM: random.integer(64, 890),
        cost: random.integer(210, 9_800) * 1_000,
      }),
    );
  const books = many(
    26 * measure,
    (): Book => ({
      title: names.book(),
      author: novelists(),
      publisher: random.pick(presses),
      published: dayIn(random, 1985, 2019),
      pages: random.integer(128, 742),
      firstPrinting: random.integer(12, 240) * 100,
    }),
  );
  const papers = many(22 * measure, (): Paper => {
    const received = dayIn(random, 2009, 2022);
    const stations = random
      .shuffle(STATIONS)
      .slice(0, random.integer(4, 6))
      .map((name): Station => ({ name, samples: random.integer(31, 940), depthM: random.integer(22, 399) / 10 }));
    return {
      title: names.paper(),
      stations,
      lead: naturalists(),
      received,
      accepted: addDays(received, random.integer(31, 420)),
      samples: stations.reduce((sum, { samples }) => sum + samples, 0),
      sites: random.integer(11, 48),
    };
  });
  const festivals = random
    .shuffle(towns)
    .slice(0, 14 * measure)
    .map((town): Festival => {
      const opens = dayIn(random, 2024, 2024);
      return {
        name: `${town.name} ${random.pick(['Lantern Week', 'Kite Days', 'Herring Fair', 'Bell Festival', 'Book Market'])}`,
        town,
        opens,
        closes: addDays(opens, random.integer(4, 23)),
        guests: random.integer(2_400, 64_000),
        budget: random.integer(48, 990) * 1_000,
        stages: random.integer(3, 19),
      };
    });
  const orders = random
    .shuffle(builders)
    .slice(0, 12 * measure)
    .map((firm, i): Order => {
      const pieces = random.integer(120, 4_800);
      const signed = dayIn(random, 2023, 2025);
      const printed = addDays(signed, random.integer(2, 9));
      const misprintedPieces = pieces + random.integer(1, 9) * 10;
      return {
        firm,
        town: towns[(i * 5 + 3) % towns.length] as Town,
        goods: random.pick(GOODS),
        pieces,
        misprintedPieces,
        unitPrice: random.integer(12, 390),
        signed,
        printed,
        corrected: addDays(printed, random.integer(4, 21)),
        due: addDays(signed, random.integer(60, 400)),
      };
    });
  const clubs = towns.slice(0, 10 * measure).map(
    (town): Club => ({
      name: names.club(town.name),
      town,
      trainer: trainers(),
      foundedYear: random.integer(1881, 1969),
      seats: random.integer(1_900, 31_000),
    }),
  );
  const seasons = createSeasons(random, clubs.slice(0, LEAGUE), 8 * measure);
  const tenures = [
    ...museums.flatMap((museum) => tenuresOf(random, 'director', museum.name, [...several(curators, 3, museum.director), museum.director])),
    ...towns.flatMap((town) => tenuresOf(random, 'mayor', town.name, several(clerks, 4))),
  ];
  const ports = towns.slice(0, 8 * measure);
  const voyages = ships.flatMap((ship) => voyagesOf(random, ship, ports)).map((voyage, i): Voyage => ({ ...voyage, entry: entryNumber(i) }));
  const exhibitions = museums.flatMap((museum) =>
    [0, 1].map((): Exhibition => {
      const opens = dayIn(random, 2021, 2024);
      return {
        title: names.exhibition(),
        museum,
        opens,
        closes: addDays(opens, random.integer(35, 210)),
        visitors: random.integer(1_900, 58_000),
        loans: random.integer(14, 320),
        cost: random.integer(18, 640) * 1_000,
      };
    }),
  );
  const disputes = [
    ...lighthouses.map((light): Dispute => ({ about: 'steps', of: light.name, claims: claimsNear(random, light.steps) })),
    ...museums.map((museum): Dispute => ({ about: 'objects', of: museum.name, claims: claimsNear(random, museum.objects) })),
  ];
  return {
    seed,
    country: 'Orvelland',
    regions,
    towns,
    persons,
    firms,
    museums,
    ships,
    lighthouses,
    bridges,
    books,
    papers,
    festivals,
    clubs,
    orders,
    seasons,
    tenures,
    voyages,
    exhibitions,
    disputes,
  };
}

/** In order of office, without a gap; the last one has not left. */
function tenuresOf(random: Random, role: Tenure['role'], of: string, people: readonly Person[]): Tenure[] {
  let year = random.integer(1988, 1996);
  return people.map((person, i) => {
    const fromYear = year;
    year += random.integer(3, 9);
    const last = i === people.length - 1;
    return last ? { person, role, of, fromYear } : { person, role, of, fromYear, untilYear: year };
  });
}

/** So many different people. */
function several(deal: () => Person, count: number, besides?: Person): Person[] {
  const people: Person[] = [];
  while (people.length < count) {
    const person = deal();
    if (person !== besides && !people.includes(person)) people.push(person);
  }
  return people;
}

/** One after the other through a year, from port to port. */
function voyagesOf(random: Random, ship: Ship, ports: readonly Town[]): Omit<Voyage, 'entry'>[] {
  let day = dayIn(random, 2025, 2025).replace(/-\d\d-\d\d$/, '-01-05');
  let from = random.pick(ports);
  return many(6, () => {
    const sailed = addDays(day, random.integer(2, 19));
    const arrived = addDays(sailed, random.integer(3, 31));
    const to = random.pick(ports.filter((port) => port !== from));
    const voyage = { ship, from, to, sailed, arrived, cargo: random.pick(CARGOES), tonnes: random.integer(105, 2_400), freight: random.integer(1_200, 39_000) };
    day = arrived;
    from = to;
    return voyage;
  });
}

function entryNumber(index: number): string {
  return `A-${String(1_000 + index)}`;
}

/** Two wrong figures, one above and one below. */
function claimsNear(random: Random, figure: number): [number, number] {
  const step = () => Math.max(2, Math.round(figure * (0.03 + random.next() * 0.2)));
  return [figure + step(), Math.max(1, figure - step())];
}

function createFirm(random: Random, names: Names, towns: readonly Town[], persons: readonly Person[], i: number): Firm {
  const craft = i < 6 ? 'Shipyard' : i < 12 ? 'Press' : undefined;
  return {
    name: names.firm(craft),
    seat: random.pick(towns),
    founder: random.pick(persons.filter((person) => person.calling === 'instrument maker')),
    foundedYear: random.integer(1871, 1979),
    staff: yearly(random, 60, 2_900),
    turnover: yearly(random, 900, 48_000),
  };
}

/** Deals members in a shuffled order, again from the start when all were dealt, so that each is used before any is used twice. */
function dealer<T>(random: Random, members: readonly T[]): () => T {
  let left: T[] = [];
  return () => {
    if (left.length === 0) left = random.shuffle(members);
    return left.pop() as T;
  };
}

function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** A figure a year that wanders, and never repeats within the six years. */
function yearly(random: Random, low: number, high: number): Yearly {
  let figure = random.integer(low, high);
  const used = new Set<number>();
  const byYear: Record<number, number> = {};
  for (const year of YEARS) {
    do figure = Math.max(low, Math.round(figure * (0.86 + random.next() * 0.32)) + random.integer(1, 9));
    while (used.has(figure));
    used.add(figure);
    byYear[year] = figure;
  }
  return byYear;
}
