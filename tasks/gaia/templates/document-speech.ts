// Document tasks on recordings: amounts that are read out, and days that are said with a sheet beside them. Every sentence is one that the recogniser was seen
// to read right (documents/utterances.ts); no invented name is evidence in speech.
import type { Random } from '../../../base/random.ts';
import { speechFile } from '../documents/speech.ts';
import { FLITE, type Speaker } from '../documents/speech-synthesis.ts';
import { cellRead, type SheetTable } from '../documents/table.ts';
import { type Utterance, utterances } from '../documents/utterances.ts';
import { workbookFile } from '../documents/workbook.ts';
import { draftPlan, op, v } from '../plan-draft.ts';
import { distinct, type Template, worded } from '../template.ts';
import { addDays, daysBetween } from '../world/calendar.ts';

/**
 * Sentences about so many different things. One that would be misread gives way to the next about the same thing, and a thing of which every sentence would be, to
 * another thing: what is drawn for the rest stays as it is.
 */
function sentencesAbout<Value>(random: Random, table: readonly Utterance<Value>[], count: number, { misread }: Speaker): Utterance<Value>[] {
  const of = Map.groupBy(table, ([, about]) => about);
  const isRight = ([say]: Utterance<Value>) => misread[say] === undefined;
  const things = random.shuffle([...of.keys()]);
  const spare = things.slice(count).filter((thing) => of.get(thing)?.some(isRight));
  return things.slice(0, count).map((drawn) => {
    const thing = of.get(drawn)?.some(isRight) ? drawn : spare.shift();
    const sentences = of.get(thing ?? '') ?? [];
    const at = sentences.indexOf(random.pick(sentences));
    const said = [...sentences.slice(at), ...sentences.slice(0, at)].find(isRight);
    if (said === undefined) throw new RangeError(`this voice says too few things right: ${count} are needed`);
    return said;
  });
}

/** What each kind of amount is called, and how the recording leads up to it. */
const AMOUNTS = [
  { kind: 'weights', label: 'pounds that the recording gives for the', before: (thing: string) => `weight of the ${thing} was` },
  { kind: 'visitors', label: 'people that the recording counts at the', before: (thing: string) => `number of people at the ${thing} was` },
  { kind: 'prices', label: 'dollars that the recording asks for the', before: (thing: string) => `price of the ${thing} is` },
] as const;

/** Two of the amounts that somebody reads out: their sum or difference. */
export const spokenAmounts: Template = {
  name: 'document-spoken-amounts',
  type: 'document',
  turns: AMOUNTS.length,
  write: async ({ random, turn, speaker = FLITE }) => {
    const { kind, label, before } = AMOUNTS[turn] as (typeof AMOUNTS)[number];
    const said = sentencesAbout(random, utterances()[kind], 6, speaker);
    const sentences = said.map(([say]) => say);
    const [one, other] = distinct(random, said.slice(0, -1), 2).sort((a, b) => b[2] - a[2]) as [Utterance<number>, Utterance<number>];
    const truth = turn === 1 ? one[2] - other[2] : one[2] + other[2];
    if (truth < 20) return undefined;
    const plan = draftPlan();
    const chain = plan.chain(`Hear what the attached recording says of the ${one[1]} and of the ${other[1]}.`);
    const read = (utterance: Utterance<number>) => ({
      label: `${label} ${utterance[1]}`,
      after: [before(utterance[1])],
      kind: 'number' as const,
      value: utterance[2],
      wrong: said[said.indexOf(utterance) + 1]?.[2] as number,
    });
    const at = chain.step({ tool: 'transcribe_audio', arguments: { file: 'attachment-1.wav' } }, { one: read(one), other: read(other) });
    const question = worded(
      turn,
      `Somebody reads out weights in the recording that is attached. How many pounds do the ${one[1]} and the ${other[1]} weigh together?`,
      `By how many people was the ${one[1]} better attended than the ${other[1]}, going by what you hear in the attached audio file?`,
      `Listen to the price list. What would one have to pay, in dollars, for the ${one[1]} and the ${other[1]} at once?`,
    );
    const answer = op(turn === 1 ? 'subtract' : 'add', v(at.one), v(at.other));
    return { question, truth: String(truth), plan: plan.finish(question, answer, truth), attachments: [await speechFile(sentences, speaker)] };
  },
};

/** From a day that is said to a day on a sheet: two chains. */
export const spokenDays: Template = {
  name: 'document-spoken-days',
  type: 'document',
  turns: 2,
  write: async ({ random, turn, speaker = FLITE }) => {
    const said = sentencesAbout(random, utterances().openings, 5, speaker);
    const sentences = said.map(([say]) => say);
    const place = random.integer(0, said.length - 2);
    const [[, asked, opened], [, , neighbour]] = [said[place], said[place + 1]] as [Utterance<string>, Utterance<string>];
    const works: SheetTable = {
      name: 'Works',
      columns: ['Building', 'First repaired', 'Repainted'],
      rows: random
        .shuffle(said)
        .map(([, building, day]) => [capitalised(building), addDays(day, random.integer(210, 1_900)), addDays(day, random.integer(2_100, 5_900))]),
    };
    const column = turn === 0 ? 'First repaired' : 'Repainted';
    const cell = cellRead('xlsx', works, capitalised(asked), column, `day on which the ${asked} was ${column.toLowerCase()}`);
    const truth = daysBetween(opened, String(cell.value));
    const plan = draftPlan();
    const heard = plan
      .chain(`Hear on which day the ${asked} was opened, in the attached recording.`)
      .step(
        { tool: 'transcribe_audio', arguments: { file: 'attachment-1.wav' } },
        { opened: { label: `opening day of the ${asked}`, after: [`The ${asked} was opened on`], kind: 'date', value: opened, wrong: neighbour } },
      );
    const listed = plan
      .chain(`Find the day on which the ${asked} was ${column.toLowerCase()}, on the attached sheet of works.`)
      .step({ tool: 'read_spreadsheet', arguments: { file: 'attachment-2.xlsx', sheet: 'Works' } }, { day: cell });
    const question = worded(
      turn,
      `How many days after its opening, the day of which is only said in the recording, did the ${asked} see its first repair? The sheet lists all works.`,
      `A voice tells when each building was opened, a workbook when it got new paint. For the ${asked}, what is the number of days from the one to the other?`,
    );
    const answer = { op: 'days-between', from: v(heard.opened), to: v(listed.day) } as const;
    return {
      question,
      truth: String(truth),
      plan: plan.finish(question, answer, truth),
      attachments: [await speechFile(sentences, speaker), await workbookFile([works], 'Works')],
    };
  },
};

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
