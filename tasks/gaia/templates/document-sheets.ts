// Document tasks on what a workbook holds beside its values: fills that mean something, merged cells, a hidden sheet, another workbook of the old kind.
import type { Formula } from '../../plan.ts';
import { type RichCell, type RichSheet, richWorkbook } from '../documents/rich-workbook.ts';
import { cellRead, type SheetTable } from '../documents/table.ts';
import { workbookFile } from '../documents/workbook.ts';
import { c, draftPlan, op, v } from '../plan-draft.ts';
import { distinct, type Template, worded } from '../template.ts';
import { addDays } from '../world/calendar.ts';

const FILLS = { green: '63BE7B', yellow: 'FFD966', red: 'F8696B', blue: '5B9BD5' } as const;
type FillName = keyof typeof FILLS;
const WORDS: Readonly<Record<FillName, string>> = { green: 'green', yellow: 'yellow', red: 'red', blue: 'blue' };

/** The sum of one column over the rows that are filled with one colour; a hidden sheet holds last year's colours. */
export const sheetColours: Template = {
  name: 'document-sheet-colours',
  type: 'document',
  write: ({ world, random, turn }) => {
    const ships = distinct(random, world.ships, 9).map(({ name }) => name);
    const asked = (['green', 'red', 'yellow'] as const)[turn % 3] as FillName;
    const marked = ships.map((name) => ({
      name,
      fill: random.pick(['green', 'yellow', 'red', 'blue'] as const),
      tons: random.integer(105, 990),
      due: addDays('2026-03-01', random.integer(0, 90)),
    }));
    const matching = marked.filter(({ fill }) => fill === asked);
    if (matching.length < 2 || matching.length > 5) return undefined;
    const truth = matching.reduce((sum, { tons }) => sum + tons, 0);
    const sheet = (name: string, rows: typeof marked): RichSheet => ({
      name,
      rows: [
        [{ value: 'Calls at the outer quay' }],
        ['Ship', 'Tons', 'Due'],
        ...rows.map(({ name: ship, fill, tons, due }): RichCell[] => [
          { value: ship, fill: FILLS[fill] },
          { value: tons, fill: FILLS[fill] },
          { date: due, fill: FILLS[fill] },
        ]),
        ['All', { value: rows.reduce((sum, { tons }) => sum + tons, 0), formula: `SUM(B3:B${rows.length + 2})` }],
      ],
      merges: ['A1:C1'],
    });
    const old = marked.map((row, i) => ({ ...row, fill: marked[(i + 1) % marked.length]?.fill ?? 'blue', tons: row.tons + random.integer(3, 90) }));
    const book = richWorkbook([sheet('Calls', marked), { ...sheet('Calls last year', old), hidden: true }], 'Calls');
    const plan = draftPlan();
    const chain = plan.chain(`Read the colour and the tons of every ship on the sheet Calls of the attached workbook, to add up those marked ${WORDS[asked]}.`);
    const reads = Object.fromEntries(
      marked.flatMap(({ name, fill, tons }, i) => [
        [`colour${i + 1}`, { label: `colour of ${name} on the sheet of calls`, after: [`Row ${i + 3} {`], kind: 'text' as const, until: ['}'], value: fill }],
        [
          `tons${i + 1}`,
          {
            label: `tons of ${name} on the sheet of calls`,
            after: [`: ${name} |`],
            kind: 'number' as const,
            value: tons,
            wrong: (marked[i + 1] ?? marked[i - 1])?.tons ?? 0,
          },
        ],
      ]),
    );
    const at = chain.step({ tool: 'read_spreadsheet', arguments: { file: 'attachment-1.xlsx', sheet: 'Calls' } }, reads);
    const paths = (name: string) => marked.map((_, i) => v(at[`${name}${i + 1}`] as string));
    const answer: Formula = { op: 'where', of: paths('colour'), test: 'equal', than: c(asked), give: 'sum', pick: paths('tons') };
    const question = worded(
      turn,
      `On the sheet Calls of the attached workbook the rows have colours. How many tons do the ships in green rows bring altogether?`,
      `Someone painted the lines of the list of calls. Add up the tons that stand in the red lines of this year's sheet.`,
      `Which total do you get, in tons, if only the ships that the attached workbook shows on a yellow ground are counted (sheet Calls)?`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, answer, truth), attachments: [book] };
  },
};

/** Station to region by a merged cell, region to factor on a hidden sheet, tons in an xls file; once for each of two stations: two chains. */
export const mergedRegions: Template = {
  name: 'document-merged-regions',
  type: 'document',
  write: async ({ world, random, turn }) => {
    const regions = distinct(random, world.regions, 3);
    const stations = distinct(random, world.towns, 9).map(({ name }) => name);
    const factors = distinct(random, [12, 13, 14, 16, 17, 18, 19, 21, 22, 23], 3);
    const rows = stations.map((name, i): RichCell[] => [
      i % 3 === 0 ? regions[Math.floor(i / 3)] : undefined,
      name,
      { date: addDays('1911-05-01', 97 * i + random.integer(0, 80)) },
    ]);
    const book = richWorkbook(
      [
        { name: 'Stations', rows: [['Region', 'Station', 'Open since'], ...rows], merges: ['A2:A4', 'A5:A7', 'A8:A10'] },
        { name: 'Factors', hidden: true, rows: [['Region', 'Factor'], ...regions.map((region, i): RichCell[] => [region, factors[i]])] },
      ],
      'Stations',
    );
    const loads: SheetTable = {
      name: 'Loads',
      columns: ['Station', 'Tons', 'Weighed by'],
      rows: random.shuffle(stations).map((name) => [name, random.integer(140, 890), random.pick(['hand', 'crane'])]),
    };
    const [first, second] = [stations[random.integer(1, 2)], stations[random.integer(7, 8)]] as [string, string];
    const regionOf = (name: string) => Math.floor(stations.indexOf(name) / 3);
    const weighed = (name: string) => (loads.rows.find(([station]) => station === name)?.[1] as number) * (factors[regionOf(name)] as number);
    const truth = turn === 0 ? weighed(first) - weighed(second) : weighed(first) + weighed(second);
    if (truth <= 100) return undefined;
    const plan = draftPlan();
    const [left, right] = [first, second].map((name) => {
      const beside = name === first ? second : first;
      const index = regionOf(name);
      const chain = plan.chain(
        `Weigh the load of ${name} (beside ${beside}): find its region, the factor of that region on the hidden sheet, and its tons in the xls file.`,
      );
      const { region } = chain.step(
        { tool: 'read_spreadsheet', arguments: { file: 'attachment-1.xlsx', sheet: 'Stations' } },
        {
          region: {
            label: `region of the station ${name}, beside ${beside}`,
            after: ['Sheet "Stations"', `Row ${stations.indexOf(name) + 2}:`],
            kind: 'text',
            until: ['|'],
            value: regions[index] as string,
            wrong: regions[(index + 1) % 3] as string,
          },
        },
      );
      const { factor } = chain.step(
        { tool: 'read_spreadsheet', arguments: { file: 'attachment-1.xlsx', sheet: 'Factors' } },
        {
          factor: {
            label: `factor for the station ${name}, beside ${beside}`,
            after: ['Sheet "Factors"', `: {{${region}}} |`],
            kind: 'number',
            value: factors[index] as number,
            wrong: factors[(index + 1) % 3] as number,
          },
        },
      );
      const { tons } = chain.step(
        { tool: 'read_spreadsheet', arguments: { file: 'attachment-2.xls', sheet: 'Loads' } },
        { tons: cellRead('xlsx', loads, name, 'Tons', `tons loaded at ${name}, beside ${beside}`) },
      );
      return chain.calculate(`weighted load of ${name}, beside ${beside}`, op('multiply', v(tons), v(factor)));
    }) as [string, string];
    const question = worded(
      turn,
      `Each station's tons are to be multiplied by the factor of its region. By how much does the result for ${first} exceed that for ${second}? Regions and factors are in one workbook (not every sheet is visible), tons in the other.`,
      `Multiply the load of ${first} and of ${second} each by the factor of the region they belong to, and add the two products. One attached workbook has regions and factors, the older one the loads.`,
    );
    const attachments = [book, await workbookFile([loads], 'Loads', 'xls')];
    return { question, truth: String(truth), plan: plan.finish(question, op(turn === 0 ? 'subtract' : 'add', v(left), v(right)), truth), attachments };
  },
};
