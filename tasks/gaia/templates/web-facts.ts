// Web tasks with one page to find: a detail of a thing, a cell of a league table, entries of a list. An old copy of each page carries other values.
import type { Formula } from '../../plan.ts';
import { c, draftPlan, v } from '../plan-draft.ts';
import { type Setting, type Template, worded } from '../template.ts';
import type { Page } from '../web/page.ts';
import { cellOf, fetchPage, search, visit } from '../web/readings.ts';

/** Search, fetch. */
export const museumDetail: Template = {
  name: 'web-museum-detail',
  type: 'web',
  turns: 4,
  write: ({ world, web, random, turn }) => {
    const museum = random.pick(world.museums);
    const { name } = museum;
    const [field, words, truth] = [
      ['A ticket costs', 'price of admission in pence', museum.ticketPence],
      ['Objects on record', 'number of catalogued objects', museum.objects],
      ['Floor area', 'floor area in square metres', museum.floorAreaM2],
    ][turn % 3] as [string, string, number];
    const plan = draftPlan();
    const chain = plan.chain(`Look up the ${words} of ${name} in the Museum Register.`);
    const page = web.page('museum', name);
    const reads = { detail: [field, `${words} of ${name}`] } as const;
    const { detail } = visit(chain, web, { page, about: name, reads, ...(field === 'A ticket costs' ? { associative: true } : {}) });
    const question = worded(
      turn,
      `What does it cost to get into ${name}, in pence, going by the current entry in the Museum Register?`,
      `How many items has ${name} catalogued? Take the figure that stands in the Museum Register today, not an old copy.`,
      `The Museum Register lists ${name}. How large is the exhibition space there, given as square metres?`,
      `Someone plans a trip to ${name}. How many pence must they pay at the door if the Museum Register is up to date?`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, v(detail), truth) };
  },
};

/** Search, fetch. */
export const leagueCell: Template = {
  name: 'web-league-cell',
  type: 'web',
  turns: 3,
  write: ({ world, web, random, turn }) => {
    const season = random.pick(world.seasons);
    const row = random.pick(season.table.slice(1));
    const club = row.club.name;
    const page = web.page('season', `League season of ${season.year}`);
    const [column, words, truth] = [
      ['Goals against', 'goals conceded', row.goalsAgainst],
      ['Goals for', 'goals scored', row.goalsFor],
      ['Points', 'points', row.points],
    ][turn % 3] as [string, string, number];
    // Small numbers stand before every search result.
    if (truth < 10) return undefined;
    const plan = draftPlan();
    const chain = plan.chain(`Find the ${words} of ${club} in the final table of the ${season.year} season in the League Annals.`);
    const url = search(chain, page, `league season of ${season.year}`, { label: `address of the ${season.year} season page with the ${words} of ${club}` });
    const { figure } = fetchPage(
      chain,
      url,
      { figure: cellOf(web, page, club, column, { label: `${words} of ${club} in ${season.year}` }) },
      turn === 0 ? { associative: true } : {},
    );
    const question = worded(
      turn,
      `How often was the goalkeeper of ${club} beaten over the whole league season of ${season.year}? Use the confirmed table of the League Annals.`,
      `Look at the confirmed final table that the League Annals have for ${season.year}: how many goals did ${club} score?`,
      `With how many points did ${club} end the ${season.year} league season according to the confirmed final standings in the League Annals?`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, v(figure), truth) };
  },
};

/** Search, fetch; the answer is a list of names, filtered by a column. */
export const listFilter: Template = {
  name: 'web-list-filter',
  type: 'web',
  turns: 3,
  write: (setting) => {
    const { web, random, turn } = setting;
    const asked = listAsked(setting);
    const rows = [...(asked.page.tables[0]?.rows ?? [])];
    const column = asked.page.tables[0]?.columns.indexOf(asked.column) ?? -1;
    const entries = rows.map((row) => ({ name: String(row[0]?.value), figure: Number(row[column]?.value) }));
    if (entries.length < 3 || entries.length > 9) return undefined;
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const figures = entries.map(({ figure }) => figure).sort((a, b) => b - a);
    const kept = random.integer(2, Math.min(4, figures.length - 1));
    const bound = random.integer((figures[kept] as number) + 1, (figures[kept - 1] as number) - 1);
    const chosen = entries.filter(({ figure }) => figure > bound);
    if (chosen.length !== kept || figures.includes(bound)) return undefined;
    const truth = chosen.map(({ name }) => name).join(', ');
    const question = worded(turn, ...asked.wordings(String(bound)));
    const plan = draftPlan();
    const chain = plan.chain(`Read the column "${asked.column}" of the page "${asked.page.heading}" in the ${asked.page.site.name}.`);
    const url = search(chain, asked.page, asked.page.heading, { label: `address of the list "${asked.page.heading}"` });
    const reads = Object.fromEntries(
      entries.map(({ name }, i) => [
        `row${i + 1}`,
        cellOf(web, asked.page, name, asked.column, { label: `${asked.column} of ${name} in the list ${asked.page.heading}` }),
      ]),
    );
    const values = Object.values(fetchPage(chain, url, reads));
    const answer: Formula = { op: 'where', of: values.map(v), test: 'above', than: c(bound), give: 'list', pick: entries.map(({ name }) => c(name)) };
    return { question, truth, plan: plan.finish(question, answer, truth) };
  },
};

function listAsked({ world, web, random, turn }: Setting): { page: Page; column: string; wordings: (bound: string) => string[] } {
  const region = random.pick(world.regions);
  const yard = random.pick(world.ships).yard.name;
  const press = random.pick(world.books).publisher.name;
  const wordings = (bound: string) => [
    `Which lighthouses that the Harbour Almanac lists for ${region} have more than ${bound} steps? Give their names in alphabetical order, separated by commas.`,
    `From the almanac's current list of vessels that came from ${yard}, name those whose gross tonnage is above ${bound}. Sort alphabetically and put commas between them.`,
    `${press} has brought out several novels. According to the Bookshelf Index, which of them run to over ${bound} pages? Answer with the titles, A to Z, comma-separated.`,
  ];
  const [heading, column] = [
    [`Lighthouses of ${region}`, 'Steps'],
    [`Ships built by ${yard}`, 'Gross tonnage'],
    [`Novels from ${press}`, 'Pages'],
  ][turn % 3] as [string, string];
  return { page: web.page('list', heading), column, wordings };
}
