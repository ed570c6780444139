// Document tasks on one table: a cell of a PDF report, a total by condition, a count over a CSV file, the largest change between two sheets.
import type { Formula } from '../../plan.ts';
import { pdfFile, type ReportPage } from '../documents/pdf.ts';
import { cellRead, type SheetTable } from '../documents/table.ts';
import { agedCsvFile, csvText, textFile } from '../documents/text-files.ts';
import { workbookFile } from '../documents/workbook.ts';
import { c, draftPlan, op, v } from '../plan-draft.ts';
import { distinct, type Template, worded } from '../template.ts';
import { fillerParagraph } from '../web/filler.ts';
import { grouped } from '../web/page.ts';

const LEDGER_YEARS = [2023, 2024, 2025];

/** Contents page, then the page it names. */
export const reportCell: Template = {
  name: 'document-report-cell',
  type: 'document',
  write: async ({ world, random, turn }) => {
    const houses = distinct(random, world.museums, 9);
    const asked = random.pick(houses.slice(1, -1));
    const [column, words] = [
      ['Loans', 'objects lent out'],
      ['Repairs', 'pieces repaired'],
    ][turn % 2] as [string, string];
    const tables = LEDGER_YEARS.map(
      (year): SheetTable => ({
        name: `Work done in ${year}`,
        columns: ['House', 'Guides', 'Loans', 'Repairs'],
        rows: houses.map((house) => [house.name, random.integer(3, 40), random.integer(105, 990), random.integer(1_010, 8_900)]),
      }),
    );
    const order = random.shuffle([0, 1, 2]);
    const asYear = random.integer(0, 2);
    const table = tables[asYear] as SheetTable;
    const pageOf = (index: number) => order.indexOf(index) + 2;
    const contents: ReportPage = {
      heading: 'Joint report of the houses',
      paragraphs: [fillerParagraph(random), ...LEDGER_YEARS.map((year, i) => `Tables for ${year}: see page ${pageOf(i)}.`)],
    };
    const pages = [
      contents,
      ...order.map((i): ReportPage => ({ heading: `The houses, volume ${i + 1}`, paragraphs: [fillerParagraph(random)], tables: [tables[i] as SheetTable] })),
    ];
    const year = LEDGER_YEARS[asYear] as number;
    const truth = table.rows.find(([name]) => name === asked.name)?.[table.columns.indexOf(column)] as number;
    const plan = draftPlan();
    const chain = plan.chain(`Read the ${words} of ${asked.name} in ${year} from the attached report of the houses.`);
    const place = chain.step(
      { tool: 'read_pdf', arguments: { file: 'attachment-1.pdf', first_page: 1, last_page: 1 } },
      {
        page: {
          label: `page of the ${year} tables, for the ${words} of ${asked.name}`,
          after: [`Tables for ${year}: see page`],
          kind: 'number',
          value: pageOf(asYear),
        },
      },
    );
    const { figure } = chain.step(
      { tool: 'read_pdf', arguments: { file: 'attachment-1.pdf', first_page: `{{${place.page}}}`, last_page: `{{${place.page}}}` } },
      { figure: cellRead('pdf', table, asked.name, column, `${words} of ${asked.name} in ${year}`) },
    );
    const question = worded(
      turn,
      `The attached joint report holds tables for several years. How many ${words} does it give for ${asked.name} in ${year}?`,
      `In ${year}, what number of ${words} did ${asked.name} reach? See the right volume of the report that comes with this question.`,
      `Open the volume for ${year} in the PDF and tell how many ${words} stand beside ${asked.name}.`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, v(figure), truth), attachments: [await pdfFile('Joint report', pages)] };
  },
};

/** A sum over the rows of one sheet that meet a condition. */
export const sheetTotal: Template = {
  name: 'document-sheet-total',
  type: 'document',
  write: async ({ world, random, turn }) => {
    const [here, there] = distinct(random, world.towns, 2).map(({ name }) => name) as [string, string];
    const goods = distinct(random, ['Lamp oil', 'Rope', 'Canvas', 'Tar', 'Copper nails', 'Slate', 'Salt', 'Timber', 'Wool', 'Glass'], 8);
    const seasons = random.shuffle(['Spring', 'Summer', 'Autumn']);
    const sheets = seasons.map(
      (name): SheetTable => ({
        name,
        columns: ['Goods', 'Store', 'Crates', 'Weight in kg'],
        rows: goods.map((good) => [good, random.next() < 0.5 ? here : there, random.integer(14, 390), random.integer(420, 9_900)]),
      }),
    );
    const sheet = sheets[1] as SheetTable;
    const column = turn === 0 ? 'Crates' : 'Weight in kg';
    const matching = sheet.rows.filter(([, store]) => store === here);
    if (matching.length < 2 || matching.length > 6) return undefined;
    const truth = matching.reduce((sum, row) => sum + (row[sheet.columns.indexOf(column)] as number), 0);
    const words = column.toLowerCase();
    const plan = draftPlan();
    const chain = plan.chain(`From the sheet ${sheet.name} of the attached workbook, read store and ${words} of each of the goods, for ${here}.`);
    const reads = Object.fromEntries(
      goods.flatMap((good, i) => [
        [`store${i + 1}`, cellRead('xlsx', sheet, good, 'Store', `store of ${good} in ${sheet.name}, for the ${words} at ${here}`)],
        [`amount${i + 1}`, cellRead('xlsx', sheet, good, column, `${words} of ${good} in ${sheet.name}, for ${here}`)],
      ]),
    );
    const at = chain.step({ tool: 'read_spreadsheet', arguments: { file: 'attachment-1.xlsx', sheet: sheet.name } }, reads);
    const paths = (name: string) => goods.map((_, i) => v(at[`${name}${i + 1}`] as string));
    const answer: Formula = { op: 'where', of: paths('store'), test: 'equal', than: c(here), give: 'sum', pick: paths('amount') };
    const question = worded(
      turn,
      `How many crates lay in the store at ${here} in ${sheet.name.toLowerCase()}, all goods taken together? The workbook is attached.`,
      `Add up, in kilograms, everything that the attached inventory puts into the ${here} store on its sheet for ${sheet.name.toLowerCase()}.`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, answer, truth), attachments: [await workbookFile(sheets, 'Stores')] };
  },
};

/** How many rows of a CSV file lie above a bound. */
export const csvCount: Template = {
  name: 'document-csv-count',
  type: 'document',
  write: ({ world, random, turn }) => {
    const ships = distinct(random, world.ships, 10);
    const table: SheetTable = {
      name: 'calls',
      columns: ['Ship', 'Cargo', 'Berth'],
      rows: ships.map(({ name }) => [name, random.integer(1_100, 9_800), random.pick(['East', 'West', 'Outer'])]),
    };
    const figures = table.rows.map((row) => row[1] as number);
    const bound = random.integer(30, 75) * 100;
    const truth = figures.filter((figure) => figure > bound).length;
    if (truth < 2 || truth > 8 || figures.includes(bound)) return undefined;
    const plan = draftPlan();
    const chain = plan.chain(`Read the tons of cargo of every ship in the attached CSV file, to count those above ${grouped(bound)}.`);
    const reads = Object.fromEntries(
      ships.map(({ name }, i) => [`ship${i + 1}`, cellRead('csv', table, name, 'Cargo', `tons of cargo of ${name} in the list of calls`)]),
    );
    const values = Object.values(chain.step({ tool: 'read_text', arguments: { file: 'attachment-1.csv' } }, reads));
    const question = worded(turn, `In the attached list of calls at the port, how many ships brought more than ${grouped(bound)} tons of cargo?`);
    const answer: Formula = { op: 'where', of: values.map(v), test: 'above', than: c(bound), give: 'count' };
    return { question, truth: String(truth), plan: plan.finish(question, answer, truth), attachments: [textFile('csv', csvText(table))] };
  },
};

/** Which rows of a CSV file lie below a bound: a list of names. */
export const csvList: Template = {
  name: 'document-csv-list',
  type: 'document',
  write: ({ world, random, turn }) => {
    const lights = distinct(random, world.lighthouses, 8);
    const table: SheetTable = {
      name: 'oil',
      columns: ['Lighthouse', 'Keepers', 'Litres of oil', 'Nights', 'Cost in £'],
      rows: lights.map(({ name }) => [name, random.integer(2, 7), random.integer(1_010, 9_900), random.integer(310, 364), random.integer(41, 98)]),
    };
    const rows = [...table.rows].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    const bound = random.integer(22, 48) * 100;
    const below = rows.filter((row) => (row[2] as number) < bound).map(([name]) => String(name));
    if (below.length < 2 || below.length > 4) return undefined;
    const truth = below.join(', ');
    const plan = draftPlan();
    const chain = plan.chain(`Read the litres of oil of every lighthouse in the attached CSV file, to list those below ${grouped(bound)}.`);
    const reads = Object.fromEntries(
      rows.map(([name], i) => [`light${i + 1}`, cellRead('semicolon', table, String(name), 'Litres of oil', `litres of oil of ${name}`)]),
    );
    const values = Object.values(chain.step({ tool: 'read_text', arguments: { file: 'attachment-1.csv' } }, reads));
    const question = worded(
      turn,
      `Which lighthouses in the attached file burnt less than ${grouped(bound)} litres of oil? List them from A to Z with commas between the names.`,
    );
    const answer: Formula = { op: 'where', of: values.map(v), test: 'below', than: c(bound), give: 'list', pick: rows.map(([name]) => c(String(name))) };
    return { question, truth, plan: plan.finish(question, answer, truth), attachments: [agedCsvFile(csvText(table, ';'), 'windows-1252')] };
  },
};

/** The row that grew most between two sheets: two chains of one step each. */
export const sheetChange: Template = {
  name: 'document-sheet-change',
  type: 'document',
  write: async ({ world, random, turn }) => {
    const clubs = distinct(random, world.clubs, 7);
    const sheets = [2024, 2025].map(
      (year): SheetTable => ({
        name: `Members ${year}`,
        columns: ['Club', 'Adults', 'Juniors'],
        rows: random.shuffle(clubs).map((club) => [club.name, random.integer(210, 980), random.integer(1_010, 2_900)]),
      }),
    );
    const growths = clubs.map(({ name }) => {
      const [early, late] = sheets.map(({ rows }) => rows.find(([club]) => club === name)?.[2] as number) as [number, number];
      return late - early;
    });
    const largest = Math.max(...growths);
    if (growths.filter((growth) => growth > largest - 20).length > 1) return undefined;
    const truth = clubs[growths.indexOf(largest)]?.name ?? '';
    const plan = draftPlan();
    const [early, late] = sheets.map((sheet) => {
      const chain = plan.chain(`Read the juniors of every club from the sheet "${sheet.name}" of the attached workbook.`);
      const reads = Object.fromEntries(
        clubs.map(({ name }, i) => [`club${i + 1}`, cellRead('xlsx', sheet, name, 'Juniors', `juniors of ${name} on the sheet ${sheet.name}`)]),
      );
      return Object.values(chain.step({ tool: 'read_spreadsheet', arguments: { file: 'attachment-1.xlsx', sheet: sheet.name } }, reads));
    }) as [string[], string[]];
    const question = worded(turn, 'Which club gained the most junior members from one year to the next, going by the two sheets of the attached workbook?');
    const answer: Formula = {
      op: 'first-by',
      order: 'largest',
      of: clubs.map(({ name }) => c(name)),
      by: clubs.map((_, i) => op('subtract', v(late[i] as string), v(early[i] as string))),
    };
    return { question, truth, plan: plan.finish(question, answer, truth), attachments: [await workbookFile(sheets, 'Members')] };
  },
};
