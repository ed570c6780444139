// Web tasks of two or three short chains that can be worked on side by side: what joins them is arithmetic in the head.
import type { Formula } from '../../plan.ts';
import { c, draftPlan, op, rounded, v } from '../plan-draft.ts';
import { distinct, type Setting, type Template, worded } from '../template.ts';
import { correctionHeading, orderHeading } from '../web/news-pages.ts';
import { cellOf, fetchPage, search, visit } from '../web/readings.ts';
import { daysBetween } from '../world/calendar.ts';
import { YEARS, type Yearly } from '../world/world.ts';

/** Two dates from two pages: four steps. */
export const daysApart: Template = {
  name: 'web-days-apart',
  type: 'web',
  turns: 3,
  write: (setting) => {
    const { web, turn } = setting;
    const [first, second] = datedThings(setting);
    const truth = daysBetween(first.day, second.day);
    if (truth < 30) return undefined;
    const plan = draftPlan();
    const days = [first, second].map(({ kind, name, field, words, site }) => {
      const chain = plan.chain(`Find the day ${words} in the ${site}.`);
      return visit(chain, web, { page: web.page(kind, name), about: name, reads: { day: [field, `day ${words}`] } }).day;
    }) as [string, string];
    const question = worded(
      turn,
      `How many days passed between the day ${first.words} and the day ${second.words}? Both dates stand in the Harbour Almanac.`,
      `Take the opening to the public of ${first.name} from the Museum Register and the opening to traffic of ${second.name} from the Bridge Survey. By how many days do they differ?`,
      `${first.name} came out first, and later ${second.name} was launched. Using the Bookshelf Index and the Harbour Almanac, count the days from one to the other.`,
    );
    const answer: Formula = { op: 'days-between', from: v(days[0]), to: v(days[1]) };
    return { question, truth: String(truth), plan: plan.finish(question, answer, truth) };
  },
};

interface Dated {
  readonly kind: 'ship' | 'lighthouse' | 'museum' | 'bridge' | 'book';
  readonly name: string;
  readonly day: string;
  readonly field: string;
  readonly words: string;
  readonly site: string;
}

function datedThings({ world, random, turn }: Setting): [Dated, Dated] {
  const ship = random.pick(world.ships);
  const light = random.pick(world.lighthouses);
  const museum = random.pick(world.museums);
  const bridge = random.pick(world.bridges);
  const book = random.pick(world.books);
  const launch: Dated = {
    kind: 'ship',
    name: ship.name,
    day: ship.launched,
    field: 'Launched',
    words: `on which ${ship.name} was launched`,
    site: 'Harbour Almanac',
  };
  switch (turn % 3) {
    case 0:
      return [
        {
          kind: 'lighthouse',
          name: light.name,
          day: light.firstLit,
          field: 'First lit',
          words: `on which ${light.name} was first lit`,
          site: 'Harbour Almanac',
        },
        launch,
      ];
    case 1:
      return [
        { kind: 'museum', name: museum.name, day: museum.opened, field: 'Opened', words: `on which ${museum.name} opened`, site: 'Museum Register' },
        {
          kind: 'bridge',
          name: bridge.name,
          day: bridge.opened,
          field: 'Opened to traffic',
          words: `on which ${bridge.name} was opened to traffic`,
          site: 'Bridge Survey',
        },
      ];
    default:
      return [
        {
          kind: 'book',
          name: book.title,
          day: book.published,
          field: 'Date of publication',
          words: `on which ${book.title} was published`,
          site: 'Bookshelf Index',
        },
        launch,
      ];
  }
}

/** Two firms, a change over years each: six steps. */
export const firmChanges: Template = {
  name: 'web-firm-changes',
  type: 'web',
  turns: 3,
  write: ({ world, web, random, turn }) => {
    const firms = distinct(random, world.firms, 2);
    const [from, to] = distinct(random, YEARS, 2).sort() as [number, number];
    const column = turn === 2 ? 'Turnover in thousand marks' : 'Staff';
    const words = turn === 2 ? 'turnover' : 'staff';
    const figures = firms.map((firm) => (turn === 2 ? firm.turnover : firm.staff));
    const [first, second] = figures.map((byYear) => (byYear[to] as number) - (byYear[from] as number)) as [number, number];
    const truth = turn === 1 ? first + second : first - second;
    if (first <= 0 || second <= 0 || truth <= 0) return undefined;
    const plan = draftPlan();
    const changes = firms.map(({ name }) => {
      const chain = plan.chain(`Work out by how much the ${words} of ${name} grew from ${from} to ${to}, from the Ledger of Firms.`);
      const page = web.page('firm', name);
      const url = search(chain, page, name, { label: `address of the ledger page on ${name}, for its ${words}` });
      const cells = fetchPage(chain, url, {
        early: cellOf(web, page, String(from), column, { label: `${words} of ${name} in ${from}` }),
        late: cellOf(web, page, String(to), column, { label: `${words} of ${name} in ${to}` }),
      });
      return chain.calculate(`growth of the ${words} of ${name} from ${from} to ${to}`, op('subtract', v(cells.late), v(cells.early)));
    });
    const [a, b] = firms.map(({ name }) => name) as [string, string];
    const question = worded(
      turn,
      `Between ${from} and ${to} both ${a} and ${b} took on people. How many more did ${a} add to its staff than ${b}, by the Ledger of Firms?`,
      `The Ledger of Firms has yearly staff figures. Add up how many posts ${a} and ${b} created together when ${to} is compared to ${from}.`,
      `By how many thousand marks was the rise in turnover at ${a} from ${from} to ${to} greater than at ${b}? The figures filed with the Ledger of Firms count.`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, op(turn === 1 ? 'add' : 'subtract', ...changes.map(v)), truth) };
  },
};

/** Two museums, a sum or mean of three years each: six steps. */
export const museumYears: Template = {
  name: 'web-museum-years',
  type: 'web',
  turns: 3,
  write: ({ world, web, random, turn }) => {
    const museums = distinct(random, world.museums, 2);
    const start = random.integer(0, 3);
    const years = YEARS.slice(start, start + 3);
    const total = (visitors: Yearly) => years.reduce((sum, year) => sum + (visitors[year] as number), 0);
    const [first, second] = museums.map(({ visitors }) => total(visitors)) as [number, number];
    if (first <= second) return undefined;
    const truth = turn === 1 ? Math.round((first / second) * 100) / 100 : turn === 2 ? first + second : first - second;
    const plan = draftPlan();
    const sums = museums.map(({ name }) => {
      const chain = plan.chain(`Add up the visitors of ${name} in the years ${years.join(', ')} from the Museum Register.`);
      const page = web.page('museum', name);
      const url = search(chain, page, name, { label: `address of the register page with the visitors of ${name}` });
      const reads = Object.fromEntries(
        years.map((year) => [`in${year}`, cellOf(web, page, String(year), 'Visitors', { label: `visitors of ${name} in ${year}` })]),
      );
      const cells = fetchPage(chain, url, reads);
      return v(chain.calculate(`visitors of ${name} over ${years.join(', ')}`, op('add', ...Object.values(cells).map(v))));
    });
    const [a, b] = museums.map(({ name }) => name) as [string, string];
    const question = worded(
      turn,
      `Counting ${years[0]} up to and including ${years[2]}, how many more visitors did ${a} have than ${b}? Only the Museum Register's own yearly numbers count.`,
      `Divide the number of people who came to ${a} in the three years from ${years[0]} by the number who came to ${b} in the same years (Museum Register). Round to two decimals.`,
      `${b} and ${a} sell a joint pass. What was their combined attendance over the years ${years.join(', ')}, as the current register of museums has it?`,
    );
    const answer = turn === 1 ? rounded(op('divide', ...sums), 2) : op(turn === 2 ? 'add' : 'subtract', ...sums);
    return { question, truth: String(truth), plan: plan.finish(question, answer, truth) };
  },
};

/** Two festivals, marks spent a guest each: six steps. */
export const festivalCosts: Template = {
  name: 'web-festival-costs',
  type: 'web',
  turns: 3,
  write: ({ world, web, random, turn }) => {
    const festivals = distinct(random, world.festivals, 2);
    const per = festivals.map(({ budget, guests, stages }) => (turn === 1 ? guests / stages : budget / guests)) as [number, number];
    const difference = per[0] - per[1];
    if (difference < 0.5) return undefined;
    const digits = turn === 1 ? 0 : 2;
    const [over, under, words] =
      turn === 1 ? (['Guests counted', 'Stages', 'guests a stage'] as const) : (['Budget', 'Guests counted', 'marks a guest'] as const);
    const plan = draftPlan();
    const ratios = festivals.map(({ name }) => {
      const chain = plan.chain(`Work out the ${words} of ${name} from the Festival Diary.`);
      const { top, bottom } = visit(chain, web, {
        page: web.page('festival', name),
        about: name,
        reads: { top: [over, `${over.toLowerCase()} of ${name}`], bottom: [under, `${under.toLowerCase()} of ${name}`] },
      });
      return v(chain.calculate(`${words} of ${name}`, op('divide', v(top), v(bottom))));
    });
    const answer = rounded(op('subtract', ...ratios), digits);
    const scale = 10 ** digits;
    const truth = Math.round(difference * scale + 1e-9) / scale;
    const [a, b] = festivals.map(({ name }) => name) as [string, string];
    const question = worded(
      turn,
      `How many marks more did ${a} spend on each guest than ${b}, if the Festival Diary's budgets and counts of guests are right? Give two decimals.`,
      `For the two festivals ${a} and ${b}, divide guests by stages with the Festival Diary's figures. What is the difference, as a whole number?`,
      `Compare two entries of the Festival Diary: ${b} is the cheaper one, ${a} the dearer. What is the gap between their budgets per guest, in marks and rounded to hundredths?`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, answer, truth) };
  },
};

/** Three papers, one figure each: six steps in three chains. */
export const paperTotals: Template = {
  name: 'web-paper-totals',
  type: 'web',
  turns: 3,
  write: ({ world, web, random, turn }) => {
    const papers = distinct(random, world.papers, 3);
    const plan = draftPlan();
    const read = (index: number, reads: Record<string, readonly [string, string]>, words: string) => {
      const paper = papers[index] as (typeof papers)[number];
      const chain = plan.chain(`Find the ${words} of the paper "${paper.title}" in Open Shore Papers.`);
      return visit(chain, web, { page: web.page('paper', paper.title), about: paper.title, reads });
    };
    const titles = papers.map(({ title }) => `"${title}"`);
    if (turn === 1) {
      const waits = papers.map(({ received, accepted }) => daysBetween(received, accepted));
      const truth = Math.max(...waits);
      const days = papers.map(({ title }, i): Formula => {
        const dates = read(
          i,
          { received: ['Received', `day on which ${title} was received`], accepted: ['Accepted', `day on which ${title} was accepted`] },
          'dates of receipt and acceptance',
        );
        return { op: 'days-between', from: v(dates.received as string), to: v(dates.accepted as string) };
      });
      const question = worded(
        turn,
        '',
        `Of the notes ${titles.join(', ')}, one waited longest from receipt to acceptance. How many days was that, by the records of Open Shore Papers?`,
      );
      return { question, truth: String(truth), plan: plan.finish(question, op('maximum', ...days), truth) };
    }
    const field = turn === 0 ? 'Samples' : 'Field sites';
    const figures = papers.map(({ samples, sites }) => (turn === 0 ? samples : sites));
    const truth = figures.reduce((sum, figure) => sum + figure, 0);
    const values = papers.map(({ title }, i) =>
      v(read(i, { figure: [field, `${field.toLowerCase()} of ${title}`] }, `number of ${field.toLowerCase()}`).figure as string),
    );
    const question = worded(
      turn,
      `How many samples do the three papers ${titles.join(', ')} rest on in total? Use their records in Open Shore Papers.`,
      '',
      `Three teams wrote ${titles.join(', ')}. If no place was used twice, at how many field sites did they work altogether, going by the open collection's records?`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, op('add', ...values), truth) };
  },
};

/** An article, its correction and the ledger: six steps in three chains. */
export const correctedOrder: Template = {
  name: 'web-corrected-order',
  type: 'web',
  turns: 2,
  write: ({ world, web, random, turn }) => {
    const order = random.pick(world.orders);
    const { firm, town, goods } = order;
    const year = random.pick(YEARS);
    const share = (order.pieces * order.unitPrice * 100) / ((firm.turnover[year] as number) * 1_000);
    const perHead = (order.pieces * order.unitPrice) / (firm.staff[year] as number);
    const truth = Math.round((turn === 0 ? share : perHead) * 10 + 1e-9) / 10;
    const column = turn === 0 ? 'Turnover in thousand marks' : 'Staff';
    const words = turn === 0 ? 'turnover' : 'staff';
    const plan = draftPlan();
    const report = plan.chain(`Find the price of a piece in the Orvelland Courier's report on the order of ${town.name} for ${goods} at ${firm.name}.`);
    const { price } = visit(report, web, {
      page: web.page('article', orderHeading(order)),
      about: `the ${town.name} order at ${firm.name}`,
      reads: { price: ['Price of a piece', `price of a piece in the ${town.name} order at ${firm.name}`] },
    });
    const correction = plan.chain(`Find the right number of pieces in the correction that the Orvelland Courier printed on ${firm.name} and ${town.name}.`);
    const { pieces } = visit(correction, web, {
      page: web.page('article', correctionHeading(order)),
      about: `the correction on ${firm.name} and ${town.name}`,
      reads: { pieces: ['Right number of pieces', `pieces in the ${town.name} order at ${firm.name}, corrected`] },
    });
    const ledger = plan.chain(`Find the ${words} of ${firm.name} in ${year} in the Ledger of Firms.`);
    const page = web.page('firm', firm.name);
    const url = search(ledger, page, firm.name, { label: `address of the ledger page of ${firm.name}, for the ${town.name} order` });
    const { figure } = fetchPage(ledger, url, {
      figure: cellOf(web, page, String(year), column, { label: `${words} of ${firm.name} in ${year}, for the ${town.name} order` }),
    });
    const value = op('multiply', v(pieces), v(price));
    const answer =
      turn === 0 ? rounded(op('divide', op('multiply', value, c(100)), op('multiply', v(figure), c(1_000))), 1) : rounded(op('divide', value, v(figure)), 1);
    const question = worded(
      turn,
      `The Orvelland Courier reported that ${town.name} ordered ${goods} from ${firm.name}, and later put a misprint right. What percentage of the turnover that the firm filed with the Ledger of Firms for ${year} is the corrected order worth? One decimal.`,
      `${firm.name} got an order for ${goods} from ${town.name}; mind the correction that the Courier printed afterwards. Divided by everyone on the firm's staff in ${year} (Ledger of Firms), how many marks is the order per head, to one decimal?`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, answer, truth) };
  },
};
