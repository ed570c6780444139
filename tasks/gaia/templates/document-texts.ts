// Document tasks on plain files: JSON that points into JSON, the output of a short program, dates in a log.
import { jsonFile, textFile } from '../documents/text-files.ts';
import { draftPlan, op, v } from '../plan-draft.ts';
import { distinct, type Template, worded } from '../template.ts';
import { fillerSentence } from '../web/filler.ts';
import { addDays, daysBetween, longDate } from '../world/calendar.ts';

/** Berth to keeper in one file, keeper to day in the other. */
export const jsonKeeper: Template = {
  name: 'document-json-keeper',
  type: 'document',
  write: ({ world, random, turn }) => {
    const ships = distinct(random, world.ships, 7);
    const keepers = distinct(random, world.persons, 7);
    const berths = ships.map(({ name }, i) => ({
      berth: `Quay ${String.fromCharCode(65 + i)}`,
      ship: name,
      keeper: keepers[i]?.name ?? '',
      depthCm: random.integer(310, 940),
    }));
    const staff = random.shuffle(keepers).map(({ name }) => ({
      name,
      shift: random.pick(['day', 'night']),
      badge: random.integer(10_100, 98_900),
      since: addDays('2006-01-01', random.integer(0, 6_000)),
    }));
    const asked = random.pick(berths);
    const person = staff.find(({ name }) => name === asked.keeper);
    const other = staff.find(({ name }) => name !== asked.keeper);
    if (!person || !other) return undefined;
    const plan = draftPlan();
    const chain = plan.chain(`Find the badge number of the keeper of the berth where ${asked.ship} lies, from the two attached JSON files.`);
    const { keeper } = chain.step(
      { tool: 'read_text', arguments: { file: 'attachment-1.json' } },
      {
        keeper: {
          label: `keeper of the berth of ${asked.ship}`,
          after: [`"ship": "${asked.ship}"`, '"keeper":'],
          kind: 'text',
          until: ['"', '\n'],
          value: asked.keeper,
          wrong: other.name,
        },
      },
    );
    const { badge } = chain.step(
      { tool: 'read_text', arguments: { file: 'attachment-2.json' } },
      {
        badge: {
          label: `badge of the keeper of the berth of ${asked.ship}`,
          after: [`"name": "{{${keeper}}}"`, '"badge":'],
          kind: 'number',
          value: person.badge,
          wrong: other.badge,
        },
      },
    );
    const question = worded(
      turn,
      `One attached file says who keeps each berth, the other lists the staff. Which badge number has the keeper of the berth at which ${asked.ship} lies?`,
    );
    return {
      question,
      truth: String(person.badge),
      plan: plan.finish(question, v(badge), person.badge),
      attachments: [jsonFile({ harbour: 'inner basin', berths }), jsonFile({ staff })],
    };
  },
};

/** What a short program prints. */
export const codeOutput: Template = {
  name: 'document-code-output',
  type: 'document',
  write: ({ random, turn }) => {
    const [rows, seats, held, decks] = [random.integer(17, 39), random.integer(12, 28), random.integer(31, 97), random.integer(3, 6)];
    const language = turn === 0 ? 'py' : 'js';
    const truth = turn === 0 ? (rows * seats - held) * decks : rows * seats + held * decks;
    const plan = draftPlan();
    const chain = plan.chain(
      turn === 0
        ? 'Read the four constants of the attached Python program about decks.'
        : 'Read the four settings of the attached JavaScript program about crates.',
    );
    const names = turn === 0 ? (['ROWS', 'SEATS_PER_ROW', 'HELD_BACK', 'DECKS'] as const) : (['stacks', 'cratesPerStack', 'looseCrates', 'sheds'] as const);
    const mark = turn === 0 ? '=' : ':';
    const read = (name: string, value: number) => ({
      label: `${name} of the program`,
      after: [`${name}${turn === 0 ? ' ' : ''}${mark}`],
      kind: 'number' as const,
      value,
      wrong: value + 1,
    });
    const at = chain.step(
      { tool: 'read_text', arguments: { file: `attachment-1.${language}` } },
      { a: read(names[0], rows), b: read(names[1], seats), h: read(names[2], held), d: read(names[3], decks) },
    );
    const answer =
      turn === 0
        ? op('multiply', op('subtract', op('multiply', v(at.a), v(at.b)), v(at.h)), v(at.d))
        : op('add', op('multiply', v(at.a), v(at.b)), op('multiply', v(at.h), v(at.d)));
    const python = `"""Seats that may be sold on the ferry."""

ROWS = ${rows}
SEATS_PER_ROW = ${seats}
HELD_BACK = ${held}
DECKS = ${decks}


def free_seats(rows, per_row, held):
    return rows * per_row - held


total = 0
for deck in range(DECKS):
    total += free_seats(ROWS, SEATS_PER_ROW, HELD_BACK)

print(total)
`;
    const javascript = `// Crates on the quay: full stacks, and loose ones in each shed.
const settings = {
  stacks: ${rows},
  cratesPerStack: ${seats},
  looseCrates: ${held},
  sheds: ${decks},
};

function countCrates({ stacks, cratesPerStack, looseCrates, sheds }) {
  let count = stacks * cratesPerStack;
  for (let shed = 0; shed < sheds; shed += 1) count += looseCrates;
  return count;
}

console.log(countCrates(settings));
`;
    const question = worded(
      turn,
      'What number does the attached Python program print when it is run as it stands?',
      'Someone runs the JavaScript file from the attachment under Node. Which single number appears on the console?',
    );
    return { question, truth: String(truth), plan: plan.finish(question, answer, truth), attachments: [textFile(language, turn === 0 ? python : javascript)] };
  },
};

/** Days between two entries of a log, less a stated pause. */
export const logDays: Template = {
  name: 'document-log-days',
  type: 'document',
  write: ({ world, random, turn }) => {
    const ship = random.pick(world.ships);
    const events = ['Keel laid', 'Frames raised', 'Planking begun', 'Engine fitted', 'Masts stepped', 'Sea trial passed'];
    let day = addDays('1998-03-01', random.integer(0, 3_000));
    const entries = events.map((event) => {
      day = addDays(day, random.integer(19, 120));
      return { event, day };
    });
    const pause = random.integer(6, 29);
    const [first, last] = [entries[random.integer(0, 2)], entries[random.integer(3, 5)]] as [(typeof entries)[number], (typeof entries)[number]];
    const truth = daysBetween(first.day, last.day) - pause;
    const log = [
      `Yard book of ${ship.name}`,
      '',
      ...entries.flatMap(({ event, day: on }) => [`${event}: ${longDate(on)}. ${fillerSentence(random)}`, '']),
      `Days lost to the strike: ${pause}`,
    ].join('\n');
    const plan = draftPlan();
    const chain = plan.chain(`Read the days of "${first.event}" and "${last.event}" and the days lost from the yard book of ${ship.name}.`);
    const read = ({ event, day: on }: (typeof entries)[number]) => ({
      label: `day of "${event}" for ${ship.name}`,
      after: [`${event}:`],
      kind: 'date' as const,
      value: on,
      wrong: addDays(on, 9),
    });
    const at = chain.step(
      { tool: 'read_text', arguments: { file: 'attachment-1.txt' } },
      {
        from: read(first),
        to: read(last),
        lost: { label: `days lost in the yard of ${ship.name}`, after: ['Days lost to the strike:'], kind: 'number', value: pause, wrong: pause + 2 },
      },
    );
    const question = worded(
      turn,
      `According to the attached yard book, how many days lay between "${first.event}" and "${last.event}", not counting the days that the strike cost?`,
    );
    const answer = op('subtract', { op: 'days-between', from: v(at.from), to: v(at.to) }, v(at.lost));
    return { question, truth: String(truth), plan: plan.finish(question, answer, truth), attachments: [textFile('txt', log)] };
  },
};
