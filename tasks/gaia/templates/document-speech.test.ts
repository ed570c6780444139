// Who speaks a recording changes the recording alone, but for sentences that are misread in that voice.
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { SPEECH_RATE, type Speaker } from '../documents/speech-synthesis.ts';
import { type Utterance, utterances, voiceReadings } from '../documents/utterances.ts';
import type { AttachedFile } from '../template.ts';
import { buildWeb } from '../web/build-web.ts';
import { createWorld } from '../world/world.ts';
import { spokenAmounts, spokenDays } from './document-speech.ts';

const world = createWorld(1);
const web = buildWeb(world);

async function written(template: typeof spokenAmounts, misread: Record<string, string> = {}) {
  const said: string[] = [];
  const speaker: Speaker = {
    rate: 8_000,
    misread,
    speak: async (sentence) => {
      said.push(sentence);
      return new Int16Array(8_000);
    },
  };
  const draft = await template.write({ world, web, turn: 0, random: seededRandom('speech', 3), speaker });
  if (!draft) throw new Error('nothing was written');
  return { said, draft };
}

/** Samples a second, by the head of the file. */
function rateOf(recording: AttachedFile | undefined): number | undefined {
  return recording && new DataView(recording.bytes.buffer).getUint32(24, true);
}

describe('recordings in another voice', () => {
  it.each([spokenAmounts, spokenDays])('of $name go with the same question and truth', async (template) => {
    const flite = await template.write({ world, web, turn: 0, random: seededRandom('speech', 3) });
    const { draft, said } = await written(template);
    const [recording, ...files] = draft.attachments ?? [];
    expect({ ...draft, attachments: files }).toEqual({ ...flite, attachments: flite?.attachments?.slice(1) });
    expect(rateOf(recording)).toBe(8_000);
    expect(recording?.bytes.length).toBe(44 + 2 * 8_000 * (0.5 + said.length * (1 + 1.5)));
    expect(rateOf(flite?.attachments?.[0])).toBe(SPEECH_RATE);
  });

  it.each([spokenAmounts, spokenDays])(
    'of $name say another sentence about the same thing where one is misread, and nothing else changes',
    async (template) => {
      const { said } = await written(template);
      const [first = '', ...others] = said;
      const { said: instead } = await written(template, { [first]: 'something else' });
      expect(instead.slice(1)).toEqual(others);
      expect(instead[0]).not.toBe(first);
      const subject = (sentence = '') => sentence.replace(/(?: was| is)?(?: opened on)? [\w ]*\d.*/, '');
      expect(subject(instead[0])).toBe(subject(first));
    },
  );

  it('say another thing where the voice says no sentence about one right', async () => {
    const { said } = await written(spokenDays);
    const about = /the \w+/i.exec(said[0] ?? '')?.[0] ?? 'nothing';
    const every = utterances().openings.filter(([say]) => say.startsWith(about));
    expect(every.length).toBeGreaterThan(2);
    const { said: instead } = await written(spokenDays, Object.fromEntries(every.map(([say]) => [say, 'something else'])));
    expect(instead.slice(1)).toEqual(said.slice(1));
    expect(said.some((sentence) => sentence.startsWith(instead[0]?.slice(0, 12) ?? ''))).toBe(false);
  });

  it('are of sentences that were all tried in the voice, and enough things are left to speak of', () => {
    const { tried, misread, engine } = voiceReadings('joe');
    const { weights, prices, visitors, openings, engine: tableEngine } = utterances();
    const all = [...weights, ...prices, ...visitors, ...openings];
    expect(engine).toBe(tableEngine);
    expect(tried).toBe(all.length);
    const sentences = new Set(all.map(([say]) => say));
    for (const sentence of Object.keys(misread)) expect(sentences).toContain(sentence);
    const tables: readonly (readonly Utterance<unknown>[])[] = [weights, prices, visitors, openings];
    for (const table of tables) {
      const things = table.flatMap(([say, about]) => (misread[say] === undefined ? [about] : []));
      expect(new Set(things).size).toBeGreaterThanOrEqual(8);
    }
  });
});
