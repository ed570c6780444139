// Questions about the world: which things a question names, and what it asks of them, told by its words. One recipe a kind of question, with arithmetic of
// its own. A recipe gives every answer that fits, so that two things of one description are seen.
import type { Person, Town, World } from '../world/world.ts';

type Answers = readonly (string | number)[];

class Asked {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  says(pattern: RegExp): boolean {
    return pattern.test(this.text);
  }

  /** Things whose name stands in the question, in the order of first mention. */
  named<T>(things: readonly T[], nameOf: (thing: T) => string): T[] {
    return things
      .map((thing) => ({ thing, at: this.text.indexOf(nameOf(thing)) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at)
      .map(({ thing }) => thing);
  }

  years(): number[] {
    return [...this.text.matchAll(/(?<![\d,.])(?:19|20)\d\d(?![\d,]\d|\d)/g)].map(([year]) => Number(year));
  }

  numberAfter(pattern: RegExp): number {
    return Number(new RegExp(`(?:${pattern.source})\\D*?(\\d[\\d.]*\\d|\\d)`).exec(this.text)?.[1]);
  }
}

const DAY_MS = 86_400_000;
const dayNumber = (day: string) => Math.round(Date.parse(`${day}T12:00:00Z`) / DAY_MS - 0.5);
const apart = (a: string, b: string) => Math.abs(dayNumber(a) - dayNumber(b));
const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
const nearest = (value: number, digits: number) => String(Number((Math.round((value + 1e-9) * 10 ** digits) / 10 ** digits).toFixed(digits)));
const byName = <T extends { readonly name: string }>({ name }: T) => name;
const byTitle = <T extends { readonly title: string }>({ title }: T) => title;

function townFigure(town: Town, asked: Asked): number {
  if (asked.says(/charter/i)) return town.charteredYear;
  if (asked.says(/metres/i)) return town.elevationM;
  return town.population;
}

function eldestFirst(people: readonly Person[]): Person[] {
  return [...people].sort((a, b) => dayNumber(a.born) - dayNumber(b.born));
}

const pair = <T, R>([first, second]: readonly T[], make: (first: T, second: T) => R): R[] =>
  first === undefined || second === undefined ? [] : [make(first, second)];

const RECIPES: Readonly<Record<string, (asked: Asked, world: World) => Answers>> = {
  'web-museum-detail': (asked, { museums }) =>
    asked.named(museums, byName).map((museum) => (asked.says(/pence/) ? museum.ticketPence : asked.says(/catalogued/) ? museum.objects : museum.floorAreaM2)),
  'web-league-cell': (asked, { seasons, clubs }) =>
    seasons
      .filter(({ year }) => asked.years().includes(year))
      .flatMap(({ table }) => table)
      .filter(({ club }) => asked.named(clubs, byName).includes(club))
      .map(({ goalsAgainst, goalsFor, points }) => (asked.says(/beaten/) ? goalsAgainst : asked.says(/how many goals/) ? goalsFor : points)),
  'web-list-filter': (asked, { lighthouses, ships, books }) => {
    const bound = asked.numberAfter(/more than|above|over/);
    const above = (things: readonly { readonly name: string; readonly figure: number }[]) => [
      things
        .filter(({ figure }) => figure > bound)
        .map(byName)
        .sort()
        .join(', '),
    ];
    if (asked.says(/lighthouse/i))
      return above(lighthouses.filter(({ town }) => asked.says(new RegExp(`for ${town.region} have`))).map(({ name, steps }) => ({ name, figure: steps })));
    if (asked.says(/tonnage/)) return above(ships.filter(({ yard }) => asked.text.includes(yard.name)).map(({ name, tonnage }) => ({ name, figure: tonnage })));
    return above(books.filter(({ publisher }) => asked.text.includes(publisher.name)).map(({ title, pages }) => ({ name: title, figure: pages })));
  },
  'web-towns-on-river': (asked, { towns }) => [
    total(
      towns
        .filter(({ region, river }) => asked.says(new RegExp(`\\b${region}\\b`)) && asked.says(new RegExp(`the ${river}\\b`)))
        .map((town) => town.population),
    ),
  ],
  'web-days-apart': (asked, { lighthouses, ships, museums, bridges, books }) => {
    const dated = [
      ...lighthouses.map(({ name, firstLit }) => ({ name, day: firstLit })),
      ...ships.map(({ name, launched }) => ({ name, day: launched })),
      ...museums.map(({ name, opened }) => ({ name, day: opened })),
      ...bridges.map(({ name, opened }) => ({ name, day: opened })),
      ...books.map(({ title, published }) => ({ name: title, day: published })),
    ];
    return pair(asked.named(dated, byName), (a, b) => apart(a.day, b.day));
  },
  'web-makers-town': (asked, { museums, ships, bridges }) =>
    [
      ...asked.named(museums, byName).map(({ architect }) => architect),
      ...asked.named(ships, byName).map(({ captain }) => captain),
      ...asked.named(bridges, byName).map(({ engineer }) => engineer),
    ].map(({ birthplace }) => townFigure(birthplace, asked)),
  'web-founders-school': (asked, { bridges }) => asked.named(bridges, byName).map(({ builder }) => townFigure(builder.founder.school, asked)),
  'web-champions-town': (asked, { seasons }) =>
    seasons
      .filter(({ year }) => asked.years().includes(year))
      .flatMap(({ table }) => {
        const town = table[asked.says(/came second/) ? 1 : 0]?.club.town;
        return town ? [townFigure(town, asked)] : [];
      }),
  'web-firm-changes': (asked, { firms }) => {
    const [early, late] = [...new Set(asked.years())].sort((a, b) => a - b) as [number, number];
    const rises = asked.named(firms, byName).map(({ staff, turnover }) => {
      const figures = asked.says(/turnover/) ? turnover : staff;
      return (figures[late] as number) - (figures[early] as number);
    });
    return pair(rises, (a, b) => (asked.says(/Add up/) ? a + b : a - b));
  },
  'web-museum-years': (asked, { museums }) => {
    const first = Math.min(...asked.years());
    const sums = asked.named(museums, byName).map(({ visitors }) => total([0, 1, 2].map((later) => visitors[first + later] as number)));
    return pair(sums, (a, b) => (asked.says(/Divide/) ? nearest(a / b, 2) : asked.says(/combined/) ? a + b : a - b));
  },
  'web-festival-costs': (asked, { festivals }) => {
    const stages = asked.says(/stages/);
    const each = asked.named(festivals, byName).map((festival) => (stages ? festival.guests / festival.stages : festival.budget / festival.guests));
    return pair(each, (a, b) => nearest(Math.abs(a - b), stages ? 0 : 2));
  },
  'web-paper-totals': (asked, { papers }) => {
    const named = asked.named(papers, byTitle);
    if (asked.says(/waited longest/)) return [Math.max(...named.map(({ received, accepted }) => apart(received, accepted)))];
    return [total(named.map(({ samples, sites }) => (asked.says(/samples/) ? samples : sites)))];
  },
  'web-corrected-order': (asked, { orders }) =>
    orders
      .filter(({ firm, town, goods }) => asked.text.includes(firm.name) && asked.text.includes(town.name) && asked.text.includes(goods))
      .flatMap(({ pieces, unitPrice, firm }) =>
        asked.years().map((year) => {
          const marks = pieces * unitPrice;
          return nearest(asked.says(/percentage/) ? (marks / ((firm.turnover[year] as number) * 1_000)) * 100 : marks / (firm.staff[year] as number), 1);
        }),
      ),
  'web-author-ages': (asked, { books }) => pair(asked.named(books, byTitle), (a, b) => apart(a.author.born, b.author.born)),
  'web-ship-masters': (asked, { ships }) => {
    const masters = asked.named(ships, byName).map(({ captain }) => captain);
    if (asked.says(/How many days/)) return pair(masters, (a, b) => apart(a.born, b.born));
    const ranked = eldestFirst(masters);
    return [(asked.says(/elder/) ? ranked[0] : ranked.at(-1))?.birthplace.name ?? ''];
  },
  'web-masters-in-order': (asked, { ships }) => [
    eldestFirst(asked.named(ships, byName).map(({ captain }) => captain))
      .map(byName)
      .join(', '),
  ],
  'web-youngest-architect': (asked, { museums }) => [eldestFirst(asked.named(museums, byName).map(({ architect }) => architect)).at(-1)?.birthplace.name ?? ''],
  'web-novelist-span': (asked, { books }) => {
    const days = asked.named(books, byTitle).map(({ author }) => dayNumber(author.born));
    return [Math.max(...days) - Math.min(...days)];
  },
  'web-tenure-years': (asked, world) => tenuresNamed(asked, world).map(({ years }) => years),
  'web-tenures-together': (asked, world) => pair(tenuresNamed(asked, world), (a, b) => (asked.says(/Add/) ? a.years + b.years : a.years - b.years)),
  'web-logged-tonnes': (asked, { ships, voyages }) => {
    const [ship] = asked.named(ships, byName);
    const bound = voyages.filter((voyage) => voyage.ship === ship && asked.text.includes(voyage.to.name));
    return [total(bound.map(({ tonnes, freight }) => (asked.says(/freight/) ? freight : tonnes)))];
  },
  'web-arrivals-by-cargo': (asked, { voyages }) => {
    const loads = voyages.filter(({ to, cargo }) => asked.text.includes(to.name) && asked.says(new RegExp(`of ${cargo}\\b`))).map(({ tonnes }) => tonnes);
    return [asked.says(/heaviest/) ? Math.max(...loads) : total(loads)];
  },
  'web-voyages-compared': (asked, { ships, voyages }) => {
    const totals = asked
      .named(ships, byName)
      .map((ship) => total(voyages.filter((voyage) => voyage.ship === ship).map(({ tonnes, freight }) => (asked.says(/freight/) ? freight : tonnes))));
    return pair(totals, (a, b) => a - b);
  },
  'web-station-samples': (asked, world) => stationsNamed(asked, world).map(({ samples, depthM }) => (asked.says(/How many samples/) ? samples : depthM)),
  'web-station-pairs': (asked, world) =>
    pair(stationsNamed(asked, world), (a, b) => (asked.says(/Add the samples/) ? a.samples + b.samples : nearest(a.depthM - b.depthM, 1))),
  'web-feed-date': (asked, { orders }) =>
    orders
      .filter(({ firm, town }) => asked.text.includes(firm.name) && asked.text.includes(town.name))
      .map(({ printed, corrected }) => (asked.says(/"Correction to/) ? corrected : printed)),
  'web-claim-against-register': (asked, { disputes, lighthouses, museums }) =>
    disputes
      .filter(({ about, of }) => asked.text.includes(of) && about === (asked.says(/steps/) ? 'steps' : 'objects'))
      .map(({ about, of, claims }) =>
        about === 'steps'
          ? Math.max(...claims) - (lighthouses.find(({ name }) => name === of)?.steps as number)
          : (museums.find(({ name }) => name === of)?.objects as number) - Math.min(...claims),
      ),
  'web-other-units': (asked, { ships, lighthouses }) =>
    asked.says(/feet/)
      ? asked.named(ships, byName).map(({ lengthM }) => nearest(lengthM / 0.3048, 0))
      : asked.named(lighthouses, byName).map(({ rangeKm }) => nearest(rangeKm / 1.852, 1)),
  'web-short-link': (asked, { museums }) => {
    const town = museums[asked.numberAfter(/example\/m/) - 101]?.town;
    return town ? [townFigure(town, asked)] : [];
  },
  'web-exhibitions-in-order': (asked, { exhibitions }) => {
    const shows = asked.named(exhibitions, byTitle);
    const ranked = asked.says(/most visitors first/)
      ? [...shows].sort((a, b) => b.visitors - a.visitors)
      : [...shows].sort((a, b) => apart(a.opens, a.closes) - apart(b.opens, b.closes));
    return [ranked.map(({ museum }) => museum.name).join(', ')];
  },
  'web-bridge-costs': (asked, { bridges }) => {
    const each = asked.named(bridges, byName).map(({ cost, lengthM }) => cost / lengthM);
    return pair(each, (a, b) => nearest(asked.says(/Add the two/) ? a + b : a - b, 0));
  },
  'web-club-trainer': (asked, { clubs }) => {
    const named = asked.named(clubs, byName);
    const wanted = asked.says(/founded first/) ? Math.min(...named.map(({ foundedYear }) => foundedYear)) : Math.max(...named.map(({ seats }) => seats));
    return named.filter(({ foundedYear, seats }) => (asked.says(/founded first/) ? foundedYear : seats) === wanted).map(({ trainer }) => trainer.name);
  },
};

/** Terms of the people that a question names, at the places that it names beside them. */
function tenuresNamed(asked: Asked, { tenures }: World): { readonly years: number }[] {
  const role = asked.says(/mayor/) ? 'mayor' : 'director';
  // The same person may have led two of the named places: the place that follows the name is meant.
  const meant = ({ person, of }: World['tenures'][number]) => asked.says(new RegExp(`${person.name}.{1,40}?${of}`));
  const fitting = tenures.filter((tenure) => tenure.role === role && tenure.untilYear !== undefined && meant(tenure));
  return asked.named(fitting, ({ person }) => person.name).map(({ fromYear, untilYear = 0 }) => ({ years: untilYear - fromYear }));
}

/** Each named station of each named paper. */
function stationsNamed(asked: Asked, { papers }: World) {
  return asked.named(papers, byTitle).flatMap(({ title, stations }) => {
    const beside = new RegExp(`station (\\w+) (?:of|in the work) "${title}"`).exec(asked.text)?.[1] ?? /station (\w+)\?/.exec(asked.text)?.[1];
    return stations.filter(({ name }) => name === beside);
  });
}

/** @returns `undefined` when this is no kind of web question */
export function solveWeb(kind: string, question: string, world: World): Answers | undefined {
  return RECIPES[kind]?.(new Asked(question), world);
}
