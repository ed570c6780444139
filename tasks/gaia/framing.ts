// Sentences around a question: a set with more tasks than there are wordings asks the same thing in other company, as people do. Each stands alone, holds no
// digit and no name of the world, and changes nothing about the answer.
import type { Random } from '../../base/random.ts';

const BEFORE = [
  'Two colleagues have a bet on this, and the loser buys lunch.',
  'I am preparing a quiz evening and want to be certain about one answer.',
  'My niece has to hand in her homework tomorrow and got stuck at this point.',
  'A reader wrote to our magazine, and the desk needs a dependable reply.',
  'While sorting an estate I came across a note that raises a question.',
  'For the caption of an exhibition panel we need one figure or name checked.',
  'An insurance form asks for something that I cannot find in my papers.',
  'Our walking club argues about this every single summer.',
  'Please help me to fill the last gap in a crossword of my own making.',
  'The radio programme will not go on air before this is settled.',
  'I am translating a travel book, and its author left a blank here.',
  'Someone in the family tells a story, and I would like to know if it is true.',
  'A footnote of my thesis is still missing its evidence.',
  'The council wants a short answer without any explanation.',
  'Before the brochure goes to the printer, one statement has to be verified.',
  'Somebody asked this at the counter, and nobody on duty could tell.',
  'This came up at dinner, and opinions were divided.',
  'You are helping an archivist who checks a catalogue line by line.',
  'In an old diary there is a riddle that can be solved with public sources.',
  'A student of mine claims that this can be found within minutes.',
  'Here is something for a patient researcher.',
  'The auction house needs this fact for a certificate.',
  'We are building a timeline for the school corridor.',
  'My predecessor left me an unfinished spreadsheet, with one empty cell.',
  'Take this as an exercise in careful reading.',
  'Our lawyers want to have it confirmed from the source.',
  'I lost my notes from last year and have to look it up again.',
  'The guide of a coach tour was asked this and promised to reply by letter.',
  'For a game of trivia among friends, the right answer has to be on the card.',
  'Let us see whether you can work this out.',
];
const AFTER = [
  'Only the answer itself is wanted.',
  'Be careful, since careless copies of such records are about.',
  'Do not guess; look it up or work it out.',
  'A bare answer is enough, no sentence around it.',
  'Nothing else needs to be mentioned.',
  'Please double-check before you reply.',
  'The reply goes straight onto a card, so keep it bare.',
  'We shall not have time to ask again, so get it right.',
  'Write no units and no remarks beside it.',
  'Whoever reads the reply knows the context already.',
  'Thank you for going to the trouble.',
  'Take all the time that you need for it.',
];

export function framed(question: string, random: Random): string {
  return `${random.pick(BEFORE)} ${question} ${random.pick(AFTER)}`;
}

/** Four letters for a task whose sentences name nothing of the world, so that they differ from those of its like: no digit, no word. */
export function fileMark(random: Random): string {
  return Array.from({ length: 4 }, () => random.pick([...'BCDFGHJKLMNPQRSTVWXZ'])).join('');
}
