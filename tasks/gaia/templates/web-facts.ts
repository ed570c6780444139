// Web tasks with one page to find: a detail of a thing, or a cell of a league table. An old copy of each page carries another value.
import { draftPlan, v } from '../plan-draft.ts';
import { distinct, type Template, worded } from '../template.ts';
import { cellOf, factOf, fetchPage, search } from '../web/readings.ts';

/** Search, fetch. */
export const museumDetail: Template = {
  name: 'web-museum-detail',
  type: 'web',
  write: ({ world, web, random, turn }) => {
    const [museum] = distinct(random, world.museums, 1) as [(typeof world.museums)[number]];
    const page = web.page('museum', museum.name);
    const [field, words, truth] = [
      ['A ticket costs', 'price of admission in pence', museum.ticketPence],
      ['Objects on record', 'number of catalogued objects', museum.objects],
      ['Floor area', 'floor area in square metres', museum.floorAreaM2],
    ][turn % 3] as [string, string, number];
    const plan = draftPlan();
    const chain = plan.chain(`Look up the ${words} of ${museum.name} in the Museum Register.`);
    const url = search(chain, page, museum.name, { label: `address of the register's page on ${museum.name}` });
    const { detail } = fetchPage(
      chain,
      url,
      { detail: factOf(web, page, field, { label: `${words} of ${museum.name}` }) },
      field === 'A ticket costs' ? { associative: true } : {},
    );
    const question = worded(
      turn,
      `What does it cost to get into ${museum.name}, in pence, going by the current entry in the Museum Register?`,
      `How many items has ${museum.name} catalogued? Take the figure that stands in the Museum Register today, not an old copy.`,
      `The Museum Register lists ${museum.name}. How large is the exhibition space there, given as square metres?`,
      `Someone plans a trip to ${museum.name}. How many pence must they pay at the door if the Museum Register is up to date?`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, v(detail), truth) };
  },
};

/** Search, fetch. */
export const leagueCell: Template = {
  name: 'web-league-cell',
  type: 'web',
  write: ({ world, web, random, turn }) => {
    const season = random.pick(world.seasons);
    const row = random.pick(season.table.slice(1));
    const page = web.page('season', `League season of ${season.year}`);
    const [column, words, truth] = [
      ['Goals against', 'goals conceded', row.goalsAgainst],
      ['Won', 'matches won', row.won],
      ['Points', 'points', row.points],
    ][turn % 3] as [string, string, number];
    const plan = draftPlan();
    const chain = plan.chain(`Find the ${words} of ${row.club.name} in the final table of the ${season.year} season in the League Annals.`);
    const url = search(chain, page, `final table league season ${season.year}`, {
      label: `address of the annals' page on the ${season.year} season, for the ${words} of ${row.club.name}`,
    });
    const { figure } = fetchPage(chain, url, { figure: cellOf(web, page, row.club.name, column, { label: `${words} of ${row.club.name} in ${season.year}` }) });
    const question = worded(
      turn,
      `How often was the goalkeeper of ${row.club.name} beaten over the whole league season of ${season.year}? Use the confirmed table of the League Annals.`,
      `Look at the League Annals for ${season.year}: in how many of its games was ${row.club.name} the winner?`,
      `With how many points did ${row.club.name} end the ${season.year} league season according to the confirmed final standings in the League Annals?`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, v(figure), truth) };
  },
};
