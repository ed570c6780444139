// Document tasks on pictures: a board photographed upside down, a bar chart whose colours matter, bills that were scanned into a PDF. What must be read stands
// in ordinary words and figures, which the recogniser was seen to read right; no invented name is evidence in a picture.
import type { Formula } from '../../plan.ts';
import { pdfFile } from '../documents/pdf.ts';
import { COLORS, Picture, textWidth } from '../documents/picture.ts';
import { jpegFile, pngFile } from '../documents/picture-files.ts';
import { cellRead, type SheetTable } from '../documents/table.ts';
import { agedCsvFile, csvText } from '../documents/text-files.ts';
import { c, draftPlan, op, v } from '../plan-draft.ts';
import { distinct, type Template, worded } from '../template.ts';
import { fillerSentence } from '../web/filler.ts';

/** Lines of text on coloured paper. */
export function writtenPage(lines: readonly string[]): Picture {
  const page = new Picture(Math.max(...lines.map(textWidth)) + 120, lines.length * 90 + 60, COLORS.paper);
  for (const [i, line] of lines.entries()) page.text(line, 60, 40 + i * 90);
  return page;
}

const FARES = ['Adult', 'Child', 'Bicycle', 'Motor car', 'Horse and cart'] as const;

/** Fares from a board, stored upside down with a flag that says so. */
export const signPicture: Template = {
  name: 'document-sign-picture',
  type: 'document',
  write: async ({ world, random, turn }) => {
    const town = random.pick(world.towns).name;
    const fares = distinct(random, [112, 118, 124, 136, 145, 158, 164, 182, 195, 218, 236, 245, 264, 286, 318, 345, 382, 416, 458, 486], FARES.length);
    const [asked, other] = distinct(random, FARES.slice(0, 4), 2) as [(typeof FARES)[number], (typeof FARES)[number]];
    const fareOf = (name: (typeof FARES)[number]) => fares[FARES.indexOf(name)] as number;
    const many = random.integer(3, 8);
    const truth = many * fareOf(asked) + fareOf(other);
    const plan = draftPlan();
    const chain = plan.chain(`Read the fares for ${asked.toLowerCase()} and ${other.toLowerCase()} from the photograph of the board at the ferry of ${town}.`);
    const read = (name: (typeof FARES)[number]) => ({
      label: `fare for ${name.toLowerCase()} at the ferry of ${town}`,
      after: ['Text (', name],
      kind: 'number' as const,
      value: fareOf(name),
      wrong: fares[(FARES.indexOf(name) + 1) % FARES.length] as number,
    });
    const at = chain.step({ tool: 'describe_image', arguments: { file: 'attachment-1.jpg' } }, { many: read(asked), one: read(other) });
    const question = worded(
      turn,
      `The photograph shows the board at the ferry of ${town}. What do ${many} tickets of the kind "${asked}" and one of the kind "${other}" cost together, in pence?`,
      `At the ferry of ${town} someone buys one "${other}" and ${many} times "${asked}". How many pence are due, going by the picture of the price board?`,
      `Work out from the attached photo: ${many} x "${asked}" plus 1 x "${other}" at the landing of ${town}. Give pence only.`,
    );
    const board = writtenPage(['Fares of the ferry in pence', ...FARES.map((name, i) => `${name} ${fares[i]}`), 'Last boat after sunset']);
    const answer = op('add', op('multiply', c(many), v(at.many)), v(at.one));
    return { question, truth: String(truth), plan: plan.finish(question, answer, truth), attachments: [await jpegFile(board, 3)] };
  },
};

const BARS = ['green', 'red', 'blue', 'orange', 'purple'] as const;

/** The bars of one colour, added up. */
export const chartBars: Template = {
  name: 'document-chart-bars',
  type: 'document',
  write: ({ world, random, turn }) => {
    const harbour = random.pick(world.towns).name;
    const goods = distinct(random, ['Coal', 'Timber', 'Wool', 'Grain', 'Salt', 'Slate', 'Rope', 'Canvas'], 6);
    const asked = BARS[turn % 3] as (typeof BARS)[number];
    const bars = goods.map((name) => ({ name, tons: random.integer(105, 499), color: random.pick(BARS) }));
    const matching = bars.filter(({ color }) => color === asked);
    if (matching.length < 2 || matching.length > 3) return undefined;
    const truth = matching.reduce((sum, { tons }) => sum + tons, 0);
    const chart = new Picture(1_000, 120 + goods.length * 90);
    chart.text('Tons of cargo in this year', 60, 30);
    for (const [i, { name, tons, color }] of bars.entries()) {
      chart.text(`${name} ${tons}`, 60, 120 + i * 90);
      chart.rectangle(400, 120 + i * 90, tons, 52, COLORS[color]);
    }
    const plan = draftPlan();
    const chain = plan.chain(`Read colour and tons of every bar in the chart of the harbour of ${harbour}, to add up the ${asked} ones.`);
    const reads = Object.fromEntries(
      bars.flatMap(({ name, tons, color }, i) => [
        [
          `tons${i + 1}`,
          {
            label: `tons of ${name} in the chart of ${harbour}`,
            after: ['Text (', name],
            kind: 'number' as const,
            value: tons,
            wrong: (bars[i + 1] ?? bars[i - 1])?.tons ?? 0,
          },
        ],
        [
          `colour${i + 1}`,
          { label: `colour of ${name} in the chart of ${harbour}`, after: ['Text (', name, 'beside it:'], kind: 'text' as const, until: [' '], value: color },
        ],
      ]),
    );
    const at = chain.step({ tool: 'describe_image', arguments: { file: 'attachment-1.png' } }, reads);
    const paths = (name: string) => bars.map((_, i) => v(at[`${name}${i + 1}`] as string));
    const answer: Formula = { op: 'where', of: paths('colour'), test: 'equal', than: c(asked), give: 'sum', pick: paths('tons') };
    const question = worded(
      turn,
      `The chart shows cargo landed at ${harbour}. What is the sum, in tons, of all goods with a green bar?`,
      `Going by the attached chart for ${harbour}, how many tons do the goods with red bars make together?`,
      `Blue bars stand for goods that went on by rail from ${harbour}. How many tons is that in all, if the picture is right?`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, answer, truth), attachments: [pngFile(chart)] };
  },
};

/** Bills scanned into a PDF, found by its first page; a photographed notice; a CSV file: two chains. */
export const scannedBill: Template = {
  name: 'document-scanned-bill',
  type: 'document',
  write: async ({ random, turn }) => {
    const goods = distinct(random, ['Rope', 'Lamp oil', 'Slate', 'Canvas', 'Salt', 'Timber', 'Wool'], 5);
    const asked = random.pick(goods);
    const stores = random.shuffle(['winter', 'summer', 'harbour']);
    const bill = () => goods.map((good) => ({ good, crates: random.integer(12, 98), pence: random.integer(105, 890) }));
    const bills = stores.map(bill);
    const store = stores[random.integer(0, 2)] as string;
    const place = stores.indexOf(store);
    const row = bills[place]?.find(({ good }) => good === asked) as { crates: number; pence: number };
    const wrongRow = bills[(place + 1) % 3]?.find(({ good }) => good === asked) as { crates: number; pence: number };
    const duties = distinct(random, [12, 14, 16, 18, 21, 24, 26, 28], 5);
    const duty = duties[goods.indexOf(asked)] as number;
    const returned: SheetTable = { name: 'returned', columns: ['Goods', 'Crates', 'Store'], rows: goods.map((good) => [good, random.integer(21, 89), store]) };
    const back = returned.rows.find(([good]) => good === asked)?.[1] as number;
    const truth = turn === 1 ? row.crates * row.pence + back * duty : row.crates * row.pence - back * duty;
    if (truth <= 100) return undefined;
    const good = asked.toLowerCase();
    const plan = draftPlan();
    const bought = plan.chain(`Work out what the ${good} on the bill of the ${store} store comes to, from the scanned page of the attached PDF.`);
    const { page } = bought.step(
      { tool: 'read_pdf', arguments: { file: 'attachment-1.pdf', first_page: 1, last_page: 1 } },
      {
        page: {
          label: `page of the bill of the ${store} store, for ${good}`,
          after: [`The bill of the ${store} store is on page`],
          kind: 'number',
          value: place + 2,
        },
      },
    );
    const charged = bought.step(
      { tool: 'read_pdf', arguments: { file: 'attachment-1.pdf', first_page: `{{${page}}}`, last_page: `{{${page}}}` } },
      {
        crates: {
          label: `crates of ${good} on the bill of the ${store} store`,
          after: [`${asked}:`],
          kind: 'number',
          value: row.crates,
          wrong: wrongRow.crates,
        },
        pence: {
          label: `pence a crate of ${good} on the bill of the ${store} store`,
          after: [`${asked}:`, 'crates at'],
          kind: 'number',
          value: row.pence,
          wrong: wrongRow.pence,
        },
      },
    );
    const price = bought.calculate(`price of the ${good} for the ${store} store`, op('multiply', v(charged.crates), v(charged.pence)));
    const refunded = plan.chain(
      `Work out the duty on the ${good} that the ${store} store sent back: rate from the photographed notice, crates from the CSV file.`,
    );
    const noticed = refunded.step(
      { tool: 'describe_image', arguments: { file: 'attachment-2.jpg' } },
      {
        duty: {
          label: `duty on a crate of ${good} for the ${store} store`,
          after: ['Text (', `${asked}:`],
          kind: 'number',
          value: duty,
          wrong: duties[(goods.indexOf(asked) + 1) % 5] as number,
        },
      },
    );
    const counted = refunded.step(
      { tool: 'read_text', arguments: { file: 'attachment-3.csv' } },
      { crates: cellRead('csv', returned, asked, 'Crates', `crates of ${good} sent back by the ${store} store`) },
    );
    const refund = refunded.calculate(`duty on the ${good} sent back by the ${store} store`, op('multiply', v(noticed.duty), v(counted.crates)));
    const question = worded(
      turn,
      `What does the ${good} of the ${store} store cost in pence by its bill, less the duty on the crates that were sent back? Bills are scanned into the PDF, the photograph shows the duties, the CSV file the returns.`,
      `Add two things, in pence: the sum that the ${store} store's scanned bill asks for ${good}, and the duty (see the photo) on all crates of it that the list of returns names.`,
      `Take the amount for ${good} on the ${store} store's bill (a scan within the PDF) and subtract duty for every returned crate; duties are on the picture, returns in the table. Which figure in pence is left?`,
    );
    const prose = () => Array.from({ length: 3 }, () => `${fillerSentence(random)} ${fillerSentence(random)}`);
    const scans = [];
    for (const [i, rows] of bills.entries())
      scans.push({
        heading: '',
        scan: (
          await jpegFile(
            writtenPage([`Bill of the ${stores[i]} store`, ...rows.map(({ good: name, crates, pence }) => `${name}: ${crates} crates at ${pence} pence`)]),
          )
        ).bytes,
      });
    const guide = {
      heading: 'Bills of the year',
      paragraphs: stores.map((name, i) => `The bill of the ${name} store is on page ${i + 2}.`),
      columns: [prose(), prose()] as const,
    };
    const notice = writtenPage(['Duty in pence a crate', ...goods.map((name, i) => `${name}: ${duties[i]}`)]);
    const attachments = [await pdfFile('Bills', [guide, ...scans]), await jpegFile(notice), agedCsvFile(csvText(returned), 'utf-8 with mark')];
    return { question, truth: String(truth), plan: plan.finish(question, op(turn === 1 ? 'add' : 'subtract', v(price), v(refund)), truth), attachments };
  },
};
