// Question templates that the repository's own tests have not seen: `agentgauge reproduce --tasks held-out --held-out examples/held-out`. Write your own in a folder of
// yours; only the export `templates` is read. A template writes a question, what is right, and a plan: how a careful person would find it with the tools, as data.
// `world` and `web` hold the seeded world and its pages, `random` is seeded, `turn` counts from 0 to `count` (the last one is a warm-up that is never scored).

interface Setting {
  readonly random: { integer(low: number, high: number): number; shuffle<T>(of: readonly T[]): T[] };
  readonly turn: number;
}

const GROWERS = ['Osmund', 'Perrin', 'Quilla', 'Rosalt', 'Sabine', 'Tormod', 'Ulrike', 'Velten'];
const FRUITS = ['quinces', 'medlars', 'damsons', 'sloes'];

/** Crates that two growers brought, from a text of one line each; a second list of another year stands below it and misleads. */
const crates = {
  name: 'held-out-crates',
  type: 'document',
  count: 3,
  write: ({ random, turn }: Setting) => {
    const fruit = FRUITS[turn % FRUITS.length] as string;
    const growers = random.shuffle(GROWERS).slice(0, 5);
    const rows = growers.map((grower) => ({ grower, now: random.integer(120, 890), before: random.integer(120, 890) }));
    const [first, second] = rows as [(typeof rows)[number], (typeof rows)[number]];
    const truth = first.now + second.now;
    const near = first.before + second.before;
    if (near === truth) return undefined;
    const lines = [
      `Delivered this year, crates of ${fruit}:`,
      ...rows.map(({ grower, now }) => `${grower}, crates this year: ${now}`),
      'Delivered the year before:',
      ...rows.map(({ grower, before }) => `${grower}, crates the year before: ${before}`),
    ];
    // Each task needs words of its own: two questions that are too much alike count as one, and are refused.
    const [one, two] = [first.grower, second.grower];
    const question = [
      `Open the attached list of deliveries and add up the crates of ${fruit} that ${one} and ${two} brought this year.`,
      `${one} and ${two} share a cart. How many crates of ${fruit} did it carry in all this year, if the attached text has it right?`,
      `What is the total of ${fruit}, in crates, for ${one} together with ${two}? Only the part of the attachment that speaks of this year counts.`,
      `By the attached text, count this year's crates of ${fruit} from two growers as one: ${two}, and also ${one}.`,
    ][turn] as string;
    const label = (grower: string) => `crates of ${fruit} that ${grower} brought`;
    const read = (grower: string) => ({ label: label(grower), after: [`${grower}, crates this year:`], kind: 'number' });
    return {
      question,
      truth: String(truth),
      attachments: [{ extension: 'txt', bytes: new TextEncoder().encode(`${lines.join('\n')}\n`) }],
      plan: {
        question,
        steps: [
          {
            id: 's1',
            needs: [],
            call: { tool: 'read_text', arguments: { file: 'attachment-1.txt' } },
            reads: [
              { name: 'first', ...read(first.grower) },
              { name: 'second', ...read(second.grower) },
            ],
          },
          {
            id: 's2',
            needs: ['s1'],
            call: { tool: 'calculator', arguments: { expression: '{{s1.first}} + {{s1.second}}' } },
            reads: [{ name: 'sum', label: `crates of ${fruit} of both growers`, after: ['{{s1.first}} + {{s1.second}}', '='], kind: 'number' }],
          },
        ],
        chains: [{ sentence: `Add up what ${first.grower} and ${second.grower} brought of ${fruit} this year, by the attached list.`, steps: ['s1', 's2'] }],
        answer: { value: 's2.sum' },
        nearMisses: [String(near)],
      },
    };
  },
};

export const templates = [crates];
