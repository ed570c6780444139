// Document tasks on text in the forms of a trade: points of a map (GeoJSON) or of a molecule (PDB-like), and parcels in an archive within an archive, whose
// papers are XML and JSON-LD and whose charge is a line of code.
import { archiveFile } from '../documents/archive.ts';
import { textFile } from '../documents/text-files.ts';
import { draftPlan, op, rounded, v } from '../plan-draft.ts';
import { distinct, type Setting, type TaskDraft, type Template, worded } from '../template.ts';
import { fillerParagraph, fillerSentence } from '../web/filler.ts';

/** The difference between two points of a map. */
export const mapPoints: Template = { name: 'document-map-points', type: 'document', write: heightDifference };

/** The distance between two atoms along one axis. */
export const atomDistance: Template = { name: 'document-atom-distance', type: 'document', write: differenceOfX };

function heightDifference({ world, random, turn }: Setting): TaskDraft | undefined {
  const lights = distinct(random, world.lighthouses, 7);
  const points = lights.map(({ name }) => ({
    name,
    depth: random.integer(112, 980),
    longitude: random.integer(40_000, 90_000) / 10_000,
    latitude: random.integer(510_000, 580_000) / 10_000,
  }));
  const [high, low] = distinct(random, points, 2) as [(typeof points)[number], (typeof points)[number]];
  const truth = high.depth - low.depth;
  if (truth < 20) return undefined;
  const plan = draftPlan();
  const chain = plan.chain(`Read the depth of water off ${high.name} and off ${low.name} from the attached map file.`);
  const read = ({ name, depth }: (typeof points)[number]) => ({
    label: `depth of water off ${name} in the map file, for ${high.name} and ${low.name}`,
    after: [`"name": "${name}"`, '"depth_cm":'],
    kind: 'number' as const,
    value: depth,
    wrong: points.find((other) => other.name !== name)?.depth ?? 0,
  });
  const at = chain.step({ tool: 'read_text', arguments: { file: 'attachment-1.geojson' } }, { high: read(high), low: read(low) });
  const map = {
    type: 'FeatureCollection',
    features: points.map(({ name, depth, longitude, latitude }) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
      properties: { name, kind: 'lighthouse', depth_cm: depth, note: fillerSentence(random) },
    })),
  };
  const question = worded(
    turn,
    `By how many centimetres is the water off ${high.name} deeper than that off ${low.name}, going by the attached GeoJSON?`,
    `The map data give a depth beside every lighthouse. Subtract that of ${low.name} from that of ${high.name}; the unit is the centimetre.`,
  );
  return {
    question,
    truth: String(truth),
    plan: plan.finish(question, op('subtract', v(at.high), v(at.low)), truth),
    attachments: [textFile('geojson', JSON.stringify(map, null, 1))],
  };
}

const RESIDUES = ['GLY', 'ALA', 'SER', 'LEU', 'VAL', 'THR', 'LYS', 'ASP', 'PHE', 'TYR'];

/** Columns as in the Protein Data Bank's files: serial number, atom, residue, chain, number, x, y, z, occupancy, temperature factor. */
function differenceOfX({ world, random, turn }: Setting): TaskDraft | undefined {
  const residues = RESIDUES.map((name, i) => ({ name, number: 11 + i, x: random.integer(12_000, 59_000) / 1_000 }));
  const [first, second] = [residues[random.integer(1, 4)], residues[random.integer(5, 8)]] as [(typeof residues)[number], (typeof residues)[number]];
  const truth = Math.round((second.x - first.x) * 1_000) / 1_000;
  if (truth < 1) return undefined;
  const sample = random.pick(world.papers).title;
  const pad = (text: string | number, width: number) => String(text).padStart(width);
  const lines = residues.flatMap(({ name, number, x }, i) =>
    ['N', 'CA', 'C'].map((atom, j) => {
      const place = atom === 'CA' ? x : x + (j - 1) * 1.458;
      const numbers = [place, random.integer(1_000, 40_000) / 1_000, random.integer(1_000, 40_000) / 1_000].map((part) => pad(part.toFixed(3), 8)).join('');
      return `ATOM  ${pad(3 * i + j + 1, 5)}  ${atom.padEnd(3)} ${name} A${pad(number, 4)}    ${numbers}  1.00${pad((random.integer(1_000, 6_000) / 100).toFixed(2), 6)}`;
    }),
  );
  const plan = draftPlan();
  const chain = plan.chain(`Read x of the CA atom of ${first.name} ${first.number} and of ${second.name} ${second.number} from the attached file of atoms.`);
  const read = ({ name, number, x }: (typeof residues)[number]) => ({
    label: `x of the CA atom of ${name} ${number}`,
    after: [`CA ${name} A ${number}`],
    kind: 'number' as const,
    value: x,
    wrong: Math.round((x + 1.458) * 1_000) / 1_000,
  });
  const at = chain.step({ tool: 'read_text', arguments: { file: 'attachment-1.pdb' } }, { first: read(first), second: read(second) });
  const [from, to] = [`the CA atom of ${first.name} ${first.number}`, `the CA atom of ${second.name} ${second.number}`];
  const question = worded(
    turn,
    `In the attached coordinates of a molecule, by how much does x of ${to} exceed x of ${from}? Three decimals at most, no unit.`,
    `The file lists atoms with x, y and z. Take x of ${to} and subtract x of ${from}; give the difference as it stands, with up to three decimals.`,
  );
  const file = textFile('pdb', [`HEADER    SAMPLE OF "${sample.toUpperCase()}"`, ...lines, 'TER', 'END'].join('\n'));
  return { question, truth: String(truth), plan: plan.finish(question, rounded(op('subtract', v(at.second), v(at.first)), 3), truth), attachments: [file] };
}

/** Listing, inner listing, XML and JSON-LD of one parcel; a charge from a program: two chains. */
export const nestedParcels: Template = {
  name: 'document-nested-parcels',
  type: 'document',
  write: ({ world, random, turn }) => {
    const years = distinct(random, [1908, 1911, 1914, 1919, 1923], 3).sort();
    const clerks = distinct(random, world.persons, 6).map(({ name }) => (name.split(' ')[1] as string).toLowerCase());
    if (new Set(clerks).size < 6) return undefined;
    const titles = distinct(random, world.books, 6).map(({ title }) => title);
    const asked = random.pick(titles.slice(1, -1));
    const parcels = years.map(() => titles.map((title) => ({ title, copies: random.integer(12, 98), pence: random.integer(105, 890) })));
    const place = random.integer(0, 2);
    const year = years[place] as number;
    const row = (parcels[place] as (typeof parcels)[number]).find(({ title }) => title === asked) as { copies: number; pence: number };
    const wrong = (parcels[(place + 1) % 3] as (typeof parcels)[number]).find(({ title }) => title === asked) as { copies: number; pence: number };
    const [base, rate] = [random.integer(210, 990), random.integer(12, 49)];
    const charge = base + rate * row.copies;
    const truth = turn === 1 ? row.copies * row.pence + charge : row.copies * row.pence - charge;
    if (truth <= 1_000) return undefined;
    const what = `${asked} in the parcel of ${year}`;
    const plan = draftPlan();
    const worth = plan.chain(`Work out copies times price of ${what}: the papers lie in an archive within the attached archive.`);
    const outer = worth.step(
      { tool: 'list_archive', arguments: { file: 'attachment-1.zip' } },
      {
        clerk: {
          label: `clerk in the name of the archive with ${what}`,
          after: [`parcels/${year}-`],
          kind: 'text',
          until: ['.zip'],
          value: clerks[place] as string,
        },
      },
    );
    const archive = `attachment-1.zip!/parcels/${year}-{{${outer.clerk}}}.zip`;
    const inner = worth.step(
      { tool: 'list_archive', arguments: { file: archive } },
      { packer: { label: `packer in the name of the list with ${what}`, after: ['list-'], kind: 'text', until: ['.xml'], value: clerks[place + 3] as string } },
    );
    const listed = worth.step(
      { tool: 'read_text', arguments: { file: `${archive}!/list-{{${inner.packer}}}.xml` } },
      { copies: { label: `copies of ${what}`, after: [`<title>${asked}</title>`, '<copies>'], kind: 'number', value: row.copies, wrong: wrong.copies } },
    );
    const priced = worth.step(
      { tool: 'read_text', arguments: { file: `${archive}!/prices.jsonld` } },
      { pence: { label: `price of ${what}`, after: [`"name": "${asked}"`, '"price":'], kind: 'number', value: row.pence, wrong: wrong.pence } },
    );
    const value = worth.calculate(`worth of ${what}`, op('multiply', v(listed.copies), v(priced.pence)));
    const charged = plan.chain(`Read from the attached program how the charge for sending ${asked} is worked out: a base and a rate a copy.`);
    const code = charged.step(
      { tool: 'read_text', arguments: { file: 'attachment-2.py' } },
      {
        base: { label: `base of the charge for sending ${asked}`, after: ['BASE_PENCE ='], kind: 'number', value: base, wrong: base + 10 },
        rate: { label: `rate a copy of the charge for sending ${asked}`, after: ['PENCE_A_COPY ='], kind: 'number', value: rate, wrong: rate + 1 },
      },
    );
    const sending = op('add', v(code.base), op('multiply', v(code.rate), v(listed.copies)));
    const question = worded(
      turn,
      `All copies of "${asked}" from the parcel of ${year} are sold at the price in its papers, and the charge that the Python function works out for them is paid. How many pence remain? Parcels are archives within the archive.`,
      `The parcel of ${year} holds several copies of "${asked}". What do they cost including the charge for sending, in pence? Number and price are in the nested archive, the charge in the code.`,
    );
    const members = Object.fromEntries(
      years.map((name, i) => {
        const rows = parcels[i] as (typeof parcels)[number];
        const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<parcel year="${name}">\n${rows.map(({ title, copies }) => `  <book>\n    <title>${title}</title>\n    <copies>${copies}</copies>\n  </book>`).join('\n')}\n</parcel>`;
        const prices = {
          '@context': 'https://schema.org/',
          '@graph': rows.map(({ title, pence }) => ({ '@type': 'Book', name: title, offers: { '@type': 'Offer', price: pence, priceCurrency: 'pence' } })),
        };
        const papers = { [`list-${clerks[i + 3]}.xml`]: textFile('xml', xml), 'prices.jsonld': textFile('jsonld', JSON.stringify(prices, null, 1)) };
        return [`parcels/${name}-${clerks[i]}.zip`, archiveFile(papers)];
      }),
    );
    const program = `"""What the carrier takes for a parcel of books."""

BASE_PENCE = ${base}
PENCE_A_COPY = ${rate}


def charge(copies):
    return BASE_PENCE + PENCE_A_COPY * copies
`;
    const attachments = [archiveFile({ ...members, 'parcels/note.txt': textFile('txt', fillerParagraph(random)) }), textFile('py', program)];
    return { question, truth: String(truth), plan: plan.finish(question, op(turn === 1 ? 'add' : 'subtract', v(value), sending), truth), attachments };
  },
};
