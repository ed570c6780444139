// Questions about documents that are no plain tables: text and code, archives, slides and minutes, pictures, recordings. Recipes as in solve-tables.ts.
import { cells, column, linesInPicture, type Papers, pagesOf } from './papers.ts';
import type { DocumentRecipe } from './solve-tables.ts';
import { combined, dayNumber, figure, same, total } from './wording.ts';

const figures = (texts: readonly string[]) => texts.map(figure);

/** What a pattern catches everywhere in a text. */
function caught(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found);
}

/** The numbers in the one place of a program that looks like this. @throws Error for none or two: then it is another program, and not known by heart */
function numbersIn(program: string, pattern: RegExp): number[] {
  const found = [...program.matchAll(pattern)];
  if (found.length !== 1) throw new Error(`the program has ${found.length} lines like ${pattern.source}`);
  return (found[0] as RegExpExecArray).slice(1).map(Number);
}

/** The generator of draws that a program spells out, in whole numbers of any size. */
function drawsOf(program: string): () => number {
  let [state] = numbersIn(program, /^(?:let )?state = (\d+);?$/gm).map(BigInt) as [bigint];
  const [times, plus, modulus] = numbersIn(program, /state = \(state \* (\d+) \+ (\d+)\) % (\d+)/g).map(BigInt) as [bigint, bigint, bigint];
  return () => {
    state = (state * times + plus) % modulus;
    return Number(state);
  };
}

/** What a recording says of a thing: the figure or day behind it. */
function heard(papers: Papers, of: string, thing: string): string[] {
  return caught(papers.only('wav'), new RegExp(`^\\[\\d+:\\d\\d\\] .*\\b${of} ${thing} (?:was opened on|was|is) [$£]?(.+?)(?: pounds| dollars)?\\.?$`, 'gim'));
}

export const FILE_RECIPES: Readonly<Record<string, DocumentRecipe>> = {
  'document-program-run': (asked, papers) => {
    const program = papers.only('js');
    const ships = JSON.parse(/^const ships = (\[[^\]]*\]);$/m.exec(program)?.[1] ?? '[]') as string[];
    const [from, to, by] = numbersIn(program, /for \(let day = (\d+); day <= (\d+); day \+= (\d+)\)/g) as [number, number, number];
    const [most, every, more, less] = numbersIn(program, /crates\[ship\] \+= \(next\(\) % (\d+)\) \+ \(day % (\d+) === 0 \? (\d+) : (\d+)\);/g) as [
      number,
      number,
      number,
      number,
    ];
    const draw = drawsOf(program);
    const landed = new Map(ships.map((ship) => [ship, 0]));
    for (let day = from; day <= to; day += by) {
      const ship = ships[draw() % ships.length] as string;
      landed.set(ship, (landed.get(ship) as number) + (draw() % most) + (day % every === 0 ? more : less));
    }
    return asked.named(ships).map((ship) => landed.get(ship) as number);
  },
  'document-program-over-data': (asked, papers) => {
    const program = papers.only('py');
    const table = papers.with('keeper', 'lamps');
    const lit = new Map(column(table, 'keeper').map((keeper, i) => [keeper, figure(column(table, 'lamps')[i] ?? '')]));
    const keepers = [...lit.keys()];
    const [rounds] = numbersIn(program, /for _ in range\((\d+)\):/g) as [number];
    const [times, modulus] = numbersIn(program, /lamps\[keeper\] = \(lamps\[keeper\] \* (\d+) \+ draw\(\)\) % (\d+)/g) as [number, number];
    const draw = drawsOf(program);
    for (let round = 0; round < rounds; round++) {
      const keeper = keepers[draw() % keepers.length] as string;
      lit.set(keeper, ((lit.get(keeper) as number) * times + draw()) % modulus);
    }
    return asked.named(keepers).map((keeper) => lit.get(keeper) as number);
  },
  'document-code-output': async (asked, papers) => {
    const [program, ...more] = papers.of(asked.says(/Python/) ? 'py' : 'js');
    if (!program || more.length > 0) throw new Error('one program is due');
    return await papers.printed(program);
  },
  'document-map-points': (asked, papers) => {
    const pair = asked.says(/Subtract that of/)
      ? asked.told(/Subtract that of (.+?) from that of (.+?);/).reverse()
      : asked.told(/water off (.+?) deeper than that off (.+?), going by/);
    const maps = papers.json('geojson') as { features: { properties: { name: string; depth_cm: number } }[] }[];
    const points = maps.flatMap(({ features }) => features.map(({ properties }) => properties));
    const [first, second] = pair.map((name) => points.filter((point) => point.name === name).map((point) => point.depth_cm));
    return combined([first ?? [], second ?? []], (high = 0, low = 0) => high - low);
  },
  'document-atom-distance': (asked, papers) => {
    const lines = papers.only('pdb').split('\n');
    // Columns of the Protein Data Bank: atom 13-16, residue 18-20, its number 23-26, x 31-38, and so on to 66.
    const records = lines.filter((line) => line.startsWith('ATOM'));
    if (records.some(({ length }) => length !== 66)) throw new Error('an atom does not keep to its columns');
    const atoms = records.map((line) => ({
      atom: line.slice(12, 16).trim(),
      residue: `${line.slice(17, 20)} ${line.slice(22, 26).trim()}`,
      x: figure(line.slice(30, 38)),
    }));
    const pair = asked.told(
      /x of the CA atom of (\w+ \d+) exceed x of the CA atom of (\w+ \d+)/,
      /x of the CA atom of (\w+ \d+) and subtract x of the CA atom of (\w+ \d+)/,
    );
    const [first, second] = pair.map((residue) => atoms.filter((at) => at.atom === 'CA' && at.residue === residue).map(({ x }) => Math.round(x * 1_000)));
    return combined([first ?? [], second ?? []], (a = 0, b = 0) => (a - b) / 1_000);
  },
  'document-nested-parcels': (asked, papers) => {
    const [title = ''] = asked.told(/"([^"]+)"/);
    const [year = ''] = asked.told(/parcel of (\d{4})/);
    // The name of the archive and the list within it must name the same year, or two answers fit.
    const lists = papers.of('xml').filter(({ path, text }) => path.includes(`/${year}-`) || text.includes(`<parcel year="${year}">`));
    const books = lists.flatMap(({ path, text }) => {
      const priced = papers.of('jsonld').filter((paper) => folderOf(paper.path) === folderOf(path));
      const offers = priced.flatMap((paper) => (JSON.parse(paper.text) as { '@graph': { name: string; offers: { price: number } }[] })['@graph']);
      const entries = text.split('<book>').filter((entry) => same(/<title>(.*?)<\/title>/.exec(entry)?.[1], title));
      const copies = entries.flatMap((entry) => figures(caught(entry, /<copies>(.*?)<\/copies>/g)));
      return combined([copies, offers.filter(({ name }) => name === title).map(({ offers: { price } }) => price)], (count = 0, pence = 0) => ({
        count,
        pence,
      }));
    });
    const program = papers.only('py');
    const [, base = '', rate = ''] = /return (\w+) \+ (\w+) \* copies$/m.exec(program) ?? [];
    const constant = (name: string) => numbersIn(program, new RegExp(`^${name} = (\\d+)$`, 'gm'))[0] as number;
    const sign = asked.meant([
      [/remain/, -1],
      [/including the charge/, 1],
    ]);
    return books.map(({ count, pence }) => count * pence + sign * (constant(base) + constant(rate) * count));
  },
  'document-board-decision': (asked, papers) => {
    const [slides, minutes] = [papers.only('pptx'), papers.only('docx')];
    const prices = papers.with('Festival', 'Pence');
    const [festival = '', ...others] = asked.named(column(prices, 'Festival'));
    const [hall = ''] = asked.named(column(papers.with('Hall', 'Pence a day'), 'Hall'));
    if (others.length > 0) throw new Error(`the question names ${[festival, ...others].join(' and ')}`);
    const corrected = caught(slides, /^Notes: (.*)$/gm).flatMap((notes) =>
      notes.includes(`For ${festival} count on`) ? caught(notes, /count on ([\d,]+) guests/g) : [],
    );
    const guests = corrected.length > 0 ? corrected : cells(papers.with('Festival', 'Guests'), 'Festival', festival, 'Guests');
    const days = caught(minutes, new RegExp(`For ${festival} the ${hall.toLowerCase()} is taken for ([\\d,]+) days\\.`, 'g'));
    const rents = cells(papers.with('Hall', 'Pence a day'), 'Hall', hall, 'Pence a day');
    const sign = asked.meant([
      [/bring in once|minus the hire/, -1],
      [/^Add what/, 1],
    ]);
    return combined(
      [guests, cells(prices, 'Festival', festival, 'Pence'), days, rents].map(figures),
      (people = 0, price = 0, nights = 0, rent = 0) => people * price + sign * nights * rent,
    );
  },
  'document-sign-picture': (asked, papers) => {
    const fares = linesInPicture(papers.only('jpg')).map((line) => /^(.+) (\d+)$/.exec(line.trim())?.slice(1) ?? []);
    const bought = [...asked.text.matchAll(/\b(one|\d+) (?:tickets of the kind |of the kind |times |x )?"([^"]+)"/g)];
    if (bought.length !== 2) throw new Error(`two kinds of tickets are due, and the question names ${bought.length}`);
    const sums = bought.map(([, count = '', kind]) => {
      const many = count === 'one' ? 1 : Number(count);
      return fares.filter(([name]) => same(name, kind)).map(([, pence = '']) => many * figure(pence));
    });
    return combined(sums, (...parts) => total(parts));
  },
  'document-chart-bars': (asked, papers) => {
    const [colour = ''] = asked.told(/\b(\w+) bars? (?:make|stand)/, /with a (\w+) bar/);
    const bars = linesInPicture(papers.only('png')).map((line) => /^(.+?) ([\d,]+) +\[beside it: (\w+) \d+ x \d+\]$/.exec(line.trim())?.slice(1) ?? []);
    const matching = bars.filter(([, , beside]) => same(beside, colour));
    if (matching.length === 0) throw new Error(`no bar is ${colour}`);
    return [total(matching.map(([, tons = '']) => figure(tons)))];
  },
  'document-scanned-bill': (asked, papers) => {
    const [store = ''] = asked.told(/of the (\w+) store cost/, /that the (\w+) store's scanned bill/, /on the (\w+) store's bill/);
    const [good = ''] = asked.told(/does the (.+?) of the \w+ store cost/, /bill asks for (.+?), and/, /amount for (.+?) on the/);
    const pages = pagesOf(papers.only('pdf'));
    // The guide and the heads of the bills must agree, or two answers fit.
    const listed = pages.flatMap(({ paragraphs }) =>
      paragraphs.flatMap((text) => caught(text, new RegExp(`The bill of the ${store} store is on page (\\d+)`, 'g'))),
    );
    const bills = pages.filter(({ page, lines }) => same(lines[0], `Bill of the ${store} store`) || listed.includes(String(page)));
    const asks = bills.flatMap(({ lines }) =>
      lines.flatMap((line) => {
        const [, name, crates = '', pence = ''] = /^(.+): ([\d,]+) crates at ([\d,]+) pence$/.exec(line.trim()) ?? [];
        return same(name, good) ? [figure(crates) * figure(pence)] : [];
      }),
    );
    const duties = linesInPicture(papers.only('jpg')).flatMap((line) => {
      const [, name, pence = ''] = /^(.+): (\d+)$/.exec(line.trim()) ?? [];
      return same(name, good) ? [figure(pence)] : [];
    });
    const returned = papers.with('Goods', 'Crates', 'Store').flatMap(({ columns, rows, ...table }) => {
      const here = { ...table, columns, rows: rows.filter((row) => same(row.cells[columns.indexOf('Store')], store)) };
      return cells([here], 'Goods', good, 'Crates');
    });
    if (returned.length === 0) throw new Error(`no ${good} was sent back`);
    const sign = asked.meant([
      [/less the duty|subtract duty/, -1],
      [/^Add two things/, 1],
    ]);
    return combined([asks, duties], (asks_ = 0, duty = 0) => asks_ + sign * duty * total(figures(returned)));
  },
  'document-spoken-amounts': (asked, papers) => {
    const [one = '', other = ''] = asked.told(
      /do the (.+?) and the (.+?) weigh together/,
      /was the (.+?) better attended than the (.+?), going/,
      /for the (.+?) and the (.+?) at once/,
    );
    const of = asked.meant([
      [/pounds/, 'weight of the'],
      [/people/, 'number of people at the'],
      [/dollars/, 'price of the'],
    ]);
    const sign = asked.says(/better attended/) ? -1 : 1;
    return combined([heard(papers, of, one), heard(papers, of, other)].map(figures), (a = 0, b = 0) => a + sign * b);
  },
  'document-spoken-days': (asked, papers) => {
    const [building = ''] = asked.told(/did the (.+?) see its first repair/, /For the (.+?), what is the number of days/);
    const wanted = asked.meant([
      [/first repair/, 'First repaired'],
      [/new paint/, 'Repainted'],
    ]);
    const done = cells(papers.with('Building', wanted), 'Building', building, wanted);
    return combined([heard(papers, 'The', building).map(dayNumber), done.map(dayNumber)], (opened = 0, then = 0) => then - opened);
  },
  'document-json-keeper': (asked, papers) => {
    const [ship = ''] = asked.told(/berth at which (.+?) lies/);
    const files = papers.json('json') as { berths?: { ship: string; keeper: string }[]; staff?: { name: string; badge: number }[] }[];
    const keepers = files.flatMap(({ berths = [] }) => berths.filter((berth) => berth.ship === ship).map(({ keeper }) => keeper));
    return files.flatMap(({ staff = [] }) => staff.filter(({ name }) => keepers.includes(name)).map(({ badge }) => badge));
  },
  'document-log-days': (asked, papers) => {
    const [from = '', to = ''] = asked.told(/between "(.+?)" and "(.+?)"/);
    const book = papers.only('txt');
    const days = [from, to].map((event) => caught(book, new RegExp(`^${event}: (\\d+ \\w+ \\d{4})\\b`, 'gm')).map(dayNumber));
    const lost = figures(caught(book, /^Days lost to the strike: (\d+)$/gm));
    return combined([...days, lost], (first = 0, last = 0, pause = 0) => last - first - pause);
  },
};

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
