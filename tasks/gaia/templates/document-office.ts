// Document tasks on Word files and presentations: a plan whose notes correct its slides, and minutes in which a figure was struck out.
import { slidesFile } from '../documents/slides.ts';
import { cellRead, type SheetTable } from '../documents/table.ts';
import { wordFile } from '../documents/word.ts';
import { workbookFile } from '../documents/workbook.ts';
import { draftPlan, op, v } from '../plan-draft.ts';
import { distinct, type Template, worded } from '../template.ts';
import { fillerParagraph, fillerSentence } from '../web/filler.ts';

/** Guests from the notes of a slide and a price from minutes; halls as decided and their rent from a workbook: two chains. */
export const boardDecision: Template = {
  name: 'document-board-decision',
  type: 'document',
  write: async ({ world, random, turn }) => {
    const festivals = distinct(random, world.festivals, 6);
    const asked = random.pick(festivals.slice(1, -1)).name;
    const planned: SheetTable = { name: 'Guests', columns: ['Festival', 'Guests'], rows: festivals.map(({ name }) => [name, random.integer(1_100, 4_900)]) };
    const prices: SheetTable = {
      name: 'Prices',
      columns: ['Festival', 'Pence', 'Sold by'],
      rows: festivals.map(({ name }) => [name, random.integer(105, 480), random.pick(['town', 'club'])]),
    };
    const halls = distinct(random, ['Rope walk', 'Grain hall', 'Old forge', 'Sail loft', 'Salt store'], 5);
    const rents: SheetTable = {
      name: 'Rents',
      columns: ['Hall', 'Pence a day', 'Owner'],
      rows: halls.map((hall) => [hall, random.integer(1_200, 8_800), 'town']),
    };
    const hall = random.pick(halls.slice(1, -1));
    const onSlide = planned.rows.find(([name]) => name === asked)?.[1] as number;
    const guests = onSlide + random.integer(120, 900);
    const price = prices.rows.find(([name]) => name === asked)?.[1] as number;
    const rent = rents.rows.find(([name]) => name === hall)?.[1] as number;
    const [days, struckDays] = [random.integer(12, 19), random.integer(21, 29)];
    const truth = turn === 1 ? guests * price + days * rent : guests * price - days * rent;
    if (truth <= 1_000) return undefined;
    const plan = draftPlan();
    const income = plan.chain(`Work out what ${asked} takes in: guests as the speaker's notes correct them, price from the attached minutes.`);
    const spoken = income.step(
      { tool: 'read_document', arguments: { file: 'attachment-1.pptx' } },
      {
        guests: {
          label: `guests of ${asked} as corrected in the notes`,
          after: [`Notes: For ${asked} count on`],
          kind: 'number',
          value: guests,
          wrong: onSlide,
        },
      },
    );
    const listed = income.step(
      { tool: 'read_document', arguments: { file: 'attachment-2.docx' } },
      { price: cellRead('document', prices, asked, 'Pence', `price of a ticket for ${asked} in the minutes`) },
    );
    const takings = income.calculate(`takings of ${asked}`, op('multiply', v(spoken.guests), v(listed.price)));
    const costs = plan.chain(`Work out what the ${hall.toLowerCase()} costs for ${asked}: days as decided in the minutes, rent from the attached workbook.`);
    const decided = costs.step(
      { tool: 'read_document', arguments: { file: 'attachment-2.docx' } },
      {
        days: {
          label: `days for which the ${hall} is taken for ${asked}`,
          after: [`the ${hall.toLowerCase()} is taken for`],
          kind: 'number',
          value: days,
          wrong: struckDays,
        },
      },
    );
    const owed = costs.step(
      { tool: 'read_spreadsheet', arguments: { file: 'attachment-3.xlsx', sheet: 'Rents' } },
      { rent: cellRead('xlsx', rents, hall, 'Pence a day', `rent of the ${hall} a day, for ${asked}`) },
    );
    const cost = costs.calculate(`cost of the ${hall} for ${asked}`, op('multiply', v(decided.days), v(owed.rent)));
    const question = worded(
      turn,
      `How many pence does ${asked} bring in once the ${hall.toLowerCase()} is paid? Guests follow the slides as their notes correct them, price and days the minutes, rent the workbook.`,
      `Add what visitors of ${asked} pay to what its ${hall.toLowerCase()} costs, in pence. Use the presentation with its speaker's notes, the minutes as finally agreed, and the sheet of rents.`,
      `The board wants the balance of ${asked}: tickets sold to all guests (mind the notes under the slide) minus the hire of the ${hall.toLowerCase()}. What is it in pence?`,
    );
    const slides = slidesFile('Plan of the year', [
      { title: 'Plan of the year', lines: [fillerSentence(random), fillerSentence(random)], drawing: ['Spring', 'Summer', 'Autumn'] },
      { title: 'Guests', table: planned, notes: `For ${asked} count on ${guests} guests: the figure on the slide was settled before the ferry was.` },
      { title: 'Thanks', lines: [fillerSentence(random)] },
    ]);
    const minutes = wordFile('Minutes', [
      { heading: 'Minutes of the board' },
      { text: fillerParagraph(random) },
      { heading: 'Tickets', level: 2 },
      { table: prices },
      { heading: 'Decisions', level: 2 },
      { items: [`For ${random.pick(festivals).name} no stage is built.`, fillerSentence(random)] },
      {
        struck: `For ${asked} the ${hall.toLowerCase()} is taken for ${struckDays} days. `,
        text: `For ${asked} the ${hall.toLowerCase()} is taken for ${days} days.`,
      },
    ]);
    const attachments = [slides, minutes, await workbookFile([rents], 'Rents')];
    return { question, truth: String(truth), plan: plan.finish(question, op(turn === 1 ? 'add' : 'subtract', v(takings), v(cost)), truth), attachments };
  },
};
