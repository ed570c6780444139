// Questions that hold all that is needed: parsed from their words, and answered by trying what is possible.
import type { World } from '../world/world.ts';

type Answers = readonly (string | number)[];

const numbersIn = (text: string) => [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));
const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function orders<T>(of: readonly T[]): T[][] {
  return of.length < 2 ? [[...of]] : of.flatMap((one) => orders(of.filter((other) => other !== one)).map((rest) => [one, ...rest]));
}

const listAfter = (text: string, pattern: RegExp) => pattern.exec(text)?.[1]?.split(', ') ?? [];

const RECIPES: Readonly<Record<string, (text: string, world: World) => Answers>> = {
  'zero-queue': (text) => {
    const people = listAfter(text, /(?:one line: |hikers \()([A-Z][\w, ]*?)[.)]/);
    const clues: ((at: (name: string) => number) => boolean)[] = [];
    const each = (pattern: RegExp, make: (a: string, b: string) => (at: (name: string) => number) => boolean) => {
      for (const [, a = '', b = ''] of text.matchAll(pattern)) clues.push(make(a, b));
    };
    each(/(\w+) is not at the front/g, (a) => (at) => at(a) !== 0);
    each(/(\w+) is not at the end/g, (a) => (at) => at(a) !== people.length - 1);
    each(/(\w+) is somewhere before (\w+)/g, (a, b) => (at) => at(a) < at(b));
    each(/(\w+) comes directly after (\w+)/g, (a, b) => (at) => at(a) === at(b) + 1);
    each(/xactly one person stands between (\w+) and (\w+)/g, (a, b) => (at) => Math.abs(at(a) - at(b)) === 2);
    return orders(people)
      .filter((order) => clues.every((holds) => holds((name) => order.indexOf(name))))
      .map((order) => order.map((name) => name.charAt(0)).join(''));
  },
  'zero-liars': (text) => {
    const said = [...text.matchAll(/(\w+) says: "([^"]+)"/g)].map(([, speaker = '', words = '']) => ({ speaker, words }));
    const people = said.map(({ speaker }) => speaker);
    const found: number[] = [];
    for (let bits = 0; bits < 2 ** people.length; bits++) {
      const honest = (name: string) => ((bits >> people.indexOf(name)) & 1) === 1;
      const holds = (words: string): boolean => {
        const [a = '', b = ''] = words.split(' ').filter((word) => people.includes(word));
        if (words.includes('always lies')) return !honest(a);
        if (words.includes('always tells')) return honest(a);
        return words.includes('same kind') ? honest(a) === honest(b) : !honest(a) || !honest(b);
      };
      if (said.every(({ speaker, words }) => holds(words) === honest(speaker))) found.push(people.filter((name) => !honest(name)).length);
    }
    return found;
  },
  'zero-letters': (text) => {
    if (text.includes('third letter')) {
      const names = listAfter(text, /order given: ([\w, ]+)\./);
      return [
        names
          .map((name) => name.charAt(2))
          .reduce((so, letter) => letter + so, '')
          .toUpperCase(),
      ];
    }
    const names = listAfter(text, /the names ([\w, ]+) alphabetically/).sort();
    return [
      names
        .map((name) => name.charAt(name.length - 2))
        .join('')
        .toUpperCase(),
    ];
  },
  'zero-jars': (text) => {
    const [first = 0, less = 0, given = 0] = numbersIn(text);
    const times = WORDS.findIndex((word) => new RegExp(`\\b${word} times`).test(text));
    const second = first * times - less;
    return [first + second + 2 * (first + second) - given];
  },
  'zero-calendar': (text) => {
    const [, date = '', month = '', year = ''] = /(\d+) (\w+) (\d{4})/.exec(text) ?? [];
    const every = Number(/every (\d+) days|each (\d+) days/.exec(text)?.slice(1).find(Boolean));
    const nth = Number(/number (\d+)/.exec(text)?.[1]);
    const due = new Date(Date.UTC(Number(year), MONTHS.indexOf(month), Number(date) + every * (nth - 1)));
    return [WEEKDAYS[due.getUTCDay()] as string];
  },
  'zero-cipher': (text, { towns }) => {
    const [sample = '', written = '', hidden = ''] = [...text.matchAll(/"([a-z]+)"/g)].map(([, word]) => word as string);
    const turned = (word: string) => (text.includes('backwards') ? word.split('').reverse().join('') : word);
    const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
    const shift = (LETTERS.indexOf(written.charAt(0)) - LETTERS.indexOf(turned(sample).charAt(0)) + 26) % 26;
    const plain = turned(hidden.replace(/./g, (letter) => LETTERS.charAt((LETTERS.indexOf(letter) - shift + 26) % 26)));
    return towns.map(({ name }) => name.toLowerCase()).filter((name) => name === plain);
  },
  'zero-packs': (text) => {
    const [people = 0, each = 0, inPack = 0, price = 0, pounds = 0] = numbersIn(text);
    let packs = 0;
    while (packs * inPack < people * each) packs += 1;
    return [text.includes('remain') ? pounds * 100 - packs * price : packs * inPack - people * each];
  },
  'zero-journey': (text) => {
    const start = /(\d\d):(\d\d)/.exec(text);
    const spans = [...text.matchAll(/(\d+) minutes/g)].map(([, minutes]) => Number(minutes));
    const minutes = Number(start?.[1]) * 60 + Number(start?.[2]) + spans.reduce((sum, span) => sum + span, 0) + (text.includes('back by an hour') ? -60 : 60);
    return [`${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`];
  },
  'zero-rosters': (text) => {
    const [rowing, choir, chess] = ['Rowing', 'Choir', 'Chess'].map((club) => new Set(listAfter(text, new RegExp(`${club}: ([\\w, ]+)\\.`)))) as [
      Set<string>,
      Set<string>,
      Set<string>,
    ];
    const everybody = new Set([...rowing, ...choir, ...chess]);
    const fits = (name: string) =>
      text.includes('exactly two')
        ? Number(rowing.has(name)) + Number(choir.has(name)) + Number(chess.has(name)) === 2
        : rowing.has(name) && choir.has(name) && !chess.has(name);
    return [WORDS[[...everybody].filter(fits).length] as string];
  },
};

/** @returns `undefined` when this is no kind of zero-tool question */
export function solveZero(kind: string, question: string, world: World): Answers | undefined {
  return RECIPES[kind]?.(question, world);
}
