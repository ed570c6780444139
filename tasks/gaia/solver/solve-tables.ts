// Questions about tables in documents: which rows and columns a question means, told by its words and by what the tables call them. One recipe a kind of
// question; a recipe gives every answer that fits, so that two rows of one name are seen.
import { cells, column, type Papers, pagesOf, type Table } from './papers.ts';
import { type Answer, combined, dayNumber, figure, same, total, type Wording } from './wording.ts';

export type DocumentRecipe = (asked: Wording, papers: Papers) => readonly Answer[] | Promise<readonly Answer[]>;

const figures = (texts: readonly string[]) => texts.map(figure);
const titled = (tables: readonly Table[], title: string | undefined) => tables.filter((table) => same(table.title, title));
const fileName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
/** The name of a file up to its first dash or dot. */
const stem = (path: string) => fileName(path).split(/[-.]/)[0] ?? '';

export const TABLE_RECIPES: Readonly<Record<string, DocumentRecipe>> = {
  'document-report-cell': (asked, papers) => {
    const [year = ''] = asked.told(/\b[Ii]n (\d{4})\b/, /volume for (\d{4})\b/);
    const wanted = asked.meant([
      [/objects lent out/, 'Loans'],
      [/pieces repaired/, 'Repairs'],
    ]);
    const tables = papers.with('House', wanted);
    // The contents page and the heads of the tables must speak of the same page, or two answers fit.
    const listed = [...papers.only('pdf').matchAll(/^Tables for (\d{4}): see page (\d+)/gm)].filter(([, of]) => of === year).map(([, , page]) => Number(page));
    const meant = tables.filter(({ title, page }) => title.includes(year) || (page !== undefined && listed.includes(page)));
    return asked.named(column(tables, 'House')).flatMap((house) => figures(cells(meant, 'House', house, wanted)));
  },
  'document-sheet-total': (asked, papers) => {
    const [season] = asked.told(/ in (\w+), all goods/, /sheet for (\w+)\./);
    const wanted = asked.meant([
      [/crates/, 'Crates'],
      [/kilograms/, 'Weight in kg'],
    ]);
    const sheets = titled(papers.with('Goods', 'Store', wanted), season);
    return sheets.flatMap((sheet) => asked.named(column([sheet], 'Store')).map((store) => total(figures(cells([sheet], 'Store', store, wanted)))));
  },
  'document-csv-count': (asked, papers) => {
    const [bound = ''] = asked.told(/more than ([\d,]+) tons/);
    return papers.with('Ship', 'Cargo').map((table) => figures(column([table], 'Cargo')).filter((cargo) => cargo > figure(bound)).length);
  },
  'document-csv-list': (asked, papers) => {
    const [bound = ''] = asked.told(/less than ([\d,]+) litres/);
    return papers.with('Lighthouse', 'Litres of oil').flatMap((table) => {
      const burnt = figures(column([table], 'Litres of oil'));
      const names = column([table], 'Lighthouse').filter((_, i) => (burnt[i] as number) < figure(bound));
      // By letters, and as an index has it: where the two differ, "from A to Z" says too little.
      return [[...names].sort(), [...names].sort((a, b) => a.localeCompare(b, 'en'))].map((list) => list.join(', '));
    });
  },
  'document-sheet-change': (_, papers) => {
    const sheets = papers.with('Club', 'Juniors').sort((a, b) => (a.title < b.title ? -1 : 1));
    const [early, late] = [sheets.slice(0, 1), sheets.slice(-1)];
    if (sheets.length !== 2) throw new Error(`two sheets of members are due, and there are ${sheets.length}`);
    const growths = column(early, 'Club').flatMap((club) =>
      combined([figures(cells(early, 'Club', club, 'Juniors')), figures(cells(late, 'Club', club, 'Juniors'))], (from, to) => ({
        club,
        by: (to as number) - (from as number),
      })),
    );
    const most = Math.max(...growths.map(({ by }) => by));
    return growths.filter(({ by }) => by === most).map(({ club }) => club);
  },
  'document-stock-value': (asked, papers) => {
    const [good = ''] = asked.told(/all the (.+?) in the stores of/, /is the (.+?) worth that is kept at/);
    const stock = papers.with('Goods', 'Crates');
    const stores = asked.named(stock.map(({ title }) => title));
    if (stores.length !== 2) throw new Error(`two stores are due, and the question names ${stores.join(', ')}`);
    const crates = stores.map((store) => figures(cells(titled(stock, store), 'Goods', good, 'Crates')));
    const [prices, fees] = [cells(papers.with('Goods', 'Price'), 'Goods', good, 'Price'), cells(papers.with('Goods', 'Fee'), 'Goods', good, 'Fee')].map(
      figures,
    );
    return combined(
      [...crates, prices ?? [], fees ?? []],
      (here = 0, there = 0, price = 0, fee = 0) => here * price + here * fee + there * price + there * fee,
    );
  },
  'document-two-ledgers': (asked, papers) => {
    const [month = ''] = asked.told(/wages for (\w+), and/, /how many pence does (\w+)'s surplus/);
    const [source = '', cause = ''] = asked.told(/ and (\w+) income minus (\w+) costs/, /left of the (\w+) takings after (\w+) is paid/);
    const ledgers = papers.with('Entry', 'Pence').filter(({ path }) => same(stem(path), month));
    const [tolls, wages] = ['Tolls', 'Wages'].map((entry) => figures(cells(ledgers, 'Entry', entry, 'Pence')));
    const income = figures(cells(papers.with('Source', 'Pence'), 'Source', source, 'Pence'));
    const costs = figures(cells(papers.with('Cause', 'Pence'), 'Cause', cause, 'Pence'));
    const sign = asked.meant([
      [/add up to/, 1],
      [/exceed/, -1],
    ]);
    return combined([tolls ?? [], wages ?? [], income, costs], (toll = 0, wage = 0, gained = 0, spent = 0) => toll - wage + sign * (gained - spent));
  },
  'document-cost-centre': (asked, papers) => {
    const charged = pagesOf(papers.only('pdf')).flatMap(({ paragraphs }) =>
      paragraphs.flatMap((paragraph) => {
        const [, bridge = '', centre = ''] = /^(.+): cost centre (\S+), /.exec(paragraph) ?? [];
        return centre === '' ? [] : [{ bridge, centre }];
      }),
    );
    const bridges = asked.named(charged.map(({ bridge }) => bridge));
    const centres = [...new Set(charged.filter(({ bridge }) => bridges.includes(bridge)).map(({ centre }) => centre))];
    const [fees] = papers.json('json') as [Record<string, { fee: number }>];
    return centres.flatMap((centre) => {
      const budget = titled(papers.with('Line', 'Amount', 'Currency'), centre);
      const amounts = ['Granted', 'Spent'].map((line) => figures(cells(budget, 'Line', line, 'Amount')));
      const currencies = [...new Set(['Granted', 'Spent'].flatMap((line) => cells(budget, 'Line', line, 'Currency')))];
      const rates = currencies.flatMap((currency) => figures(cells(papers.with('Currency', 'Marks'), 'Currency', currency, 'Marks')));
      const fee = fees[centre]?.fee;
      if (fee === undefined) throw new Error(`no fee is given for ${centre}`);
      // In hundredths, so that nothing is lost before it is rounded.
      return combined([...amounts, rates], (granted = 0, spent = 0, rate = 0) =>
        Math.floor(((granted - spent) * Math.round(rate * 100) - fee * 100 + 50) / 100),
      );
    });
  },
  'document-arrivals': (asked, papers) => {
    const pair = asked.told(/How many days after (.+?) does (.+?) come in\?/, /^(.+?) reaches port before (.+?) once delays/);
    const [delays] = papers.json('json') as [Record<string, { days: number }>];
    const timetable = papers.with('Ship', 'Leaves on', 'Days at sea');
    const [first, second] = pair.map((ship) => {
      const late = delays[ship]?.days;
      if (late === undefined) throw new Error(`no delay is given for ${ship}`);
      return combined(
        [cells(timetable, 'Ship', ship, 'Leaves on').map(dayNumber), figures(cells(timetable, 'Ship', ship, 'Days at sea'))],
        (day = 0, sea = 0) => day + sea + late,
      );
    });
    return combined([first ?? [], second ?? []], (from = 0, to = 0) => to - from);
  },
  'document-sheet-colours': (asked, papers) => {
    const [colour = ''] = asked.told(/in (\w+) rows/, /in the (\w+) lines/, /on a (\w+) ground/);
    const sheets = papers.with('Ship', 'Tons').filter(({ hidden }) => !hidden);
    return sheets.map((sheet) => {
      const rows = sheet.rows.filter((row) => row.colour === colour);
      if (rows.length === 0) throw new Error(`no row is ${colour}`);
      return total(rows.map((row) => figure(row.cells[sheet.columns.indexOf('Tons')] ?? '')));
    });
  },
  'document-merged-regions': (asked, papers) => {
    const pair = asked.told(/result for (.+?) exceed that for (.+?)\?/, /load of (.+?) and of (.+?) each by/);
    const [first, second] = pair.map((station) => {
      const factors = cells(papers.with('Region', 'Station'), 'Station', station, 'Region').flatMap((region) =>
        figures(cells(papers.with('Region', 'Factor'), 'Region', region, 'Factor')),
      );
      return combined([factors, figures(cells(papers.with('Station', 'Tons'), 'Station', station, 'Tons'))], (factor = 0, tons = 0) => factor * tons);
    });
    const sign = asked.meant([
      [/exceed/, -1],
      [/add the two products/, 1],
    ]);
    return combined([first ?? [], second ?? []], (a = 0, b = 0) => a + sign * b);
  },
};
