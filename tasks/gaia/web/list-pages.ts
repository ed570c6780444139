// Lists by region, yard and press: the pages that filter, count and compare questions are asked of.
import type { World } from '../world/world.ts';
import { entity } from './entity-pages.ts';
import { type Cell, date, number, type Page, type PageKind, type Site, slugOf } from './page.ts';
import { siteOf } from './sites.ts';

export function listPages(world: World): Page[] {
  const byRegion = world.regions.flatMap((region) => [
    list(
      siteOf('lighthouse'),
      `Lighthouses of ${region}`,
      ['Lighthouse', 'Height in metres', 'Steps', 'First lit'],
      world.lighthouses
        .filter(({ town }) => town.region === region)
        .map((light) => [entity('lighthouse', light.name), number(light.heightM), number(light.steps), date(light.firstLit)]),
    ),
    list(
      siteOf('museum'),
      `Museums of ${region}`,
      ['Museum', 'Director', 'Opened'],
      world.museums
        .filter(({ town }) => town.region === region)
        .map((museum) => [entity('museum', museum.name), entity('person', museum.director.name), date(museum.opened)]),
    ),
    list(
      siteOf('town'),
      `Towns of ${region}`,
      ['Town', 'Inhabitants', 'River', 'Height above the sea'],
      world.towns
        .filter((town) => town.region === region)
        .map((town) => [entity('town', town.name), number(town.population), { kind: 'text', value: town.river }, number(town.elevationM)]),
    ),
  ]);
  const byYard = firmsWith(world.ships.map(({ yard }) => yard.name)).map((yard) =>
    list(
      siteOf('ship'),
      `Ships built by ${yard}`,
      ['Ship', 'Gross tonnage', 'Launched', 'Berths'],
      world.ships
        .filter((ship) => ship.yard.name === yard)
        .map((ship) => [entity('ship', ship.name), number(ship.tonnage), date(ship.launched), number(ship.berths)]),
    ),
  );
  const byPress = firmsWith(world.books.map(({ publisher }) => publisher.name)).map((press) =>
    list(
      siteOf('book'),
      `Novels from ${press}`,
      ['Novel', 'Pages', 'Date of publication'],
      world.books.filter((book) => book.publisher.name === press).map((book) => [entity('book', book.title), number(book.pages), date(book.published)]),
    ),
  );
  return [...byRegion, ...byYard, ...byPress].filter((page) => (page.tables[0]?.rows.length ?? 0) > 0);
}

function firmsWith(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

function list(site: Site, heading: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): Page {
  const kind: PageKind = 'list';
  const lead = `${heading}: the complete list of the ${site.name}, brought up to date at the start of the year.`;
  return {
    kind,
    site,
    path: `/lists/${slugOf(heading)}`,
    heading,
    lead,
    facts: [],
    tables: [{ heading: 'The list', columns, rows }],
    prose: [],
    links: [],
    paragraphs: 5,
  };
}
