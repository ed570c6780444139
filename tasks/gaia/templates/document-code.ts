// Document tasks that are programs: what one prints can be told by running it, and hardly by reading it. `document-texts.ts` has one whose constants are enough.
import { textFile } from '../documents/text-files.ts';
import { draftPlan, v } from '../plan-draft.ts';
import { distinct, type Template, worded } from '../template.ts';

/** Draws that both languages make alike: every product stays far below 2^53. */
function draws(start: number): () => number {
  let state = start;
  return () => {
    state = (state * 1_103 + 12_347) % 65_537;
    return state;
  };
}

/** Crates by ship, after a season of days whose draws follow from each other. */
export const programRun: Template = {
  name: 'document-program-run',
  type: 'document',
  turns: 2,
  write: ({ world, random, turn }) => {
    const ships = distinct(random, world.ships, 6).map(({ name }) => name);
    const [start, days] = [random.integer(1_000, 60_000), random.integer(180, 320)];
    const crates = new Map(ships.map((ship) => [ship, 0]));
    const next = draws(start);
    for (let day = 1; day <= days; day++) {
      const ship = ships[next() % ships.length] as string;
      crates.set(ship, (crates.get(ship) ?? 0) + (next() % 7) + (day % 3 === 0 ? 2 : 1));
    }
    const [asked, other] = distinct(random, ships, 2) as [string, string];
    const truth = crates.get(asked) ?? 0;
    const program = `// Crates that each ship lands in a season.
const ships = ${JSON.stringify(ships, undefined, 2)};

let state = ${start};
function next() {
  state = (state * 1103 + 12347) % 65537;
  return state;
}

const crates = Object.fromEntries(ships.map((ship) => [ship, 0]));
for (let day = 1; day <= ${days}; day += 1) {
  const ship = ships[next() % ships.length];
  crates[ship] += (next() % 7) + (day % 3 === 0 ? 2 : 1);
}

for (const ship of ships) console.log(ship + ' lands ' + crates[ship] + ' crates');
`;
    const plan = draftPlan();
    const chain = plan.chain(`Run the attached JavaScript program and read how many crates it prints for ${asked}.`);
    const { count } = chain.step(
      { tool: 'run_javascript', arguments: { code: 'eval(readText("attachment-1.js"))' } },
      {
        count: {
          label: `crates that the program prints for ${asked}`,
          after: [`${asked} lands`],
          kind: 'number',
          value: truth,
          wrong: crates.get(other) ?? 0,
        },
      },
    );
    const question = worded(
      turn,
      `The attached JavaScript program prints one line for each ship. How many crates does it give for ${asked}?`,
      `What does the JavaScript file in the attachment, run as it is, report as the number of crates of ${asked}?`,
    );
    return { question, truth: String(truth), plan: plan.finish(question, v(count), truth), attachments: [textFile('js', program)] };
  },
};

/** Which keeper comes out of a count-out over the rows of a second file. */
export const programOverData: Template = {
  name: 'document-program-over-data',
  type: 'document',
  turns: 2,
  write: ({ world, random, turn }) => {
    const keepers = distinct(random, world.persons, 9).map(({ name }) => name);
    const [start, rounds] = [random.integer(1_000, 60_000), random.integer(60, 140)];
    const rows = keepers.map((keeper) => ({ keeper, lamps: random.integer(11, 94) }));
    const lit = new Map(rows.map(({ keeper, lamps }) => [keeper, lamps]));
    const next = draws(start);
    for (let round = 0; round < rounds; round++) {
      const keeper = keepers[next() % keepers.length] as string;
      lit.set(keeper, ((lit.get(keeper) ?? 0) * 3 + next()) % 997);
    }
    const [asked, other] = distinct(random, keepers, 2) as [string, string];
    const truth = lit.get(asked) ?? 0;
    const program = `"""Lamps that each keeper has lit at the end of the watch."""
import csv

with open("attachment-2.csv", encoding="utf-8") as file:
    lamps = {row["keeper"]: int(row["lamps"]) for row in csv.DictReader(file)}

keepers = list(lamps)
state = ${start}


def draw():
    global state
    state = (state * 1103 + 12347) % 65537
    return state


for _ in range(${rounds}):
    keeper = keepers[draw() % len(keepers)]
    lamps[keeper] = (lamps[keeper] * 3 + draw()) % 997

for keeper, lit in lamps.items():
    print(keeper, "has lit", lit, "lamps")
`;
    const plan = draftPlan();
    const chain = plan.chain(`Run the attached Python program over the attached table and read how many lamps it prints for ${asked}.`);
    const { count } = chain.step(
      { tool: 'run_python', arguments: { code: 'exec(open("attachment-1.py").read())' } },
      {
        count: {
          label: `lamps that the program prints for ${asked}`,
          after: [`${asked} has lit`],
          kind: 'number',
          value: truth,
          wrong: lit.get(other) ?? 0,
        },
      },
    );
    const question = worded(
      turn,
      `The attached Python program works through the attached table. How many lamps does it print for ${asked}?`,
      `Run over the table that comes with it, the Python file in the attachment ends with a line about ${asked}. Which number of lamps stands there?`,
    );
    const table = ['keeper,lamps', ...rows.map(({ keeper, lamps }) => `${keeper},${lamps}`), ''].join('\n');
    return { question, truth: String(truth), plan: plan.finish(question, v(count), truth), attachments: [textFile('py', program), textFile('csv', table)] };
  },
};
