// Invented names, each given out once. Built from roots that belong to no real person, firm or place that we know of; plain ASCII, so that every
// document format can write them, and no name is part of another, so that an anchor cannot hit the wrong row.
import type { Random } from '../../../base/random.ts';

const GIVEN = [
  'Ilvane',
  'Torrel',
  'Odrin',
  'Sephane',
  'Quillon',
  'Mireth',
  'Bastrin',
  'Corvelle',
  'Dagna',
  'Eskarn',
  'Fiorel',
  'Gisbrand',
  'Havrel',
  'Isoline',
  'Jorvik',
  'Kestra',
  'Lomund',
  'Marzine',
  'Nerolt',
  'Orsane',
  'Pelline',
  'Quarin',
  'Rosmund',
  'Sivrane',
  'Tamsel',
  'Ulvane',
  'Verrick',
  'Wendrin',
  'Yselda',
  'Zoranne',
  'Abrelle',
  'Brantin',
  'Cathrel',
  'Dorvane',
  'Elstrin',
  'Fenmarie',
  'Garrold',
  'Hestrin',
  'Ivarelle',
  'Junsine',
];
const FAMILY = [
  'Mask',
  'Dov',
  'Tarr',
  'Hel',
  'Quen',
  'Ost',
  'Vire',
  'Bral',
  'Kest',
  'Lum',
  'Orr',
  'Pell',
  'Sarn',
  'Thod',
  'Ull',
  'Wex',
  'Yarr',
  'Zand',
  'Fenn',
  'Gor',
  'Aster',
  'Brim',
  'Cand',
  'Drey',
  'Esk',
  'Falk',
  'Gant',
  'Harv',
  'Ivar',
  'Jass',
  'Karn',
  'Lorr',
  'Mund',
  'Nask',
  'Oder',
  'Prest',
  'Ruv',
  'Stell',
  'Tov',
  'Umm',
  'Vand',
  'Wick',
  'Yell',
  'Zeph',
];
const FAMILY_END = ['erin', 'rath', 'amund', 'elow', 'iskar', 'oran', 'umbry', 'estine', 'addow', 'ovane', 'asting', 'ebrand', 'ilow', 'orvane'];
const TOWN = [
  'Brask',
  'Cald',
  'Dorn',
  'Eld',
  'Frost',
  'Grann',
  'Holm',
  'Ister',
  'Jarl',
  'Korr',
  'Lund',
  'Merr',
  'Nors',
  'Ock',
  'Prall',
  'Quay',
  'Rusk',
  'Selk',
  'Tind',
  'Umber',
  'Vask',
  'Welm',
  'Yond',
  'Zell',
  'Abb',
  'Bast',
  'Cren',
  'Dask',
  'Farn',
  'Gild',
  'Hask',
  'Ivel',
  'Jost',
  'Kelm',
  'Larn',
  'Mosk',
  'Narb',
  'Oss',
  'Pesk',
  'Rimm',
  'Stav',
  'Thrap',
  'Vorn',
  'Wist',
];
const TOWN_END = ['haven', 'mere', 'stow', 'fell', 'gate', 'strand', 'moor', 'quay'];
const SHIP = [
  'Amber',
  'Silent',
  'Copper',
  'Distant',
  'Crimson',
  'Patient',
  'Hollow',
  'Northern',
  'Velvet',
  'Iron',
  'Golden',
  'Restless',
  'Painted',
  'Winter',
  'Gentle',
  'Sable',
  'Blazing',
  'Hidden',
  'Lonely',
  'Scarlet',
];
const SHIP_END = ['Petrel', 'Heron', 'Lantern', 'Compass', 'Meridian', 'Osprey', 'Tern', 'Sextant', 'Gannet', 'Cormorant'];
const CRAFT = ['Ropeworks', 'Glassworks', 'Instruments', 'Paper Mill', 'Shipyard', 'Foundry', 'Tileworks', 'Looms', 'Chandlery', 'Press'];
const TOPIC = ['Clocks', 'Lanterns', 'Maps', 'Bells', 'Salt', 'Weaving', 'Navigation', 'Printing', 'Puppets', 'Amber', 'Kites', 'Locks'];
const TITLE = [
  'Salt',
  'Borrowed',
  'Paper',
  'Quiet',
  'Ninth',
  'Tilted',
  'Burning',
  'Lost',
  'Glass',
  'Second',
  'Hidden',
  'Tin',
  'Broken',
  'Silver',
  'Wandering',
  'Frozen',
];
const TITLE_END = ['Orchard', 'Estuary', 'Ferryman', 'Winter', 'Harvest', 'Cartographer', 'Lighthouse Keeper', 'Staircase', 'Weathervane', 'Tide Table'];
const MASCOT = ['Otters', 'Anchors', 'Kestrels', 'Foxes', 'Millers', 'Rovers', 'Tridents', 'Wardens', 'Cranes', 'Badgers'];
const POINT = [
  'Sker',
  'Brann',
  'Toll',
  'Wrack',
  'Fulm',
  'Orm',
  'Sand',
  'Hask',
  'Ebb',
  'Drift',
  'Cobb',
  'Gull',
  'Lorn',
  'Mew',
  'Nab',
  'Pern',
  'Rask',
  'Stoll',
  'Tarn',
  'Vell',
];
const POINT_END = ['point', 'ness', 'rock', 'head', 'skerry'];
const RIVER = ['Ashrel', 'Bronne', 'Covel', 'Drisk', 'Evenne', 'Fallow', 'Gesk', 'Hurn', 'Inver', 'Lask'];
const FIELD = [
  'tidal drift',
  'eelgrass growth',
  'fog signals',
  'gull nesting',
  'harbour silt',
  'kelp harvests',
  'lamp oils',
  'peat layers',
  'rope fatigue',
  'salt marshes',
  'sand ripples',
  'slate weathering',
  'beach shingle',
  'chart errors',
  'dune grass',
  'herring runs',
  'ice margins',
  'lichen rings',
  'mooring loads',
  'tar residues',
];
const FIELD_END = ['on a sheltered coast', 'under winter light', 'after a dry decade', 'in brackish water', 'along a dredged channel', 'in small islands'];

const SHOW = ['Threads', 'Shadows', 'Voices', 'Patterns', 'Echoes', 'Colours', 'Traces', 'Faces', 'Letters', 'Footsteps', 'Fragments', 'Journeys'];
const SHOW_END = [
  'of the Quay',
  'of Winter',
  'from Old Harbours',
  'in Salt',
  'of the North',
  'from Small Islands',
  'by Lamplight',
  'on Paper',
  'in Copper',
  'of the Tide',
  'across the Sound',
  'under Glass',
  'from the Attic',
  'of Market Day',
  'in Blue',
  'beyond the Pier',
];

export interface Names {
  exhibition(): string;
  person(): string;
  town(): string;
  ship(): string;
  firm(craft?: string): string;
  museum(): string;
  book(): string;
  club(town: string): string;
  river(): string;
  lighthouse(): string;
  paper(): string;
}

export function createNames(random: Random): Names {
  const taken = new Set<string>();
  const unique = (make: () => string): string => {
    for (let attempt = 0; attempt < 5_000; attempt++) {
      const name = make();
      if (taken.has(name)) continue;
      taken.add(name);
      return name;
    }
    throw new RangeError('the roots of this kind of name are used up');
  };
  const root = () => random.pick(TOWN);
  const towns = supply(random, TOWN, TOWN_END, true);
  // Each family name is given once: a person can be told by it.
  const families = supply(random, FAMILY, FAMILY_END);
  return {
    person: () => `${random.pick(GIVEN)} ${families()}`,
    town: towns,
    ship: () => unique(() => `${random.pick(SHIP)} ${random.pick(SHIP_END)}`),
    firm: (craft) =>
      unique(
        () =>
          `${random.pick(FAMILY)}${random.pick(['holt', 'berg', 'sund', 'mark', 'vik'])} ${craft ?? random.pick(CRAFT.filter((c) => c !== 'Shipyard' && c !== 'Press'))}`,
      ),
    museum: () => unique(() => `${root()}sey Museum of ${random.pick(TOPIC)}`),
    book: () => unique(() => `The ${random.pick(TITLE)} ${random.pick(TITLE_END)}`),
    club: (town) => unique(() => `${town} ${random.pick(MASCOT)}`),
    lighthouse: () => unique(() => `${random.pick(POINT)}${random.pick(POINT_END)} Light`),
    river: () => unique(() => random.pick(RIVER)),
    exhibition: () => unique(() => `${random.pick(SHOW)} ${random.pick(SHOW_END)}`),
    paper: () => unique(() => `Notes on ${random.pick(FIELD)} ${random.pick(FIELD_END)}`),
  };
}

/** Made of a start and an end, each pair once; a large world that has used up all pairs gets a syllable between them. */
function supply(random: Random, starts: readonly string[], ends: readonly string[], spread = false): () => string {
  const rounds = ['', ...MIDDLES].values();
  let left: string[] = [];
  return () => {
    if (left.length === 0) {
      const middle: string | undefined = rounds.next().value;
      if (middle === undefined) throw new RangeError('the roots of this kind of name are used up');
      const order = random.shuffle(starts);
      const turns = ends.map((_, turn) => order.map((start, i) => start + middle + ends[(i + turn) % ends.length]));
      // Spread: every start is used once before any is used twice, so that small worlds have towns that nobody mixes up.
      left = spread ? turns.flat().reverse() : random.shuffle(turns.flat());
    }
    return left.pop() as string;
  };
}

const MIDDLES = ['an', 'er', 'ol', 'im', 'ud'];
