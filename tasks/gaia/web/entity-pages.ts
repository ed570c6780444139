// The right pages: one for each thing of the world, on the site that keeps its kind. A lead never gives a fact away; facts stand in tables, a few in prose.
import { type Paper, type World, YEARS, type Yearly } from '../world/world.ts';
import { type Cell, date, type Fact, type Link, number, type Page, type PageKind, slugOf, type Table, text, urlOf, year } from './page.ts';
import { siteOf } from './sites.ts';

export function entityPages(world: World): Page[] {
  return [
    ...world.towns.map((town) =>
      page('town', town.name, `${town.name} is a town in Orvelland. This entry of the townbook is revised every spring by the town clerk.`, [
        fact('Region', text(town.region)),
        fact('River', text(town.river)),
        fact('Inhabitants', number(town.population)),
        fact('Height above the sea', number(town.elevationM, 'metres')),
        fact('Charter granted', year(town.charteredYear)),
      ]),
    ),
    ...world.persons.map((person) =>
      page(
        'person',
        person.name,
        `${person.name} is known in Orvelland as ${article(person.calling)}. The entry was last checked by the editors of this collection.`,
        [
          fact('Calling', text(person.calling)),
          fact('Born', date(person.born)),
          fact('Place of birth', entity('town', person.birthplace.name)),
          fact('Went to school in', entity('town', person.school.name)),
        ],
      ),
    ),
    ...world.firms.map((firm) =>
      page(
        'firm',
        firm.name,
        `${firm.name} is a firm in Orvelland. The entry gives the figures that the firm has filed with the ledger.`,
        [fact('Seat', entity('town', firm.seat.name)), fact('Founder', entity('person', firm.founder.name)), fact('Founded', year(firm.foundedYear))],
        [yearlyTable('Figures by year', ['Staff', 'Turnover in thousand marks'], [firm.staff, firm.turnover])],
      ),
    ),
    ...world.museums.map((museum) =>
      page(
        'museum',
        museum.name,
        `${museum.name} is one of the houses listed in this register. The curators send their figures in once a year.`,
        [
          fact('Town', entity('town', museum.town.name)),
          fact('Opened', date(museum.opened)),
          fact('Architect', entity('person', museum.architect.name)),
          fact('Director', entity('person', museum.director.name)),
          fact('Floor area', number(museum.floorAreaM2, 'square metres')),
          fact('Objects on record', number(museum.objects)),
          fact('A ticket costs', number(museum.ticketPence, 'pence')),
        ],
        [yearlyTable('Visitors by year', ['Visitors'], [museum.visitors])],
      ),
    ),
    ...world.ships.map((ship) =>
      page('ship', ship.name, `${ship.name} is a vessel on the almanac's list. Owners report changes to the editors in autumn.`, [
        fact('Built by', entity('firm', ship.yard.name)),
        fact('Launched', date(ship.launched)),
        fact('Home port', entity('town', ship.homePort.name)),
        fact('Master', entity('person', ship.captain.name)),
        fact('Length', number(ship.lengthM, 'metres')),
        fact('Gross tonnage', number(ship.tonnage)),
        fact('Berths', number(ship.berths)),
      ]),
    ),
    ...world.lighthouses.map((light) =>
      page('lighthouse', light.name, `${light.name} is a lighthouse on the coast of Orvelland. The keepers report to the almanac.`, [
        fact('Nearest town', entity('town', light.town.name)),
        fact('First lit', date(light.firstLit)),
        fact('Height of the tower', number(light.heightM, 'metres')),
        fact('Range', number(light.rangeKm, 'kilometres')),
        fact('Steps to the lamp', number(light.steps)),
      ]),
    ),
    ...world.bridges.map((bridge) =>
      page('bridge', bridge.name, `${bridge.name} carries the old coast road. The survey looks at it every third year.`, [
        fact('Town', entity('town', bridge.town.name)),
        fact('Opened to traffic', date(bridge.opened)),
        fact('Engineer', entity('person', bridge.engineer.name)),
        fact('Builder', entity('firm', bridge.builder.name)),
        fact('Span', number(bridge.lengthM, 'metres')),
        fact('Cost', number(bridge.cost, 'marks')),
      ]),
    ),
    ...world.books.map((book) =>
      page('book', book.title, `${book.title} is a novel from Orvelland. The index describes the first edition.`, [
        fact('Author', entity('person', book.author.name)),
        fact('Publisher', entity('firm', book.publisher.name)),
        fact('Date of publication', date(book.published)),
        fact('Pages', number(book.pages)),
        fact('Copies of the first printing', number(book.firstPrinting)),
      ]),
    ),
    ...world.papers.map((paper) =>
      page('paper', paper.title, `${paper.title} is a research note. This is its record in the open collection.`, [
        fact('Lead author', entity('person', paper.lead.name)),
        fact('Received', date(paper.received)),
        fact('Accepted', date(paper.accepted)),
        fact('Samples', number(paper.samples)),
        fact('Field sites', number(paper.sites)),
        fact('Full text', { kind: 'entity', value: 'PDF', url: paperUrl(paper), pool: 'pdf' }),
      ]),
    ),
    ...world.festivals.map((festival) =>
      page('festival', festival.name, `${festival.name} is a festival in Orvelland. The diary gives the accounts that its committee has published.`, [
        fact('Town', entity('town', festival.town.name)),
        fact('First day', date(festival.opens)),
        fact('Last day', date(festival.closes)),
        fact('Guests counted', number(festival.guests)),
        fact('Budget', number(festival.budget, 'marks')),
        fact('Stages', number(festival.stages)),
      ]),
    ),
    ...world.exhibitions.map((show) =>
      page('exhibition', show.title, `${show.title} was an exhibition in Orvelland. The calendar closes an entry when the accounts are in.`, [
        fact('House', entity('museum', show.museum.name)),
        fact('Opened on', date(show.opens)),
        fact('Closed on', date(show.closes)),
        fact('Visitors', number(show.visitors)),
        fact('Pieces on loan', number(show.loans)),
        fact('Cost', number(show.cost, 'marks')),
      ]),
    ),
    ...world.clubs.map((club) =>
      page('club', club.name, `${club.name} play football in Orvelland. The annals are written by the league's own clerk.`, [
        fact('Home town', entity('town', club.town.name)),
        fact('Trainer', entity('person', club.trainer.name)),
        fact('Founded', year(club.foundedYear)),
        fact('Seats in the ground', number(club.seats)),
      ]),
    ),
    ...world.seasons.map((season) =>
      page(
        'season',
        `League season of ${season.year}`,
        'The final table of the season, as the league confirmed it after the last appeal.',
        [],
        [
          {
            heading: 'Final table',
            columns: ['Club', 'Won', 'Drawn', 'Lost', 'Goals for', 'Goals against', 'Points'],
            rows: season.table.map((row) => [
              entity('club', row.club.name),
              ...[row.won, row.drawn, row.lost, row.goalsFor, row.goalsAgainst, row.points].map((value) => number(value)),
            ]),
          },
        ],
        [`The title of champion went to ${season.table[0]?.club.name}. The second place went to ${season.table[1]?.club.name}.`],
      ),
    ),
  ];
}

function page(kind: PageKind, heading: string, lead: string, facts: readonly Fact[], tables: readonly Table[] = [], prose: readonly string[] = []): Page {
  const cells = [...facts.map(({ cell }) => cell), ...tables.flatMap(({ rows }) => rows.flat())];
  const links = new Map<string, Link>();
  for (const cell of cells) if (cell.kind === 'entity') links.set(cell.url, { text: cell.value, url: cell.url });
  return { kind, site: siteOf(kind), path: pathOf(kind, heading), heading, lead, facts, tables, prose, links: [...links.values()], paragraphs: 6 };
}

function pathOf(kind: PageKind, name: string): string {
  return `/${kind}/${slugOf(name)}`;
}

export function paperUrl(paper: Pick<Paper, 'title'>): string {
  return `https://${siteOf('paper').host}/pdf/${slugOf(paper.title)}.pdf`;
}

/** A cell that links to the page of what it names. */
export function entity(pool: PageKind, name: string): Cell {
  return { kind: 'entity', value: name, url: urlOf({ site: siteOf(pool), path: pathOf(pool, name) }), pool };
}

function fact(field: string, cell: Cell): Fact {
  return { field, cell };
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

function yearlyTable(heading: string, columns: readonly string[], figures: readonly Yearly[]): Table {
  return { heading, columns: ['Year', ...columns], rows: YEARS.map((y) => [year(y), ...figures.map((byYear) => number(byYear[y] as number))]) };
}
