import { describe, expect, it } from 'vitest';
import { solveFromDocuments } from './solve-document.ts';

/** What the reading tools say, by file or program. */
type Said = Readonly<Record<string, string>>;

function solve(kind: string, question: string, said: Said) {
  const ask = async (_tool: string, given: Readonly<Record<string, string | number>>) => {
    const text = said[String(given['file'] ?? given['code'])];
    if (text === undefined) throw new Error(`nobody asks for ${JSON.stringify(given)}`);
    return text;
  };
  const attachments = Object.keys(said).filter((name) => /^attachment-\d\.\w+$/.test(name));
  return solveFromDocuments(kind, question, attachments, ask);
}

const calls = {
  question: 'On the sheet Calls of the attached workbook the rows have colours. How many tons do the ships in green rows bring altogether?',
  said: {
    'attachment-1.xlsx': [
      'Workbook: attachment-1.xlsx, sheets: Calls, Calls last year (hidden)',
      'Sheet "Calls", rows 1-6, columns A-C',
      'Row 1: Calls at the outer quay',
      'Row 2: Ship | Tons | Due',
      'Row 3 {green}: Iron Tern | 410 | 2026-03-04',
      'Row 4 {red}: Amber Gannet | 205 | 2026-03-09',
      'Row 5 {green}: Grey Auk | 33 | 2026-04-01',
      'Row 6: All | 648',
      'Formulas: B6 =SUM(B3:B5)',
      'Sheet "Calls last year", rows 1-3, columns A-C',
      'Row 1: Calls at the outer quay',
      'Row 2: Ship | Tons | Due',
      'Row 3 {green}: Iron Tern | 999 | 2025-03-04',
    ].join('\n'),
  },
};

const stock = {
  question:
    'A merchant buys all the rope in the stores of Selkmoor and Dorn. What does it cost, in pence, when to the price of each crate (PDF) its fee (CSV) is added?',
  said: {
    'attachment-1.xlsx': [
      'Workbook: attachment-1.xlsx, sheets: Selkmoor, Dorn, Dornwick',
      ...['Selkmoor', 'Dorn', 'Dornwick'].flatMap((store, i) => [
        `Sheet "${store}", rows 1-3, columns A-C`,
        'Row 1: Goods | Crates | Checked on',
        `Row 2: Rope | ${10 + i} | 2026-01-02`,
        'Row 3: Tar | 70 | 2026-01-02',
      ]),
    ].join('\n'),
    'attachment-2.pdf':
      'Page 1 of 1\nPrice list\n\nProse that says\nnothing.\n\nPrices a crate\nGoods  Price\nRope  1,200\nTar  300\n\nPrice list, page 1 of 1',
    'attachment-3.csv': 'Goods,Fee,Payer\nRope,5,buyer\nTar,9,store\n',
  },
};

const keeper = {
  question: 'Which badge number has the keeper of the berth at which Iron Tern lies?',
  said: {
    'attachment-1.json': JSON.stringify({
      berths: [
        { ship: 'Iron Tern', keeper: 'Ann Tarr' },
        { ship: 'Grey Auk', keeper: 'Bea Holm' },
      ],
    }),
    'attachment-2.json': JSON.stringify({
      staff: [
        { name: 'Bea Holm', badge: 20_200 },
        { name: 'Ann Tarr', badge: 10_100 },
      ],
    }),
  },
};

const board = {
  question: 'The photograph shows the board at the ferry of Dorn. What do 3 tickets of the kind "Adult" and one of the kind "Child" cost together, in pence?',
  said: {
    'attachment-1.jpg':
      'Image: attachment-1.jpg, JPEG, 800 x 600 pixels\nColours: white 90 %\nText (OCR: some engine):\nFares of the ferry in pence\nAdult 218\nChild 164',
  },
};

const heard = {
  question: 'For the library, what is the number of days from the one to the other? A voice tells when each was opened, a workbook when it got new paint.',
  said: {
    'attachment-1.wav':
      'Recording: attachment-1.wav, WAV, 0:09\nSpeech (some engine):\n[0:00] The Library was opened on April 19, 1954.\n[0:04] the bridge was opened on 3 May 1971',
    'attachment-2.xlsx':
      'Workbook: attachment-2.xlsx, sheets: Works\nSheet "Works", rows 1-3, columns A-C\nRow 1: Building | First repaired | Repainted\nRow 2: Bridge | 1972-01-01 | 1980-01-01\nRow 3: Library | 1955-01-01 | 1954-05-01',
  },
};

const run = {
  question: 'The attached JavaScript program prints one line for each ship. How many crates does it give for Grey Auk?',
  program: `const ships = ["Iron Tern", "Grey Auk"];
let state = 7;
function next() {
  state = (state * 3 + 1) % 11;
  return state;
}
for (let day = 1; day <= 3; day += 1) {
  const ship = ships[next() % ships.length];
  crates[ship] += (next() % 7) + (day % 3 === 0 ? 2 : 1);
}`,
};

/** Every text with a piece of it put in another's place. */
function changed(said: Said, from: string, to: string): Said {
  const texts = Object.fromEntries(Object.entries(said).map(([name, text]) => [name, text.replaceAll(from, to)]));
  if (JSON.stringify(texts) === JSON.stringify(said)) throw new Error(`${from} stands nowhere`);
  return texts;
}

describe('the second solver of document tasks', () => {
  it.each([
    ['document-sheet-colours', calls, '443'],
    ['document-stock-value', stock, String(21 * 1_205)],
    ['document-json-keeper', keeper, '10100'],
    ['document-sign-picture', board, '818'],
    ['document-spoken-days', heard, '12'],
  ])('finds the one answer to %s', async (kind, { question, said }, answer) => {
    expect(await solve(kind, question, said)).toEqual([answer]);
  });

  it.each([
    ['the colour of a row', 'document-sheet-colours', calls, 'Row 4 {red}', 'Row 4 {green}', '648'],
    ['a cell', 'document-sheet-colours', calls, '| 33 |', '| 34 |', '444'],
    ['a price in another file', 'document-stock-value', stock, '1,200', '1,201', String(21 * 1_206)],
    ['a link from file to file', 'document-json-keeper', keeper, '"keeper":"Ann Tarr"', '"keeper":"Bea Holm"', '20200'],
    ['a line of a picture', 'document-sign-picture', board, 'Child 164', 'Child 165', '819'],
    ['a day that is said', 'document-spoken-days', heard, 'April 19, 1954', 'April 20, 1954', '11'],
  ])('answers otherwise when %s is changed', async (_, kind, { question, said }, from, to, answer) => {
    expect(await solve(kind, question, changed(said, from, to))).toEqual([answer]);
  });

  it.each([
    ['another colour', 'document-sheet-colours', calls, 'green rows', 'red rows', '205'],
    ['other stores', 'document-stock-value', stock, 'Selkmoor and Dorn', 'Dornwick and Dorn', String(23 * 1_205)],
    ['other goods', 'document-stock-value', stock, 'rope', 'tar', String(140 * 309)],
    ['another ship', 'document-json-keeper', keeper, 'Iron Tern', 'Grey Auk', '20200'],
    ['another number of tickets', 'document-sign-picture', board, '3 tickets', '5 tickets', '1254'],
    ['another building', 'document-spoken-days', heard, 'library', 'bridge', '3165'],
  ])('answers otherwise when the question asks for %s', async (_, kind, { question, said }, from, to, answer) => {
    expect(await solve(kind, question.replace(from, to), said)).toEqual([answer]);
  });

  it.each([
    ['two rows of one name', 'document-stock-value', stock, 'Row 3: Tar | 70', 'Row 3: Rope | 1', ['25305', '13255', '14460', '2410']],
    ['two keepers of one berth', 'document-json-keeper', keeper, '"ship":"Grey Auk"', '"ship":"Iron Tern"', ['20200', '10100']],
    ['two lines of one name in a picture', 'document-sign-picture', board, 'Fares of the ferry in pence', 'Child 100', ['754', '818']],
    ['two days that are said of one thing', 'document-spoken-days', heard, 'the bridge', 'the library', ['12', '-6211']],
  ])('gives every answer that fits for %s', async (_, kind, { question, said }, from, to, answers) => {
    expect(await solve(kind, question, changed(said, from, to))).toEqual(answers);
  });

  it.each([
    ['a file that is missing', 'document-json-keeper', keeper.question, { 'attachment-1.json': '{"berths": []}' }, 0],
    ['a file that is damaged', 'document-json-keeper', keeper.question, { ...keeper.said, 'attachment-2.json': '{"staff": [' }, 'JSON'],
    [
      'a word where a figure is due',
      'document-sheet-colours',
      calls.question,
      changed(calls.said, '| 410 |', '| many |'),
      '"many" stands where a figure is due',
    ],
    ['no such row', 'document-sheet-colours', calls.question, changed(calls.said, '{green}', '{blue}'), 'no row is green'],
    ['no such table', 'document-sheet-colours', calls.question, changed(calls.said, 'Tons', 'Weight'), 'no table has the columns Ship and Tons'],
    ['a question that asks for something else', 'document-sheet-colours', 'Which ship of the list is the oldest?', calls.said, 'worded in no way'],
  ])('finds nothing, or says why, for %s', async (_, kind, question, said, reason) => {
    if (reason === 0) expect(await solve(kind, question, said as Said)).toEqual([]);
    else await expect(solve(kind, question, said as Said)).rejects.toThrow(String(reason));
  });

  it('works out what a program does from its text, and knows no other program by heart', async () => {
    const solved = async (program: string) => await solve('document-program-run', run.question, { 'attachment-1.js': program });
    // Draws: 0, 1; 4, 2; 7, 0; ships by even and odd: Iron Tern, Iron Tern, Grey Auk.
    expect(await solved(run.program)).toEqual(['2']);
    expect(await solved(run.program.replace('? 2 : 1', '? 5 : 1'))).toEqual(['5']);
    expect(await solved(run.program.replace('day <= 3', 'day <= 2'))).toEqual(['0']);
    await expect(solved(run.program.replace('+= (next()', '-= (next()'))).rejects.toThrow('the program has 0 lines');
  });

  it('takes what a program prints from a run of it', async () => {
    const program = { 'attachment-1.py': 'print(6 * 7)', 'print(6 * 7)': 'Python 3.14\nOutput:\n42' };
    const question = 'What number does the attached Python program print when it is run as it stands?';
    expect(await solve('document-code-output', question, program)).toEqual(['42']);
    expect(await solve('document-code-output', question, { ...program, 'print(6 * 7)': 'Python 3.14\nOutput:\n42\n43' })).toEqual(['42', '43']);
    await expect(solve('document-code-output', question, { ...program, 'print(6 * 7)': 'Python 3.14\nError: NameError: x' })).rejects.toThrow(
      'the program fails',
    );
  });

  it('looks into archives, and holds the name of one against what it says of itself', async () => {
    const list = (year: number, copies: number) =>
      `<?xml version="1.0"?>\n<parcel year="${year}">\n  <book>\n    <title>Salt</title>\n    <copies>${copies}</copies>\n  </book>\n</parcel>`;
    const prices = JSON.stringify({ '@graph': [{ name: 'Salt', offers: { price: 100 } }] });
    const said = {
      'attachment-1.zip': 'parcels/1908-tarr.zip  10 bytes\nparcels/1911-holm.zip  10 bytes',
      'attachment-1.zip!/parcels/1908-tarr.zip': 'list-x.xml  10 bytes\nprices.jsonld  10 bytes',
      'attachment-1.zip!/parcels/1908-tarr.zip!/list-x.xml': list(1908, 4),
      'attachment-1.zip!/parcels/1908-tarr.zip!/prices.jsonld': prices,
      'attachment-1.zip!/parcels/1911-holm.zip': 'list-y.xml  10 bytes\nprices.jsonld  10 bytes',
      'attachment-1.zip!/parcels/1911-holm.zip!/list-y.xml': list(1911, 7),
      'attachment-1.zip!/parcels/1911-holm.zip!/prices.jsonld': prices,
      'attachment-2.py': 'BASE_PENCE = 10\nPENCE_A_COPY = 2\n\n\ndef charge(copies):\n    return BASE_PENCE + PENCE_A_COPY * copies\n',
    };
    const question = 'All copies of "Salt" from the parcel of 1911 are sold, and the charge is paid. How many pence remain?';
    expect(await solve('document-nested-parcels', question, said)).toEqual([String(700 - 24)]);
    const mislabelled = { ...said, 'attachment-1.zip!/parcels/1908-tarr.zip!/list-x.xml': list(1911, 4) };
    expect(await solve('document-nested-parcels', question, mislabelled)).toEqual([String(400 - 18), String(700 - 24)]);
  });

  it('leaves out the company in which a question is asked, and takes no part of a longer name', async () => {
    const question = `Add up the salt of Dornwick. This belongs to file BCDF. ${stock.question} Only the answer itself is wanted.`;
    expect(await solve('document-stock-value', question, stock.said)).toEqual([String(21 * 1_205)]);
  });

  it('knows no kind that it was not told', async () => {
    expect(await solve('document-unheard-of', 'What?', {})).toBeUndefined();
  });
});
