// Web tasks of one long chain: what one page says is what the next search is for. Searches and fetches take turns, so a wrong copy early on leads to a
// wrong page later.
import { draftPlan, v } from '../plan-draft.ts';
import { type Setting, type Template, worded } from '../template.ts';
import { fetchPage, search, visit } from '../web/readings.ts';
import type { Person } from '../world/world.ts';

/** Thing, its maker, the maker's place of birth: six steps. */
export const makersTown: Template = {
  name: 'web-makers-town',
  type: 'web',
  turns: 3,
  write: (setting) => {
    const { web, turn } = setting;
    const { kind, name, field, role, person, site } = makerAsked(setting);
    const town = person.birthplace;
    const [detail, words, truth] = [
      ['Inhabitants', 'number of inhabitants', town.population],
      ['Height above the sea', 'height above the sea', town.elevationM],
      ['Charter granted', 'year of the charter', town.charteredYear],
    ][turn % 3] as [string, string, number];
    // A small number would stand in many a snippet by chance.
    if (truth < 100) return undefined;
    const plan = draftPlan();
    const chain = plan.chain(`Find the ${words} of the town in which the ${role} of ${name} was born.`);
    const { maker } = visit(chain, web, { page: web.page(kind, name), about: name, reads: { maker: [field, `${role} of ${name}`] } });
    const { place } = visit(chain, web, {
      page: web.page('person', person.name),
      about: `the ${role} of ${name}`,
      ref: maker,
      reads: { place: ['Place of birth', `birthplace of the ${role} of ${name}`] },
    });
    const { figure } = visit(chain, web, {
      page: web.page('town', town.name),
      about: `the birthplace of the ${role} of ${name}`,
      ref: place,
      reads: { figure: [detail, `${words} of the birthplace of the ${role} of ${name}`] },
    });
    const question = worded(
      turn,
      `How many inhabitants does the Orvelland Townbook give for the town where the ${role} of ${name} was born? The ${role} is named in the ${site}, the place of birth in Orvelland Lives.`,
      `Start from the ${site}'s entry on ${name}. Take its ${role}, look up in Orvelland Lives where this person came into the world, and say how many metres that town lies above the sea by the Orvelland Townbook.`,
      `In which year was a charter granted to the birthplace of the ${role} who is responsible for ${name}? Trust only the ${site}, Orvelland Lives and the Orvelland Townbook.`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, v(figure), truth) };
  },
};

function makerAsked({ world, random, turn }: Setting): {
  kind: 'museum' | 'ship' | 'bridge';
  name: string;
  field: string;
  role: string;
  person: Person;
  site: string;
} {
  const museum = random.pick(world.museums);
  const ship = random.pick(world.ships);
  const bridge = random.pick(world.bridges);
  const choices = [
    { kind: 'museum', name: museum.name, field: 'Architect', role: 'architect', person: museum.architect, site: 'Museum Register' },
    { kind: 'ship', name: ship.name, field: 'Master', role: 'master', person: ship.captain, site: 'Harbour Almanac' },
    { kind: 'bridge', name: bridge.name, field: 'Engineer', role: 'engineer', person: bridge.engineer, site: 'Bridge Survey' },
  ] as const;
  return choices[turn % 3] as (typeof choices)[number];
}

/** Bridge, builder, founder, school town: eight steps. */
export const foundersSchool: Template = {
  name: 'web-founders-school',
  type: 'web',
  turns: 2,
  write: ({ world, web, random, turn }) => {
    const bridge = random.pick(world.bridges);
    const { builder } = bridge;
    const town = builder.founder.school;
    const [detail, words, truth] = [
      ['Charter granted', 'charter year', town.charteredYear],
      ['Inhabitants', 'number of inhabitants', town.population],
    ][turn % 2] as [string, string, number];
    const plan = draftPlan();
    const chain = plan.chain(`Find the ${words} of the town where the founder of the firm that built ${bridge.name} went to school.`);
    const { firm } = visit(chain, web, {
      page: web.page('bridge', bridge.name),
      about: bridge.name,
      reads: { firm: ['Builder', `builder of ${bridge.name}`] },
    });
    const { founder } = visit(chain, web, {
      page: web.page('firm', builder.name),
      about: `the builder of ${bridge.name}`,
      ref: firm,
      reads: { founder: ['Founder', `founder of the builder of ${bridge.name}`] },
    });
    const { school } = visit(chain, web, {
      page: web.page('person', builder.founder.name),
      about: `the founder of the builder of ${bridge.name}`,
      ref: founder,
      reads: { school: ['Went to school in', `school town of the founder of the builder of ${bridge.name}`] },
      ...(turn === 1 ? { associative: true as const } : {}),
    });
    const { answer } = visit(chain, web, {
      page: web.page('town', town.name),
      about: `the school town for ${bridge.name}`,
      ref: school,
      reads: { answer: [detail, `${words} of the school town for ${bridge.name}`] },
    });
    const question = worded(
      turn,
      `The Bridge Survey says which firm put up ${bridge.name}. Its founder stands in the Ledger of Firms, and that founder's schooling in Orvelland Lives. In which year, says the Orvelland Townbook, was the school's town granted its charter?`,
      `Who founded the company that constructed ${bridge.name}, and how many people live in the place where this founder was taught as a child? Give the Townbook's count of inhabitants only; the survey, the ledger and Orvelland Lives lead there.`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, v(answer), truth) };
  },
};

/** Season, champion (told in prose), club, home town: six steps. */
export const championsTown: Template = {
  name: 'web-champions-town',
  type: 'web',
  turns: 3,
  write: ({ world, web, random, turn }) => {
    const season = random.pick(world.seasons);
    const club = season.table[turn === 1 ? 1 : 0]?.club;
    if (!club) return undefined;
    const place = turn === 1 ? 'runner-up' : 'champion';
    const { town } = club;
    const [detail, words, truth] = [
      ['Charter granted', 'charter year', town.charteredYear],
      ['Height above the sea', 'height above the sea', town.elevationM],
      ['Inhabitants', 'number of inhabitants', town.population],
    ][turn % 3] as [string, string, number];
    if (truth < 100) return undefined;
    const page = web.page('season', `League season of ${season.year}`);
    const whose = `the ${place} of ${season.year}`;
    const plan = draftPlan();
    const chain = plan.chain(`Find the ${words} of the home town of ${whose} in the league.`);
    const url = search(chain, page, `league season of ${season.year}`, { label: `address of the season page that names ${whose}` });
    const other = season.table[turn === 1 ? 0 : 1]?.club.name ?? '';
    const { winner } = fetchPage(chain, url, {
      winner: {
        label: `${place} of the ${season.year} season`,
        after: [`Title: ${page.heading} - ${page.site.name}`, turn === 1 ? 'The second place went to' : 'The title of champion went to'],
        kind: 'text',
        until: ['.', '\n'],
        value: club.name,
        wrong: other,
      },
    });
    const clubPage = web.page('club', club.name);
    const { home } = visit(chain, web, { page: clubPage, about: whose, ref: winner, reads: { home: ['Home town', `home town of ${whose}`] } });
    const { figure } = visit(chain, web, {
      page: web.page('town', town.name),
      about: `the home town of ${whose}`,
      ref: home,
      reads: { figure: [detail, `${words} of the home town of ${whose}`] },
    });
    const question = worded(
      turn,
      `When, by year, did the home town of the league's ${season.year} champion receive its charter? The League Annals name club and town, the Orvelland Townbook has the year.`,
      `The side that came second in the league in ${season.year} plays in a town whose height above the sea is recorded in the Orvelland Townbook. How many metres is it? See the League Annals for the club.`,
      `According to the League Annals and the Orvelland Townbook, what is the population of the town that is home to the team which won the league title in ${season.year}?`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, v(figure), truth) };
  },
};
