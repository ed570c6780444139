// Web tasks on books that are kept over time: who held an office, what a ship carried, what came into a port (a list over several pages), what a paper's
// PDF says, what a feed announced, what people claim against the register.
import type { Formula } from '../../plan.ts';
import { c, type DraftRead, draftPlan, op, rounded, v } from '../plan-draft.ts';
import { distinct, type Template, worded } from '../template.ts';
import { ARRIVALS_A_PAGE, arrivalsHeading, arrivalsInOrder, logHeading, tenureHeading } from '../web/history-pages.ts';
import { correctionHeading, orderHeading } from '../web/news-pages.ts';
import { COURIER_FEED, shortAddress } from '../web/odd-pages.ts';
import { slugOf, titleOf } from '../web/page.ts';
import { cellOf, factOf, fetchPage, search, visit } from '../web/readings.ts';
import { disputeHeading } from '../web/talk-pages.ts';
import { daysBetween } from '../world/calendar.ts';

/** An office and its years: two steps, and a sum in the head. */
export const tenureYears: Template = {
  name: 'web-tenure-years',
  type: 'web',
  turns: 2,
  write: ({ world, web, random, turn }) => {
    const role = turn === 0 ? 'mayor' : 'director';
    const tenure = random.pick(world.tenures.filter((one) => one.role === role && one.untilYear !== undefined));
    const { person, of, fromYear, untilYear = 0 } = tenure;
    const truth = untilYear - fromYear;
    const site = role === 'mayor' ? 'Orvelland Townbook' : 'Museum Register';
    const page = web.page('list', tenureHeading(role, of));
    const plan = draftPlan();
    const chain = plan.chain(`Find in which years ${person.name} became and ceased to be ${role} of ${of}, from the ${site}.`);
    const url = search(chain, page, page.heading, { label: `address of the list of ${role}s of ${of}` });
    const cells = fetchPage(chain, url, {
      from: cellOf(web, page, person.name, 'Took office', { label: `first year of ${person.name} as ${role} of ${of}` }),
      until: cellOf(web, page, person.name, 'Left office', { label: `last year of ${person.name} as ${role} of ${of}` }),
    });
    const question = worded(
      turn,
      `How many years passed from the one in which ${person.name} took office as mayor of ${of} to the one in which this term ended? The list in the Orvelland Townbook counts.`,
      `${person.name} once ran ${of}. By the Museum Register's list of directors, for how many years (last year minus first)?`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, op('subtract', v(cells.until), v(cells.from)), truth) };
  },
};

/** Two offices in two lists: six steps in two chains. */
export const tenuresTogether: Template = {
  name: 'web-tenures-together',
  type: 'web',
  turns: 2,
  write: ({ world, web, random, turn }) => {
    const pool = world.tenures.filter(({ role, untilYear }) => role === (turn === 0 ? 'director' : 'mayor') && untilYear !== undefined);
    const pair = distinct(random, pool, 2);
    const [first, second] = pair as [(typeof pool)[number], (typeof pool)[number]];
    if (first.of === second.of || first.person === second.person) return undefined;
    const years = pair.map(({ fromYear, untilYear = 0 }) => untilYear - fromYear) as [number, number];
    const truth = turn === 0 ? years[0] + years[1] : years[0] - years[1];
    if (truth < 2) return undefined;
    const site = turn === 0 ? 'Museum Register' : 'Orvelland Townbook';
    const plan = draftPlan();
    const spans = pair.map(({ role, of, person }) => {
      const page = web.page('list', tenureHeading(role, of));
      const chain = plan.chain(`Work out how long ${person.name} was ${role} of ${of}, going by the ${site}.`);
      const url = search(chain, page, page.heading, { label: `address of the ${site}'s list with ${person.name}, ${role} of ${of}` });
      const cells = fetchPage(chain, url, {
        from: cellOf(web, page, person.name, 'Took office', { label: `year in which ${person.name} became ${role} of ${of}` }),
        until: cellOf(web, page, person.name, 'Left office', { label: `year in which ${person.name} stopped being ${role} of ${of}` }),
      });
      return v(chain.calculate(`years of ${person.name} as ${role} of ${of}`, op('subtract', v(cells.until), v(cells.from))));
    });
    const question = worded(
      turn,
      `The Museum Register lists directors with the years in which they took and left office. Add the term of ${first.person.name} at ${first.of} to that of ${second.person.name} at ${second.of}: how many years is that?`,
      `By how many years was ${first.person.name} longer in office as mayor of ${first.of} than ${second.person.name} as mayor of ${second.of}? Take first and last years from the Townbook's lists.`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, op(turn === 0 ? 'add' : 'subtract', ...spans), truth) };
  },
};

/** A log filtered by port, and summed: two steps. */
export const loggedTonnes: Template = {
  name: 'web-logged-tonnes',
  type: 'web',
  turns: 2,
  write: ({ world, web, random, turn }) => {
    const ship = random.pick(world.ships);
    const voyages = world.voyages.filter((voyage) => voyage.ship === ship);
    const port = random.pick(voyages).to;
    const wanted = voyages.filter(({ to }) => to === port);
    if (wanted.length < 2) return undefined;
    const column = turn === 0 ? 'Tonnes' : 'Freight in marks';
    const words = turn === 0 ? 'tonnes' : 'freight';
    const truth = wanted.reduce((sum, { tonnes, freight }) => sum + (turn === 0 ? tonnes : freight), 0);
    const page = web.page('list', logHeading(ship.name));
    const plan = draftPlan();
    const chain = plan.chain(`Add up the ${words} of those voyages in the log of ${ship.name} that were bound for ${port.name}.`);
    const url = search(chain, page, page.heading, { label: `address of the log of ${ship.name} for voyages to ${port.name}` });
    const cells = fetchPage(
      chain,
      url,
      Object.fromEntries(
        voyages.flatMap(({ entry }) => [
          [`${entry}to`, cellOf(web, page, entry, 'Bound for', { label: `port of entry ${entry} of ${ship.name}` })],
          [`${entry}figure`, cellOf(web, page, entry, column, { label: `${words} of entry ${entry} of ${ship.name}` })],
        ]),
      ),
    );
    const answer: Formula = {
      op: 'where',
      of: voyages.map(({ entry }) => v(cells[`${entry}to`] as string)),
      test: 'equal',
      than: c(port.name),
      give: 'sum',
      pick: voyages.map(({ entry }) => v(cells[`${entry}figure`] as string)),
    };
    const question = worded(
      turn,
      `How many tonnes did ${ship.name} carry to ${port.name} altogether in 2025, by its log in the Harbour Almanac?`,
      `Sum the freight, in marks, that ${ship.name} earned on the 2025 voyages to ${port.name}. Its log is kept by the Harbour Almanac.`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, answer, truth) };
  },
};

/** A list over several pages: a search and a fetch a page, three to five steps of one chain. */
export const arrivalsByCargo: Template = {
  name: 'web-arrivals-by-cargo',
  type: 'web',
  turns: 2,
  write: ({ world, web, random, turn }) => {
    const town = random.pick(world.voyages).to;
    const all = arrivalsInOrder(world.voyages.filter(({ to }) => to === town));
    const pages = Math.ceil(all.length / ARRIVALS_A_PAGE);
    if (pages < 2 || pages > 4) return undefined;
    const { cargo } = random.pick(all);
    const wanted = all.filter((voyage) => voyage.cargo === cargo);
    if (wanted.length < 2 || !wanted.some((voyage) => all.indexOf(voyage) >= ARRIVALS_A_PAGE)) return undefined;
    const truth = turn === 0 ? wanted.reduce((sum, { tonnes }) => sum + tonnes, 0) : Math.max(...wanted.map(({ tonnes }) => tonnes));
    const plan = draftPlan();
    const chain = plan.chain(`Go through all pages of the arrivals at ${town.name} in 2025 and note what came in and how much of it; ${cargo} is wanted.`);
    let url = search(chain, web.page('list', arrivalsHeading(town.name, 0)), arrivalsHeading(town.name, 0), {
      label: `address of the arrivals at ${town.name}, for ${cargo}`,
    });
    const cargos: Formula[] = [];
    const tonnes: Formula[] = [];
    for (let number = 0; number < pages; number++) {
      const page = web.page('list', arrivalsHeading(town.name, number));
      const rows = all.slice(number * ARRIVALS_A_PAGE, (number + 1) * ARRIVALS_A_PAGE);
      const reads = Object.fromEntries(
        rows.flatMap(({ entry }) => [
          [`${entry}cargo`, cellOf(web, page, entry, 'Cargo', { label: `cargo of entry ${entry} at ${town.name}, looking for ${cargo}` })],
          [`${entry}tonnes`, cellOf(web, page, entry, 'Tonnes', { label: `tonnes of entry ${entry} at ${town.name}, looking for ${cargo}` })],
        ]),
      );
      const next: Record<string, DraftRead> =
        page.next === undefined
          ? {}
          : {
              next: {
                label: `address of page ${number + 2} of the arrivals at ${town.name}, for ${cargo}`,
                after: [`Title: ${titleOf(page)}`, '[Next page'],
                kind: 'url',
                value: page.next,
              },
            };
      const cells = fetchPage<string>(chain, url, { ...reads, ...next });
      cargos.push(...rows.map(({ entry }) => v(cells[`${entry}cargo`] as string)));
      tonnes.push(...rows.map(({ entry }) => v(cells[`${entry}tonnes`] as string)));
      url = cells['next'] ?? url;
    }
    const sum: Formula = { op: 'where', of: cargos, test: 'equal', than: c(cargo), give: 'sum', pick: tonnes };
    const largest = op('maximum', ...wanted.map((voyage) => tonnes[all.indexOf(voyage)] as Formula));
    const question = worded(
      turn,
      `How many tonnes of ${cargo} came into ${town.name} in 2025? The Harbour Almanac's list of arrivals there runs over several pages.`,
      `Page through the Harbour Almanac's arrivals at ${town.name} in 2025. How many tonnes had the heaviest single load of ${cargo}?`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, turn === 0 ? sum : largest, truth) };
  },
};

/** Two logs, the marks earned a tonne on the longest voyage of each: six steps in two chains. */
export const voyagesCompared: Template = {
  name: 'web-voyages-compared',
  type: 'web',
  turns: 2,
  write: ({ world, web, random, turn }) => {
    const ships = distinct(random, world.ships, 2);
    const logs = ships.map((ship) => world.voyages.filter((voyage) => voyage.ship === ship));
    const totals = logs.map((log) => log.reduce((sum, { tonnes, freight }) => sum + (turn === 0 ? tonnes : freight), 0)) as [number, number];
    const truth = totals[0] - totals[1];
    if (truth <= 0) return undefined;
    const column = turn === 0 ? 'Tonnes' : 'Freight in marks';
    const words = turn === 0 ? 'tonnes' : 'marks of freight';
    const plan = draftPlan();
    const sums = ships.map(({ name }, i) => {
      const page = web.page('list', logHeading(name));
      const chain = plan.chain(`Add up the column "${column}" of the log of ${name} in the Harbour Almanac.`);
      const url = search(chain, page, page.heading, { label: `address of the log of ${name}, for its ${words}` });
      const cells = fetchPage(
        chain,
        url,
        Object.fromEntries(
          (logs[i] ?? []).map(({ entry }) => [entry, cellOf(web, page, entry, column, { label: `${words} of the voyage ${entry} of ${name}` })]),
        ),
      );
      return v(chain.calculate(`${words} of all voyages of ${name}`, op('add', ...Object.values(cells).map(v))));
    });
    const [a, b] = ships.map(({ name }) => name) as [string, string];
    const question = worded(
      turn,
      `Over all voyages in its 2025 log, ${a} moved more cargo than ${b}. How many tonnes more, by the logs that the Harbour Almanac keeps?`,
      `Compare what two vessels earned in 2025: by how many marks does the total freight in the log of ${a} exceed that of ${b}? See the Harbour Almanac.`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, op('subtract', ...sums), truth) };
  },
};

/** The record of a paper, and a table in its PDF: three steps. */
export const stationSamples: Template = {
  name: 'web-station-samples',
  type: 'web',
  turns: 2,
  write: ({ world, web, random, turn }) => {
    const paper = random.pick(world.papers);
    const station = random.pick(paper.stations.slice(1));
    const truth = turn === 0 ? station.samples : station.depthM;
    const plan = draftPlan();
    const page = web.page('paper', paper.title);
    const words = turn === 0 ? 'number of samples' : 'depth';
    const chain = plan.chain(`Find the ${words} at station ${station.name} in the full text of "${paper.title}".`);
    const { figure } = readStation(chain, page, paper, station.name, turn === 0 ? 0 : 1, words, truth);
    const question = worded(
      turn,
      `Open Shore Papers keeps "${paper.title}" as a PDF. How many samples does the table in it give for station ${station.name}?`,
      `How deep was the water, in metres, at station ${station.name} in the work "${paper.title}"? The table stands in the full text behind its record in Open Shore Papers.`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, v(figure), truth) };
  },
};

/** Two papers' PDFs: the samples of a station's share, or the sum over two stations: six steps in two chains. */
export const stationPairs: Template = {
  name: 'web-station-pairs',
  type: 'web',
  turns: 2,
  write: ({ world, web, random, turn }) => {
    const papers = distinct(random, world.papers, 2);
    const stations = papers.map((paper) => random.pick(paper.stations));
    const [first, second] = stations as [(typeof stations)[number], (typeof stations)[number]];
    const truth = turn === 0 ? first.samples + second.samples : Math.round((first.depthM - second.depthM) * 10) / 10;
    if (truth <= 0) return undefined;
    const words = turn === 0 ? 'samples' : 'depth';
    const plan = draftPlan();
    const figures = papers.map((paper, i) => {
      const station = stations[i] as (typeof stations)[number];
      const chain = plan.chain(`Look up the ${words} of station ${station.name} in the PDF of the paper "${paper.title}".`);
      const value = turn === 0 ? station.samples : station.depthM;
      return v(readStation(chain, web.page('paper', paper.title), paper, station.name, turn, `${words} to compare`, value).figure);
    });
    const [a, b] = papers.map(({ title }, i) => `station ${stations[i]?.name} of "${title}"`) as [string, string];
    const question = worded(
      turn,
      `Add the samples from ${a} to those from ${b}. What is the sum, by the tables in the two full texts (PDF) that Open Shore Papers keeps?`,
      `By how many metres was the water at ${a} deeper than at ${b}? Both full texts are PDFs in Open Shore Papers.`,
    );
    const answer = turn === 0 ? op('add', ...figures) : rounded(op('subtract', ...figures), 1);
    return { question, truth: String(truth), plan: plan.finish(question, answer, truth) };
  },
};

type Chain = Parameters<typeof search>[0];
type PaperOf = Parameters<Template['write']>[0]['world']['papers'][number];

/** Search the record, open it, open its PDF. A careless reader takes the row above. */
function readStation(
  chain: Chain,
  page: Parameters<typeof search>[1],
  paper: PaperOf,
  station: string,
  column: number,
  words: string,
  value: number,
): { figure: string } {
  const at = paper.stations.findIndex(({ name }) => name === station);
  const neighbour = paper.stations[at === 0 ? 1 : at - 1];
  const record = search(chain, page, paper.title, { label: `address of the record of ${paper.title}, for the ${words} of station ${station}` });
  const full = page.facts.find(({ field }) => field === 'Full text')?.cell;
  const { pdf } = fetchPage(chain, record, {
    pdf: {
      label: `address of the full text of ${paper.title}, for the ${words} of station ${station}`,
      after: [`Title: ${titleOf(page)}`, '| Full text |'],
      kind: 'url',
      value: full?.kind === 'entity' ? full.url : '',
    },
  });
  return fetchPage(chain, pdf, {
    figure: {
      label: `${words} of station ${station} in ${paper.title}`,
      after: [`Title: ${slugOf(paper.title)}.pdf`, 'Samples by station', station],
      kind: 'number',
      ...(column === 0 ? {} : { skip: column }),
      value,
      ...(neighbour ? { wrong: column === 0 ? neighbour.samples : neighbour.depthM } : {}),
    },
  });
}

/** A feed at an address that the question gives: one step. */
export const feedDate: Template = {
  name: 'web-feed-date',
  type: 'web',
  turns: 2,
  write: ({ world, random, turn }) => {
    const order = random.pick(world.orders);
    const [title, truth, wrong] =
      turn === 0 ? [correctionHeading(order), order.corrected, order.printed] : [orderHeading(order), order.printed, order.corrected];
    const plan = draftPlan();
    const chain = plan.chain(`Find the day on which the Courier's feed published "${title}".`);
    const { day } = chain.step(
      { tool: 'web_fetch', arguments: { url: COURIER_FEED, find: title } },
      { day: { label: `day of the feed's item ${title}`, after: [`[${title}]`, 'Published:'], kind: 'date', value: truth, wrong } },
    );
    const question = worded(
      turn,
      `The Orvelland Courier has a feed at ${COURIER_FEED}. When did it carry the item "${title}"? Write the date as YYYY-MM-DD.`,
      `Look into the news feed ${COURIER_FEED}: which day does it give for "${title}"? Use the form YYYY-MM-DD.`,
    );
    return { question, truth, plan: plan.finish(question, v(day), truth) };
  },
};

/** A thread against the register: four steps in two chains. */
export const claimAgainstRegister: Template = {
  name: 'web-claim-against-register',
  type: 'web',
  turns: 2,
  write: ({ world, web, random, turn }) => {
    const dispute = random.pick(world.disputes.filter(({ about }) => about === (turn === 0 ? 'steps' : 'objects')));
    const [kind, field, site, right] =
      turn === 0
        ? (['lighthouse', 'Steps to the lamp', 'Harbour Almanac', world.lighthouses.find(({ name }) => name === dispute.of)?.steps] as const)
        : (['museum', 'Objects on record', 'Museum Register', world.museums.find(({ name }) => name === dispute.of)?.objects] as const);
    if (right === undefined) return undefined;
    const truth = turn === 0 ? dispute.claims[0] - right : right - dispute.claims[1];
    const page = web.page('thread', disputeHeading(dispute));
    const plan = draftPlan();
    const talk = plan.chain(`Find the ${turn === 0 ? 'higher' : 'lower'} of the two figures that people on Quayside Talk claim for ${dispute.of}.`);
    const url = search(talk, page, page.heading, { label: `address of the thread on ${dispute.of}` });
    const { claim } = fetchPage(talk, url, {
      claim: {
        label: `${turn === 0 ? 'higher' : 'lower'} claim about ${dispute.of}`,
        after: [`Title: ${titleOf(page)}`, turn === 0 ? 'the higher figure is right, which is' : 'It has never been more than'],
        kind: 'number',
        value: dispute.claims[turn === 0 ? 0 : 1],
        wrong: dispute.claims[turn === 0 ? 1 : 0],
      },
    });
    const register = plan.chain(`Find what the ${site} says about the ${field.toLowerCase()} of ${dispute.of}.`);
    const { figure } = visit(register, web, {
      page: web.page(kind, dispute.of),
      about: `${dispute.of}, against the thread`,
      reads: { figure: [field, `${field.toLowerCase()} of ${dispute.of}, for comparison`] },
    });
    const question = worded(
      turn,
      `On the board Quayside Talk two regulars disagree about how many steps ${dispute.of} has. By how much does the higher claim exceed the true number in the Harbour Almanac?`,
      `Quayside Talk has a thread about what ${dispute.of} holds in store. How far below the number of objects in the Museum Register lies the lower of the two claims made there?`,
    );
    const answer = turn === 0 ? op('subtract', v(claim), v(figure)) : op('subtract', v(figure), v(claim));
    return { question, truth: String(truth), plan: plan.finish(question, answer, truth) };
  },
};

const FOOT_M = 0.3048;
const NAUTICAL_MILE_KM = 1.852;

/** One figure in another unit: three steps. */
export const otherUnits: Template = {
  name: 'web-other-units',
  type: 'web',
  turns: 2,
  write: ({ world, web, random, turn }) => {
    const ship = random.pick(world.ships);
    const light = random.pick(world.lighthouses);
    const [kind, name, field, figure, unit, digits] =
      turn === 0
        ? (['ship', ship.name, 'Length', ship.lengthM, FOOT_M, 0] as const)
        : (['lighthouse', light.name, 'Range', light.rangeKm, NAUTICAL_MILE_KM, 1] as const);
    const scale = 10 ** digits;
    const truth = Math.round((figure / unit) * scale + 1e-9) / scale;
    const plan = draftPlan();
    const chain = plan.chain(`Find the ${field.toLowerCase()} of ${name} and convert it to ${turn === 0 ? 'feet' : 'nautical miles'}.`);
    const page = web.page(kind, name);
    const url = search(chain, page, name, { label: `address of the page on ${name}, for its ${field.toLowerCase()}` });
    const { metric } = fetchPage(chain, url, { metric: factOf(web, page, field, { label: `${field.toLowerCase()} of ${name} in metric units` }) });
    const converted = chain.calculate(`${field.toLowerCase()} of ${name}, converted`, op('divide', v(metric), c(unit)));
    const question = worded(
      turn,
      `A foot is 0.3048 metres. How many feet long is ${name} according to the Harbour Almanac, rounded to a whole number?`,
      `Taking a nautical mile as 1.852 kilometres, how many nautical miles does ${name} reach by the Harbour Almanac's figure? Round to one decimal.`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, rounded(v(converted), digits), truth) };
  },
};

/** A short address that redirects, and the town behind it: three steps. */
export const shortLink: Template = {
  name: 'web-short-link',
  type: 'web',
  turns: 2,
  write: ({ world, web, random, turn }) => {
    const museum = random.pick(world.museums);
    const address = shortAddress(world, museum);
    const page = web.page('museum', museum.name);
    const [field, truth] = turn === 0 ? (['Inhabitants', museum.town.population] as const) : (['Charter granted', museum.town.charteredYear] as const);
    const plan = draftPlan();
    const chain = plan.chain(`Open ${address}, see in which town that house stands, and find the ${field.toLowerCase()} of the town in the Townbook.`);
    const { town } = chain.step(
      { tool: 'web_fetch', arguments: { url: address } },
      { town: factOf(web, page, 'Town', { label: `town of the house behind ${address}, for ${field.toLowerCase()}` }) },
    );
    const { figure } = visit(chain, web, {
      page: web.page('town', museum.town.name),
      about: `the town behind ${address}`,
      ref: town,
      reads: { figure: [field, `${field.toLowerCase()} of the town behind ${address}`] },
    });
    const question = worded(
      turn,
      `A leaflet gives the short address ${address}. How many inhabitants does the Orvelland Townbook count in the town of the museum that it leads to?`,
      `Follow ${address} to the house it stands for. In which year, by the Orvelland Townbook, was its town granted a charter?`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, v(figure), truth) };
  },
};

/** Three exhibitions in order of a figure: six steps in three chains, and the answer is a list. */
export const exhibitionsInOrder: Template = {
  name: 'web-exhibitions-in-order',
  type: 'web',
  turns: 2,
  write: ({ world, web, random, turn }) => {
    const shows = distinct(random, world.exhibitions, 3);
    const figures = shows.map(({ visitors, opens, closes }) => (turn === 0 ? visitors : daysBetween(opens, closes)));
    const houses = shows.map(({ museum }) => museum.town.name);
    if (new Set(figures).size < 3 || new Set(houses).size < 3) return undefined;
    const order = turn === 0 ? 'descending' : 'ascending';
    const plan = draftPlan();
    const read = shows.map(({ title }) => {
      const chain = plan.chain(`Find the house of the exhibition "${title}" and ${turn === 0 ? 'how many visitors it had' : 'its first and last day'}.`);
      const labels = (words: string) => `${words} of the exhibition ${title}`;
      const page = web.page('exhibition', title);
      if (turn === 0) {
        const cells = visit(chain, web, { page, about: title, reads: { house: ['House', labels('house')], figure: ['Visitors', labels('visitors')] } });
        return { house: cells.house, figure: v(cells.figure) };
      }
      const reads = { house: ['House', labels('house')], opens: ['Opened on', labels('first day')], closes: ['Closed on', labels('last day')] } as const;
      const cells = visit(chain, web, { page, about: title, reads });
      return { house: cells.house, figure: { op: 'days-between', from: v(cells.opens), to: v(cells.closes) } as Formula };
    });
    const sign = order === 'ascending' ? 1 : -1;
    const truth = shows
      .map(({ museum }, i) => ({ name: museum.name, figure: figures[i] as number }))
      .sort((a, b) => sign * (a.figure - b.figure))
      .map(({ name }) => name)
      .join(', ');
    const titles = shows.map(({ title }) => `"${title}"`);
    const question = worded(
      turn,
      `Three exhibitions are in the Exhibition Calendar: ${titles.join(', ')}. Name the houses that showed them, the one with most visitors first, with commas between.`,
      `In which museums were ${titles[0]}, ${titles[1]} and ${titles[2]} to be seen? Sort them by how many days each show ran according to the Exhibition Calendar, shortest first, comma-separated.`,
    );
    const answer: Formula = { op: 'list', of: read.map(({ house }) => v(house)), order, by: read.map(({ figure }) => figure) };
    return { question, truth, plan: plan.finish(question, answer, truth) };
  },
};

/** Two bridges, marks a metre: six steps in two chains. */
export const bridgeCosts: Template = {
  name: 'web-bridge-costs',
  type: 'web',
  turns: 2,
  write: ({ world, web, random, turn }) => {
    const bridges = distinct(random, world.bridges, 2);
    const per = bridges.map(({ cost, lengthM }) => cost / lengthM) as [number, number];
    const difference = turn === 0 ? per[0] - per[1] : per[0] + per[1];
    if (difference < 1) return undefined;
    const truth = Math.round(difference + 1e-9);
    const plan = draftPlan();
    const ratios = bridges.map(({ name }) => {
      const chain = plan.chain(`Divide the cost of ${name} by its span, from the Bridge Survey.`);
      const page = web.page('bridge', name);
      const reads = { cost: ['Cost', `marks spent on ${name}`], span: ['Span', `span of ${name} in metres`] } as const;
      const cells = visit(chain, web, { page, about: `${name}, for its cost`, reads });
      return v(chain.calculate(`marks a metre of ${name}`, op('divide', v(cells.cost), v(cells.span))));
    });
    const [a, b] = bridges.map(({ name }) => name) as [string, string];
    const question = worded(
      turn,
      `How many marks more did a metre of ${a} cost than a metre of ${b}? Use cost and span from the Bridge Survey, and round the difference to whole marks.`,
      `Work out from the Bridge Survey what one metre of span cost at ${a} and what at ${b}. Add the two, rounded at the very end to whole marks.`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, rounded(op(turn === 0 ? 'subtract' : 'add', ...ratios), 0), truth) };
  },
};

/** Three clubs, the trainer of the oldest or the one with the largest ground: six steps in three chains. */
export const clubTrainer: Template = {
  name: 'web-club-trainer',
  type: 'web',
  turns: 2,
  write: ({ world, web, random, turn }) => {
    const clubs = distinct(random, world.clubs, 3);
    const figures = clubs.map(({ foundedYear, seats }) => (turn === 0 ? foundedYear : seats));
    if (new Set(figures).size < 3 || new Set(clubs.map(({ trainer }) => trainer.name)).size < 3) return undefined;
    const [field, words] = turn === 0 ? (['Founded', 'founding year'] as const) : (['Seats in the ground', 'seats'] as const);
    const wanted = turn === 0 ? Math.min(...figures) : Math.max(...figures);
    const truth = clubs[figures.indexOf(wanted)]?.trainer.name ?? '';
    const plan = draftPlan();
    const read = clubs.map(({ name }) => {
      const chain = plan.chain(`Find the trainer and the ${words} of ${name} in the League Annals.`);
      const reads = { trainer: ['Trainer', `trainer of ${name}, by ${words}`], figure: [field, `${words} of ${name}`] } as const;
      return visit(chain, web, { page: web.page('club', name), about: `${name}, for its ${words}`, reads });
    });
    const [a, b, d] = clubs.map(({ name }) => name) as [string, string, string];
    const question = worded(
      turn,
      `Who trains the club that was founded first among ${a}, ${b} and ${d}? The League Annals have trainers and years.`,
      `Of the grounds of ${a}, ${b} and ${d}, one has most seats. What is the name of the trainer of the side that plays there (League Annals)?`,
    );
    const answer: Formula = {
      op: 'first-by',
      order: turn === 0 ? 'smallest' : 'largest',
      of: read.map(({ trainer }) => v(trainer)),
      by: read.map(({ figure }) => v(figure)),
    };
    return { question, truth, plan: plan.finish(question, answer, truth) };
  },
};

/** Rows of a list that share a word, and their sum: two steps. */
export const townsOnRiver: Template = {
  name: 'web-towns-on-river',
  type: 'web',
  turns: 2,
  write: ({ world, web, random, turn }) => {
    const region = random.pick(world.regions);
    const towns = world.towns.filter((town) => town.region === region);
    const { river } = random.pick(towns);
    const wanted = towns.filter((town) => town.river === river);
    if (wanted.length < 2) return undefined;
    const truth = wanted.reduce((sum, { population }) => sum + population, 0);
    const page = web.page('list', `Towns of ${region}`);
    const plan = draftPlan();
    const chain = plan.chain(`Read rivers and inhabitants of the towns of ${region} in the Townbook; those on the ${river} are wanted.`);
    const url = search(chain, page, page.heading, { label: `address of the list of towns of ${region}, for the ${river}` });
    const sorted = [...towns].sort((a, b) => (a.name < b.name ? -1 : 1));
    const cells = fetchPage(
      chain,
      url,
      Object.fromEntries(
        sorted.flatMap(({ name }) => [
          [`${name}river`, cellOf(web, page, name, 'River', { label: `river at ${name}, looking for the ${river}` })],
          [`${name}people`, cellOf(web, page, name, 'Inhabitants', { label: `people in ${name}, looking for the ${river}` })],
        ]),
      ),
    );
    const answer: Formula = {
      op: 'where',
      of: sorted.map(({ name }) => v(cells[`${name}river`] as string)),
      test: 'equal',
      than: c(river),
      give: 'sum',
      pick: sorted.map(({ name }) => v(cells[`${name}people`] as string)),
    };
    const question = worded(
      turn,
      `How many people live in those towns of ${region} that lie on the ${river}, taken together? Use the list in the Orvelland Townbook.`,
      `Add up the inhabitants of all towns in ${region} through which the ${river} flows. The list of towns in the Townbook has both columns; what is the total?`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, answer, truth) };
  },
};
