// Sentences that say nothing: they make pages as long as real ones. They hold no digit and no name of a field, so that no value is read out of them.
import type { Random } from '../../../base/random.ts';

/** The one dial of page length: 1 gives pages of one to six kilobytes. Set once by calibration, then frozen (method M4.11). */
export const PAGE_LENGTH = 1;

const OPENINGS = [
  'Visitors often remark that',
  'Older residents recall that',
  'A local guide notes that',
  'It is said that',
  'Letters from the period suggest that',
  'By common account',
  'In most seasons',
  'According to the parish notes',
  'On quiet mornings',
  'As the caretakers tell it',
];
const SUBJECTS = [
  'the light over the water',
  'the smell of tar and rope',
  'the long stone stair',
  'the market behind the square',
  'the path along the old wall',
  'the painted gable',
  'the wind from the open sea',
  'the small garden at the back',
  'the sound of the evening bell',
  'the worn oak bench',
  'the row of lime trees',
  'the narrow lane to the quay',
];
const VERBS = [
  'has changed little',
  'still draws people from far away',
  'is best seen after rain',
  'gave rise to many stories',
  'is kept up by volunteers',
  'was once the pride of the district',
  'appears on a well known postcard',
  'is mentioned in several songs',
  'can be missed by a hurried eye',
  'has been restored more than once',
];
const ENDINGS = [
  'since the days of sail',
  'in the memory of most families',
  'even in the colder months',
  'although few records remain',
  'to the delight of painters',
  'whatever the guidebooks claim',
  'and nobody seems to mind',
  'as any ferry passenger will confirm',
  'while the rest of the quarter moved on',
  'for reasons that are still debated',
];
const ASIDES = [
  'Opinions on this differ.',
  'The matter was never settled.',
  'Photographs from the time are rare.',
  'A short walk is recommended.',
  'The tea room nearby is closed in winter.',
  'Dogs are welcome on a lead.',
  'Much of this rests on hearsay.',
  'The board at the entrance tells a shorter version.',
];

export function fillerSentence(random: Random): string {
  return `${random.pick(OPENINGS)} ${random.pick(SUBJECTS)} ${random.pick(VERBS)} ${random.pick(ENDINGS)}.`;
}

export function fillerParagraph(random: Random): string {
  const sentences = Array.from({ length: random.integer(2, 4) }, () => fillerSentence(random));
  if (random.next() < 0.4) sentences.push(random.pick(ASIDES));
  return sentences.join(' ');
}
