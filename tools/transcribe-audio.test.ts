import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { speechFile } from '../tasks/gaia/documents/speech.ts';
import { utterances } from '../tasks/gaia/documents/utterances.ts';
import { decodeAudio } from './audio-file.ts';
import { stretchesOf, stretchKey } from './audio-segments.ts';
import { SpeechRecogniser } from './speech-recogniser.ts';
import { openTestSet } from './testing.ts';
import { createToolbox } from './toolbox.ts';

const scratch = mkdtempSync(join(tmpdir(), 'audio-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface WavOptions {
  readonly coding?: number;
  readonly bits?: number;
  readonly channels?: number;
  readonly rate?: number;
  /** Of the samples, as the header says it. */
  readonly promised?: number;
  /** Between the format and the samples. */
  readonly chunk?: Buffer;
}

function wav(data: Buffer, { coding = 1, bits = 16, channels = 1, rate = 16_000, promised = data.length, chunk = Buffer.alloc(0) }: WavOptions = {}): Buffer {
  const head = Buffer.alloc(36);
  head.write('RIFF');
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(coding, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt16LE((bits / 8) * channels, 32);
  head.writeUInt16LE(bits, 34);
  const start = Buffer.alloc(8);
  start.write('data');
  start.writeUInt32LE(promised, 4);
  return Buffer.concat([head, chunk, start, data]);
}

/** @param seconds loud where they are positive, silent where negative */
function sound(rate: number, ...seconds: readonly number[]): Int16Array {
  return Int16Array.from(seconds.flatMap((length) => Array.from({ length: Math.abs(length) * rate }, () => (length > 0 ? 4_000 : 0))));
}

const notRead = (kind: string) =>
  `a.wav is a recording of the kind ${kind}, which is not read; wav, mp3 and Ogg Opus are. No tool here converts it: look for the same elsewhere, or answer without it. Whoever runs the task can convert it beforehand (ffmpeg -i IN out.wav).`;

const bytesOf = (samples: Int16Array) => Buffer.from(samples.buffer);

describe('a recording', () => {
  it.each<[string, WavOptions, Buffer]>([
    ['8 bits', { bits: 8 }, Buffer.from([128, 192, 64])],
    ['16 bits', {}, Buffer.from([0, 0, 0, 64, 0, 192])],
    ['24 bits in two channels', { bits: 24, channels: 2 }, Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 64, 0, 0, 192, 0, 0, 192])],
    ['floating point', { coding: 3, bits: 32 }, Buffer.from(Float32Array.of(0, 0.5, -0.5).buffer)],
    ['16 bits, behind a chunk of odd length', { chunk: Buffer.from('LIST\x03\0\0\0abc\0', 'latin1') }, Buffer.from([0, 0, 0, 64, 0, 192])],
  ])('of %s is read as samples of one channel', async (_, options, data) => {
    expect([...(await decodeAudio('a.wav', wav(data, options))).samples]).toEqual([0, 16_384, -16_384]);
  });

  it.each<[string, Buffer, string]>([
    ['is empty', Buffer.alloc(0), 'a.wav is no recording: it does not begin like a wav, mp3 or Ogg file.'],
    ['is text', Buffer.from('hello there'), 'a.wav is no recording: it does not begin like a wav, mp3 or Ogg file.'],
    ['is an m4a file, whatever its name', Buffer.from('\0\0\0\x20ftypM4A \0\0\0\0', 'latin1'), notRead('MP4 (m4a)')],
    ['is FLAC', Buffer.from('fLaC....'), notRead('FLAC')],
    ['is Ogg', Buffer.from('OggS....'), notRead('Ogg')],
    ['is AIFF', Buffer.from('FORM....AIFF'), notRead('AIFF')],
    ['is bare AAC', Buffer.from('\xff\xf1\x50\x80', 'latin1'), notRead('AAC')],
    ['is AMR', Buffer.from('#!AMR\n'), notRead('AMR')],
    ['is CAF', Buffer.from('caff\0\x01', 'latin1'), notRead('CAF')],
    ['is WebM', Buffer.from('\x1a\x45\xdf\xa3', 'latin1'), notRead('WebM')],
    ['is WMA', Buffer.from('\x30\x26\xb2\x75', 'latin1'), notRead('WMA')],
    ['ends within its head', wav(Buffer.alloc(0)).subarray(0, 30), 'a.wav is cut short or damaged: no samples were found in it.'],
    [
      'has chunks longer than itself',
      wav(Buffer.alloc(4), { chunk: Buffer.from('LIST\xff\xff\xff\xff', 'latin1') }),
      'a.wav is cut short or damaged: no samples were found in it.',
    ],
    ['has no channel', wav(Buffer.alloc(4), { channels: 0 }), 'a.wav is damaged: it says that it has 0 channels of 16000 samples a second.'],
    ['has no rate', wav(Buffer.alloc(4), { rate: 0 }), 'a.wav is damaged: it says that it has 1 channels of 0 samples a second.'],
    [
      'is compressed',
      wav(Buffer.alloc(4), { coding: 2, bits: 4 }),
      'a.wav holds samples that are not read (coding 2, 4 bits); plain ones of 8 to 32 bits are.',
    ],
    ['only begins like mp3', Buffer.concat([Buffer.from('ID3'), Buffer.alloc(3_000)]), 'a.wav is damaged: nothing in it could be read as mp3.'],
  ])('that %s is a clear answer', async (_, bytes, message) => {
    await expect(decodeAudio('a.wav', bytes)).rejects.toThrow(message);
  });

  it('that promises more than it holds is read as far as it goes, and says so', async () => {
    const set = await openTestSet({ 'a.wav': wav(Buffer.alloc(32_000), { promised: 0xffff_ffff }) });
    expect((await set.run('transcribe_audio', { file: 'a.wav' })).text).toBe(
      'Recording: a.wav, WAV, 0:01, 16000 Hz, 1 channel\nThe file is cut short: it promises more than it holds.\nNo speech was found in it.',
    );
    await set.close();
  });

  it('of more than an hour is unpacked for ten minutes, and says so', async () => {
    const set = await openTestSet({ 'a.wav': wav(Buffer.alloc(8_000 * 3_700, 128), { bits: 8, rate: 8_000 }) });
    expect((await set.run('transcribe_audio', { file: 'a.wav' })).text).toBe(
      'Recording: a.wav, WAV, 61:40, 8000 Hz, 1 channel\nOnly the first 10:00 of it are transcribed.\nNo speech was found in it.',
    );
    await set.close();
  });

  it('in mp3 that is cut short is read as far as it goes', async () => {
    const whole = readFileSync(new URL('./fixtures/price.mp3', import.meta.url));
    const { rate, samples } = await decodeAudio('price.mp3', whole.subarray(0, whole.length / 2));
    expect(Math.round(samples.length / rate)).toBeLessThan(3);
    expect(samples.length).toBeGreaterThan(rate);
  });

  it('in mp3, of another writer, is read', async () => {
    const { kind, rate, samples, seconds } = await decodeAudio('price.mp3', readFileSync(new URL('./fixtures/price.mp3', import.meta.url)));
    expect({ kind, rate, seconds: Math.floor(seconds ?? 0) }).toEqual({ kind: 'MP3', rate: 16_000, seconds: 3 });
    expect(stretchesOf({ rate, samples })).toHaveLength(1);
  });

  it('in wav, of another writer, is read: 24 bits behind an extensible header, both channels as one', async () => {
    const { rate, channels, seconds, samples } = await decodeAudio('soundfile.wav', readFileSync(new URL('./fixtures/soundfile.wav', import.meta.url)));
    expect({ rate, channels, seconds }).toEqual({ rate: 8_000, channels: 2, seconds: 0.2 });
    // A quarter of full scale on one of two channels.
    samples.forEach((sample, i) => {
      expect(Math.abs(sample - 4_096 * Math.sin((2 * Math.PI * 440 * i) / 8_000))).toBeLessThanOrEqual(1);
    });
  });
});

describe('a recording in Ogg', () => {
  const opus = readFileSync(new URL('./fixtures/soundfile.opus', import.meta.url));

  it('is read where it holds Opus, whatever its rate and channels', async () => {
    const { kind, rate, channels, seconds, cutShort, samples } = await decodeAudio('memo.ogg', opus);
    expect({ kind, rate, channels, seconds, cutShort, length: samples.length }).toEqual({
      kind: 'Opus',
      rate: 16_000,
      channels: 2,
      seconds: 1,
      cutShort: false,
      length: 16_000,
    });
    // Lossy: the tone is there, a quarter of full scale on one of two channels, but for the first and last tenth of a second.
    const wanted = Array.from(samples, (_, i) => 4_096 * Math.sin((2 * Math.PI * 440 * i) / 16_000));
    samples.slice(1_600, 14_400).forEach((sample, i) => {
      expect(Math.abs(sample - (wanted[i + 1_600] as number))).toBeLessThan(200);
    });
  });

  it('that is cut short is read as far as it goes, and says so', async () => {
    const { cutShort, seconds, samples } = await decodeAudio('memo.ogg', opus.subarray(0, opus.length / 2));
    expect(cutShort).toBe(true);
    expect(seconds).toBeLessThan(0.6);
    expect(samples.length).toBe(Math.round((seconds ?? 0) * 16_000));
  });

  it('may begin behind other bytes, and holds no more channels than are read', async () => {
    expect((await decodeAudio('memo.ogg', Buffer.concat([opus.subarray(0, 47), Buffer.from('stray'), opus.subarray(47)]))).seconds).toBe(1);
    const many = Buffer.from(opus);
    many[28 + 9] = 6;
    await expect(decodeAudio('memo.ogg', many)).rejects.toThrow('memo.ogg holds 6 channels of sound, which are not read; one or two are.');
  });

  it.each([
    ['Vorbis', '\x01vorbis'],
    ['FLAC', '\x7fFLAC'],
  ])('that holds %s is named', async (codec, mark) => {
    const page = Buffer.alloc(28 + 30);
    page.write('OggS', 0);
    page.writeUInt8(1, 26);
    page.writeUInt8(30, 27);
    page.write(mark, 28, 'latin1');
    await expect(decodeAudio('memo.ogg', page)).rejects.toThrow(
      `memo.ogg is a recording of the kind Ogg ${codec}, which is not read; wav, mp3 and Ogg Opus are.`,
    );
  });
});

describe('stretches of speech', () => {
  it('are parted by pauses of more than a second, and begin and end where it is loud', () => {
    const stretches = stretchesOf({ rate: 100, samples: sound(100, -2, 3, -0.5, 1, -1.5, 2, -3) });
    expect(stretches.map(({ startSeconds, samples }) => [startSeconds, samples.length])).toEqual([
      [2, 450],
      [8, 200],
    ]);
  });

  it('of more than 28 seconds are cut where it is most quiet', () => {
    const stretches = stretchesOf({ rate: 100, samples: sound(100, 24, -0.5, 40) });
    expect(stretches[1]?.startSeconds).toBeGreaterThanOrEqual(24);
    expect(stretches[1]?.startSeconds).toBeLessThanOrEqual(24.5);
    expect(Math.max(...stretches.map(({ samples }) => samples.length))).toBeLessThanOrEqual(2_800);
    expect(stretches.reduce((sum, { samples }) => sum + samples.length, 0)).toBe(6_450);
  });

  it('have one key wherever they stand', () => {
    const keys = [sound(100, -1, 2), sound(100, -4, 2, -3)].map((samples) => stretchKey(100, stretchesOf({ rate: 100, samples })[0]?.samples ?? samples));
    expect(keys[0]).toBe(keys[1]);
    expect(stretchKey(100, sound(100, 3))).not.toBe(keys[0]);
  });
});

describe('transcribe_audio', () => {
  it('gives recorded transcripts without a recogniser, and says what made them and how often it errs', async () => {
    const said = [utterances().prices[0], utterances().openings.at(-1)].map((utterance) => String(utterance?.[0]));
    const set = await openTestSet({ 'a.wav': (await speechFile(said)).bytes }, [], { speechFolder: join(scratch, 'none') });
    const { status, text } = await set.run('transcribe_audio', { file: 'a.wav' });
    await set.close();
    expect(status).toBe(200);
    const [facts, method, ...lines] = text.split('\n');
    expect(facts).toMatch(/^Recording: a\.wav, WAV, 0:\d\d, 16000 Hz, 1 channel$/);
    expect(method).toMatch(/^Speech \(Whisper tiny\.en, sherpa-onnx [\d.]+; recorded \d{4}-\d\d-\d\d, word error rate [\d.]+ %\):$/);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^\[0:00\] the price of the /i);
    expect(lines[1]).toMatch(/^\[0:0\d\] the \w+ was opened on .*\b19\d\d/i);
  });

  it('says what to do where nothing here can hear, and a generated set with such a recording is refused before it starts', async () => {
    const directory = join(scratch, 'fresh');
    mkdirSync(join(directory, 'files'), { recursive: true });
    writeFileSync(join(directory, 'files', 'a'), wav(bytesOf(sound(16_000, 1))));
    writeFileSync(join(directory, 'tasks.json'), JSON.stringify([{ attachments: [{ name: 'a.wav', path: 'files/a' }] }]));
    const options = { taskSetDirectory: directory, cacheDirectory: join(scratch, 'cache'), speechFolder: join(scratch, 'none') };
    const toolbox = await createToolbox(options);
    const { text } = await toolbox.run('transcribe_audio', { file: 'a.wav' }, { attachments: [{ name: 'a.wav', path: 'files/a' }] });
    await toolbox.close();
    expect(text.split('\n')).toEqual([
      'Recording: a.wav, WAV, 0:01, 16000 Hz, 1 channel',
      'Speech cannot be transcribed: the recogniser is not set up. To do so: agentgauge setup speech',
    ]);
    writeFileSync(join(directory, 'plans.json'), '[]');
    await expect(createToolbox(options)).rejects.toMatchObject({
      code: 'MISSING_RECOGNISER',
      message: '1 recordings of this task set have no recorded transcript (files/a), and no recogniser is set up',
      remedy: 'agentgauge setup speech',
    });
  });
});

describe('the process that hears', () => {
  it('may fail without taking anything with it', async () => {
    const recogniser = new SpeechRecogniser(join(scratch, 'no-model'));
    expect(recogniser.isInstalled()).toBe(false);
    await expect(recogniser.hear({ samples: sound(16_000, 1), rate: 16_000 })).rejects.toMatchObject({
      code: 'SPEECH_FAILED',
      remedy: 'agentgauge setup speech',
    });
  });

  it('is killed when it takes too long', async () => {
    const recogniser = new SpeechRecogniser(join(scratch, 'no-model'), 0);
    await expect(recogniser.hear({ samples: sound(16_000, 1), rate: 16_000 })).rejects.toThrow(
      'The recording takes more than 0 s to transcribe and was given up.',
    );
  });
});
