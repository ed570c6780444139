// Who led what and when, and what a port's books say: lists by office, logs of ships, and arrivals spread over several pages.
import type { Voyage, World } from '../world/world.ts';
import { entity } from './entity-pages.ts';
import { type Cell, date, number, type Page, type Site, slugOf, text, urlOf, year } from './page.ts';
import { siteOf } from './sites.ts';

export function historyPages(world: World): Page[] {
  const offices = Map.groupBy(world.tenures, ({ role, of }) => tenureHeading(role, of));
  const lists = [...offices].map(([heading, of]): Page => {
    const site = siteOf(of[0]?.role === 'mayor' ? 'town' : 'museum');
    const rows = of.map(({ person, fromYear, untilYear }) => [
      entity('person', person.name),
      year(fromYear),
      untilYear === undefined ? text('in office') : year(untilYear),
    ]);
    return shell(site, `/office/${slugOf(heading)}`, heading, ['Name', 'Took office', 'Left office'], rows);
  });
  const logs = world.ships.map((ship): Page => {
    const voyages = world.voyages.filter((voyage) => voyage.ship === ship);
    const rows = voyages.map((voyage) => [
      text(voyage.entry),
      entity('town', voyage.to.name),
      date(voyage.sailed),
      date(voyage.arrived),
      number(voyage.tonnes),
      number(voyage.freight),
    ]);
    return shell(
      siteOf('ship'),
      `/logs/${slugOf(ship.name)}`,
      logHeading(ship.name),
      ['Entry', 'Bound for', 'Sailed', 'Arrived', 'Tonnes', 'Freight in marks'],
      rows,
    );
  });
  const arrivals = [...Map.groupBy(world.voyages, ({ to }) => to.name)].flatMap(([town, voyages]) => arrivalPages(town, voyages));
  return [...lists, ...logs, ...arrivals];
}

/** How many arrivals stand on one page. */
export const ARRIVALS_A_PAGE = 8;

function arrivalPages(town: string, voyages: readonly Voyage[]): Page[] {
  const sorted = arrivalsInOrder(voyages);
  const pages = Math.ceil(sorted.length / ARRIVALS_A_PAGE);
  return Array.from({ length: pages }, (_, i): Page => {
    const rows = sorted
      .slice(i * ARRIVALS_A_PAGE, (i + 1) * ARRIVALS_A_PAGE)
      .map((voyage) => [text(voyage.entry), date(voyage.arrived), entity('ship', voyage.ship.name), text(voyage.cargo), number(voyage.tonnes)]);
    const pathOf = (page: number) => `/arrivals/${slugOf(town)}${page === 0 ? '' : `?page=${page + 1}`}`;
    const page = shell(siteOf('ship'), pathOf(i), arrivalsHeading(town, i), ['Entry', 'Arrived', 'Ship', 'Cargo', 'Tonnes'], rows);
    return i + 1 < pages ? { ...page, next: urlOf({ site: page.site, path: pathOf(i + 1) }) } : page;
  });
}

export function arrivalsInOrder(voyages: readonly Voyage[]): Voyage[] {
  return [...voyages].sort((a, b) => (a.arrived < b.arrived ? -1 : a.arrived > b.arrived ? 1 : a.entry < b.entry ? -1 : 1));
}

export function tenureHeading(role: 'director' | 'mayor', of: string): string {
  return role === 'mayor' ? `Mayors of ${of}` : `Directors of ${of}`;
}

export function logHeading(ship: string): string {
  return `Log of ${ship} for 2025`;
}

/** @param page from 0 */
export function arrivalsHeading(town: string, page: number): string {
  return page === 0 ? `Arrivals at ${town} in 2025` : `Arrivals at ${town} in 2025, page ${page + 1}`;
}

function shell(site: Site, path: string, heading: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): Page {
  const lead = `${heading}: kept by the ${site.name}, and closed at the end of the year.`;
  return { kind: 'list', site, path, heading, lead, facts: [], tables: [{ heading: 'Entries', columns, rows }], prose: [], links: [], paragraphs: 3 };
}
