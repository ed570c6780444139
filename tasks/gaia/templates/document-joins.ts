// Document tasks across several attachments, six steps each: stock times price, two ledgers, a cost centre followed through four files, two arrivals.
import { archiveFile } from '../documents/archive.ts';
import { pdfFile } from '../documents/pdf.ts';
import { cellRead, type SheetTable } from '../documents/table.ts';
import { agedCsvFile, csvText, jsonFile, textFile } from '../documents/text-files.ts';
import { workbookFile } from '../documents/workbook.ts';
import { draftPlan, op, rounded, v } from '../plan-draft.ts';
import { distinct, type Template, worded } from '../template.ts';
import { fillerParagraph } from '../web/filler.ts';
import { addDays, daysBetween } from '../world/calendar.ts';

const GOODS = ['Lamp oil', 'Rope', 'Canvas', 'Tar', 'Copper nails', 'Slate', 'Salt', 'Timber', 'Wool'];

/** Amounts from two sheets, price from a PDF and a CSV file: two chains. */
export const stockValue: Template = {
  name: 'document-stock-value',
  type: 'document',
  write: async ({ world, random, turn }) => {
    const goods = distinct(random, GOODS, 7);
    const asked = random.pick(goods.slice(1, -1));
    const stores = distinct(random, world.towns, 3).map(({ name }) => name);
    const sheets = stores.map(
      (name): SheetTable => ({
        name,
        columns: ['Goods', 'Crates', 'Checked on'],
        rows: goods.map((good) => [good, random.integer(24, 380), addDays('2026-01-02', random.integer(0, 90))]),
      }),
    );
    const [first, second] = sheets as [SheetTable, SheetTable];
    const prices: SheetTable = { name: 'Prices a crate', columns: ['Goods', 'Price'], rows: goods.map((good) => [good, random.integer(110, 960)]) };
    const fees: SheetTable = {
      name: 'fees',
      columns: ['Goods', 'Fee', 'Payer'],
      rows: goods.map((good) => [good, random.integer(12, 88), random.pick(['buyer', 'store'])]),
    };
    const cell = (table: SheetTable, column: string) => table.rows.find(([good]) => good === asked)?.[table.columns.indexOf(column)] as number;
    const truth = (cell(first, 'Crates') + cell(second, 'Crates')) * (cell(prices, 'Price') + cell(fees, 'Fee'));
    const where = `${stores[0]} and ${stores[1]}`;
    const plan = draftPlan();
    const amounts = plan.chain(`Add up the crates of ${asked} in the stores of ${where} from the attached workbook.`);
    const [a, b] = [first, second].map(
      (sheet) =>
        amounts.step(
          { tool: 'read_spreadsheet', arguments: { file: 'attachment-1.xlsx', sheet: sheet.name } },
          { crates: cellRead('xlsx', sheet, asked, 'Crates', `crates of ${asked} at ${sheet.name}`) },
        ).crates,
    ) as [string, string];
    const crates = amounts.calculate(`crates of ${asked} at ${where}`, op('add', v(a), v(b)));
    const cost = plan.chain(
      `Work out what a crate of ${asked} costs with its fee, for the stores of ${where}: price in the attached PDF, fee in the CSV file.`,
    );
    const { price } = cost.step(
      { tool: 'read_pdf', arguments: { file: 'attachment-2.pdf' } },
      { price: cellRead('pdf', prices, asked, 'Price', `price of a crate of ${asked} for ${where}`) },
    );
    const { fee } = cost.step(
      { tool: 'read_text', arguments: { file: 'attachment-3.csv' } },
      { fee: cellRead('csv', fees, asked, 'Fee', `fee for a crate of ${asked} for ${where}`) },
    );
    const each = cost.calculate(`cost of a crate of ${asked} with its fee, for ${where}`, op('add', v(price), v(fee)));
    const good = asked.toLowerCase();
    const question = worded(
      turn,
      `A merchant buys all the ${good} in the stores of ${where}. What does it cost, in pence, when to the price of each crate (PDF) its fee (CSV) is added? The stores' stock is in the workbook.`,
      `Three files are attached: stock, prices, fees. Taking price plus fee for every single crate, how many pence is the ${good} worth that is kept at ${where} together?`,
    );
    const attachments = [
      await workbookFile(sheets, 'Stock'),
      await pdfFile('Price list', [{ heading: 'Price list', paragraphs: [fillerParagraph(random)], tables: [prices] }]),
      agedCsvFile(csvText(fees), 'utf-8 with mark'),
    ];
    return { question, truth: String(truth), plan: plan.finish(question, op('multiply', v(crates), v(each)), truth), attachments };
  },
};

/** A ledger inside an archive, found by its listing, and a workbook: two chains. */
export const twoLedgers: Template = {
  name: 'document-two-ledgers',
  type: 'document',
  write: async ({ world, random, turn }) => {
    const months = distinct(random, ['january', 'february', 'march', 'april', 'may', 'june'], 3);
    const clerks = distinct(random, world.persons, 3).map(({ name }) => (name.split(' ')[1] as string).toLowerCase());
    const ledger = (): SheetTable => ({
      name: 'ledger',
      columns: ['Entry', 'Pence', 'Paid by'],
      rows: ['Tolls', 'Wages', 'Repairs', 'Fines', 'Rent'].map((entry) => [entry, random.integer(10_200, 88_000), random.pick(['cash', 'bank'])]),
    });
    const books = months.map(() => ledger());
    const [month, book] = [months[1], books[1]] as [string, SheetTable];
    const [income, costs] = [
      {
        name: 'Income',
        columns: ['Source', 'Pence', 'Note'],
        rows: ['Ferry', 'Market', 'Mooring'].map((source) => [source, random.integer(20_500, 96_000), 'final']),
      },
      { name: 'Costs', columns: ['Cause', 'Pence', 'Note'], rows: ['Coal', 'Crew', 'Paint'].map((cause) => [cause, random.integer(1_100, 19_000), 'final']) },
    ] as [SheetTable, SheetTable];
    const source = random.pick(['Ferry', 'Market', 'Mooring']);
    const cause = random.pick(['Coal', 'Crew', 'Paint']);
    const cell = (table: SheetTable, key: string) => table.rows.find(([first]) => first === key)?.[1] as number;
    const left = cell(book, 'Tolls') - cell(book, 'Wages');
    const right = cell(income, source) - cell(costs, cause);
    const truth = turn === 0 ? left + right : left - right;
    if (left <= 0 || right <= 0 || truth <= 100) return undefined;
    const plan = draftPlan();
    const archive = plan.chain(`Work out tolls less wages of ${month} from the ledger in the attached archive, to set beside ${source} and ${cause}.`);
    const listed = archive.step(
      { tool: 'list_archive', arguments: { file: 'attachment-1.zip' } },
      {
        clerk: {
          label: `clerk in the name of the ${month} ledger, beside ${source} and ${cause}`,
          after: [`books/${month}-`],
          kind: 'text',
          until: ['.csv'],
          value: clerks[1] as string,
        },
      },
    );
    const read = archive.step(
      { tool: 'read_text', arguments: { file: `attachment-1.zip!/books/${month}-{{${listed.clerk}}}.csv` } },
      {
        tolls: cellRead('csv', book, 'Tolls', 'Pence', `tolls in the ${month} ledger, beside ${source} and ${cause}`),
        wages: cellRead('csv', book, 'Wages', 'Pence', `wages in the ${month} ledger, beside ${source} and ${cause}`),
      },
    );
    const surplus = archive.calculate(`tolls less wages of ${month}, beside ${source} and ${cause}`, op('subtract', v(read.tolls), v(read.wages)));
    const workbook = plan.chain(`Work out the income from ${source} less the costs of ${cause} from the attached workbook, to set beside ${month}.`);
    const gained = workbook.step(
      { tool: 'read_spreadsheet', arguments: { file: 'attachment-2.xlsx', sheet: 'Income' } },
      { pence: cellRead('xlsx', income, source, 'Pence', `income from ${source}, beside ${month}`) },
    );
    const spent = workbook.step(
      { tool: 'read_spreadsheet', arguments: { file: 'attachment-2.xlsx', sheet: 'Costs' } },
      { pence: cellRead('xlsx', costs, cause, 'Pence', `costs of ${cause}, beside ${month}`) },
    );
    const margin = workbook.calculate(`income from ${source} less costs of ${cause}, beside ${month}`, op('subtract', v(gained.pence), v(spent.pence)));
    const monthName = (month[0] as string).toUpperCase() + month.slice(1);
    const question = worded(
      turn,
      `The archive holds one ledger a month, the workbook income and costs. Take tolls minus wages for ${monthName}, and ${source.toLowerCase()} income minus ${cause.toLowerCase()} costs. What do the two remainders add up to, in pence?`,
      `By how many pence does ${monthName}'s surplus of tolls over wages (see the zipped books) exceed what is left of the ${source.toLowerCase()} takings after ${cause.toLowerCase()} is paid (see the spreadsheet)?`,
    );
    const members = Object.fromEntries(months.map((name, i) => [`books/${name}-${clerks[i]}.csv`, textFile('csv', csvText(books[i] as SheetTable))]));
    const attachments = [
      archiveFile({ ...members, 'books/note.txt': textFile('txt', fillerParagraph(random)) }),
      await workbookFile([income, costs], 'Accounts'),
    ];
    return { question, truth: String(truth), plan: plan.finish(question, op(turn === 0 ? 'add' : 'subtract', v(surplus), v(margin)), truth), attachments };
  },
};

/** Memo, budget sheet, rates, fees: one chain through four files. */
export const costCentre: Template = {
  name: 'document-cost-centre',
  type: 'document',
  write: async ({ world, random, turn }) => {
    const bridges = distinct(random, world.bridges, 4);
    const centres = distinct(random, ['K-417', 'K-428', 'K-533', 'K-562', 'K-671', 'K-684'], 4);
    const currencies = distinct(random, ['crowns', 'thalers', 'guilders', 'florins'], 4);
    const asked = random.integer(0, 3);
    const [centre, bridge, currency] = [centres[asked], bridges[asked], currencies[asked]] as [string, (typeof bridges)[number], string];
    const sheets = centres.map(
      (name, i): SheetTable => ({
        name,
        columns: ['Line', 'Amount', 'Currency'],
        rows: [
          ['Granted', random.integer(41_000, 92_000), currencies[i] as string],
          ['Spent', random.integer(12_000, 39_000), currencies[i] as string],
        ],
      }),
    );
    const rates: SheetTable = {
      name: 'rates',
      columns: ['Currency', 'Marks', 'Quoted at'],
      rows: currencies.map((name) => [name, random.integer(105, 890) / 100, 'noon']),
    };
    const fees = Object.fromEntries(centres.map((name) => [name, { fee: random.integer(110, 980), clerk: random.pick(world.persons).name }]));
    const sheet = sheets[asked] as SheetTable;
    const [granted, spent] = sheet.rows.map((row) => row[1]) as [number, number];
    const rate = rates.rows.find(([name]) => name === currency)?.[1] as number;
    const fee = fees[centre]?.fee ?? 0;
    const truth = Math.round((granted - spent) * rate - fee);
    const what = `the repair of ${bridge.name}`;
    const other = centres[(asked + 1) % 4] as string;
    const plan = draftPlan();
    const chain = plan.chain(`Work out in marks what is left for ${what} once the fee is paid: memo, budget, rates and fees are attached.`);
    const { code } = chain.step(
      { tool: 'read_pdf', arguments: { file: 'attachment-1.pdf' } },
      { code: { label: `cost centre of ${what}`, after: [`${bridge.name}: cost centre`], kind: 'text', until: [',', '\n'], value: centre, wrong: other } },
    );
    const amount = (line: string) => ({
      ...cellRead('xlsx', sheet, line, 'Amount', `amount ${line.toLowerCase()} for ${what}`),
      after: [`Sheet "{{${code}}}"`, `: ${line} |`],
    });
    const budget = chain.step(
      { tool: 'read_spreadsheet', arguments: { file: 'attachment-2.xlsx', sheet: `{{${code}}}` } },
      {
        granted: amount('Granted'),
        spent: amount('Spent'),
        currency: {
          label: `currency of the budget for ${what}`,
          after: [`Sheet "{{${code}}}"`, ': Granted |', '|'],
          kind: 'text',
          until: ['|', '\n'],
          value: currency,
        },
      },
    );
    const left = chain.calculate(`amount left for ${what}`, op('subtract', v(budget.granted), v(budget.spent)));
    const quoted = chain.step(
      { tool: 'read_text', arguments: { file: 'attachment-3.csv' } },
      {
        rate: {
          label: `rate of the currency for ${what}`,
          after: [`{{${budget.currency}}},`],
          kind: 'number',
          value: rate,
          wrong: rates.rows.find(([name]) => name !== currency)?.[1] as number,
        },
      },
    );
    const marks = chain.calculate(`amount left for ${what}, in marks`, op('multiply', v(left), v(quoted.rate)));
    const charged = chain.step(
      { tool: 'read_text', arguments: { file: 'attachment-4.json' } },
      { fee: { label: `fee of the cost centre of ${what}`, after: [`"{{${code}}}":`, '"fee":'], kind: 'number', value: fee, wrong: fees[other]?.fee ?? 0 } },
    );
    const question = worded(
      turn,
      `The memo says to which cost centre ${what} is charged. How many marks are left of its budget, converted at the attached rate and after the centre's fee in marks is taken off? Round to whole marks.`,
      `What remains for ${what}? Find the cost centre in the PDF, subtract what was spent from what was granted, change the rest into marks, and deduct the fee that the JSON file gives. A whole number is wanted.`,
    );
    const memo = {
      heading: 'Memo to the works office',
      paragraphs: [
        fillerParagraph(random),
        ...bridges.map(({ name }, i) => `${name}: cost centre ${centres[i]}, to be charged monthly.`),
        fillerParagraph(random),
      ],
    };
    const attachments = [await pdfFile('Memo', [memo]), await workbookFile(sheets, 'Budget'), textFile('csv', csvText(rates)), jsonFile(fees)];
    return { question, truth: String(truth), plan: plan.finish(question, rounded(op('subtract', v(marks), v(charged.fee)), 0), truth), attachments };
  },
};

/** Departure and passage from a timetable, delay from a log: two chains. */
export const arrivals: Template = {
  name: 'document-arrivals',
  type: 'document',
  write: async ({ world, random, turn }) => {
    const ships = distinct(random, world.ships, 8);
    const timetable: SheetTable = {
      name: 'Departures',
      columns: ['Ship', 'Leaves on', 'Days at sea'],
      rows: ships.map(({ name }) => [name, addDays('2026-02-01', random.integer(0, 300)), random.integer(6, 48)]),
    };
    const delays = Object.fromEntries(ships.map(({ name }) => [name, { cause: random.pick(['fog', 'ice', 'repairs']), days: random.integer(2, 19) }]));
    const pair = distinct(random, ships, 2).map(({ name }) => name) as [string, string];
    const arrival = (name: string) => {
      const [, leaves, days] = timetable.rows.find(([ship]) => ship === name) as [string, string, number];
      return addDays(leaves, days + (delays[name]?.days ?? 0));
    };
    const truth = daysBetween(arrival(pair[0]), arrival(pair[1]));
    if (truth < 11) return undefined;
    const plan = draftPlan();
    const days = pair.map((name, i) => {
      const beside = pair[1 - i];
      const chain = plan.chain(
        `Find out when ${name} leaves and how many days it needs with its delay (beside ${beside}), from the attached timetable and the file of delays.`,
      );
      const row = chain.step(
        { tool: 'read_pdf', arguments: { file: 'attachment-1.pdf' } },
        {
          leaves: cellRead('pdf', timetable, name, 'Leaves on', `departure of ${name}, beside ${beside}`),
          passage: { ...cellRead('pdf', timetable, name, 'Days at sea', `days at sea of ${name}, beside ${beside}`), skip: 3 },
        },
      );
      const late = chain.step(
        { tool: 'read_text', arguments: { file: 'attachment-2.json' } },
        {
          days: {
            label: `delay of ${name}, beside ${beside}`,
            after: [`"${name}":`, '"days":'],
            kind: 'number',
            value: delays[name]?.days ?? 0,
            wrong: delays[beside as string]?.days ?? 0,
          },
        },
      );
      const total = chain.calculate(`days needed by ${name}, beside ${beside}`, op('add', v(row.passage), v(late.days)));
      return { op: 'add-days' as const, of: v(row.leaves), days: v(total) };
    });
    const question = worded(
      turn,
      `The timetable gives departures and days at sea, the JSON file delays in days. How many days after ${pair[0]} does ${pair[1]} come in?`,
      `${pair[0]} reaches port before ${pair[1]} once delays are added to the time at sea. What is the difference between their arrivals in days, from the two attached files?`,
    );
    const [from, to] = days as [(typeof days)[number], (typeof days)[number]];
    const pdf = await pdfFile('Timetable', [{ heading: 'Timetable', paragraphs: [fillerParagraph(random)], tables: [timetable] }]);
    return { question, truth: String(truth), plan: plan.finish(question, { op: 'days-between', from, to }, truth), attachments: [pdf, jsonFile(delays)] };
  },
};
