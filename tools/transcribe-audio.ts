// The tool `transcribe_audio`: what is said in a recording, one line a stretch between pauses.
import { clockText } from './audio-text.ts';
import { readApart } from './reader-pool.ts';
import { SETUP_COMMAND } from './speech-recogniser.ts';
import { windowText } from './text-window.ts';
import { integerOf, stringOf, type Tool, toolSchema } from './tool.ts';
import { hasRecogniser, transcribe, transcriptsVersion } from './transcripts.ts';

/** What it says where speech can be heard by nothing here. */
export const SPEECH_MISSING = `Speech cannot be transcribed: the recogniser is not set up. To do so: ${SETUP_COMMAND}`;

export const transcribeAudio: Tool = {
  schema: toolSchema(
    'transcribe_audio',
    'Transcribes English speech in a recording (wav, mp3) of this task: one line for each stretch between pauses, with the time at which it begins. A file within a zip archive is named ARCHIVE.zip!/PATH.',
    {
      file: { type: 'string', description: 'Name of the file, for example attachment-1.wav' },
      part: { type: 'integer', description: 'Which part of a text that is too long for one answer, from 1' },
    },
    ['file'],
  ),
  run: async (given, { shelf, cache, speechFolder }) => {
    const file = await shelf.open(stringOf(given, 'file'));
    const text = await cache.get({
      reader: `audio-1 ${transcriptsVersion()} ${hasRecogniser(speechFolder) ? 'heard' : 'recorded only'} ${file.name}`,
      source: file.source,
      bytes: () => file.bytes(),
      read: async (bytes) => {
        const { facts, notes, rate, stretches } = await readApart('audio', file, bytes);
        const { lines, method } = await transcribe(stretches, rate, speechFolder);
        const isMissing = lines.includes(undefined);
        return [
          `Recording: ${file.name}, ${facts}`,
          ...notes,
          ...(stretches.length === 0 ? ['No speech was found in it.'] : []),
          ...(method === ''
            ? []
            : [`Speech (${method}):`, ...lines.map((line, i) => `[${clockText(stretches[i]?.startSeconds ?? 0)}] ${line ?? '(not transcribed)'}`)]),
          ...(isMissing ? [SPEECH_MISSING] : []),
        ].join('\n');
      },
      onDisk: true,
    });
    return windowText(text, 'part', integerOf(given, 'part'));
  },
};
