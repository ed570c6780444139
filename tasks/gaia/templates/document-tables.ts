// Document tasks on one table: a cell of a PDF report, a total over sheets, a count over a CSV file, the largest change between two sheets.
import { pdfFile, type ReportPage } from '../documents/pdf.ts';
import { cellRead, type SheetTable } from '../documents/table.ts';
import { draftPlan, v } from '../plan-draft.ts';
import { distinct, type Template, worded } from '../template.ts';
import { fillerParagraph } from '../web/filler.ts';

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
          label: `page with the ${year} tables, for ${words} of ${asked.name}`,
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
