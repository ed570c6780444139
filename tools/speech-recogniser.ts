// The recogniser of speech, as the broker sees it: one child process (speech-child.ts), started when first needed and kept, and killed when it takes too long.
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GivenUp, ToolError } from './tool-error.ts';

export const SPEECH_ENGINE = 'Whisper tiny.en, sherpa-onnx 1.13.8';
export const SPEECH_PACKAGE = 'sherpa-onnx-node';
export const SETUP_COMMAND = 'agentgauge setup speech';
/** What it leaves there. The last one is written when all is complete. */
export const SPEECH_FILES = ['encoder.onnx', 'decoder.onnx', 'tokens.txt', 'ready'] as const;

export interface HearRequest {
  readonly samples: Int16Array;
  readonly rate: number;
}

export type HearReply = { readonly text: string } | { readonly failure: string };

const TIMEOUT_MS = 30_000;

export class SpeechRecogniser {
  readonly #folder: string;
  readonly #timeoutMs: number;
  #child: ChildProcess | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param folder of the model */
  constructor(folder: string, timeoutMs = TIMEOUT_MS) {
    this.#folder = folder;
    this.#timeoutMs = timeoutMs;
  }

  isInstalled(): boolean {
    if (!SPEECH_FILES.every((file) => existsSync(join(this.#folder, file)))) return false;
    try {
      createRequire(import.meta.url).resolve(SPEECH_PACKAGE);
      return true;
    } catch {
      return false;
    }
  }

  /** One stretch of speech, half a minute at most. @throws Finding when it takes too long; ToolError SPEECH_FAILED */
  hear(request: HearRequest): Promise<string> {
    const turn = this.#last.then(() => this.#hear(request));
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Ends the process. One that waits for work ends by itself with ours. */
  close(): void {
    this.#end();
  }

  async #hear(request: HearRequest): Promise<string> {
    const child = this.#child ?? this.#start();
    const reply = await this.#replyOf(child, request);
    if (reply === undefined) {
      this.#end();
      throw new GivenUp(`The recording takes more than ${this.#timeoutMs / 1_000} s to transcribe and was given up.`);
    }
    if ('failure' in reply) {
      this.#end();
      throw new ToolError('SPEECH_FAILED', `the recogniser of speech failed: ${reply.failure}`, { remedy: SETUP_COMMAND });
    }
    return reply.text;
  }

  #replyOf(child: ChildProcess, request: HearRequest): Promise<HearReply | undefined> {
    return new Promise((resolve) => {
      const settle = (reply: HearReply | undefined) => {
        clearTimeout(timer);
        child.off('message', settle);
        child.off('exit', died);
        child.unref();
        child.channel?.unref();
        resolve(reply);
      };
      const died = (code: number | null, signal: string | null) => settle({ failure: `its process ended (${signal ?? code})` });
      const timer = setTimeout(() => settle(undefined), this.#timeoutMs);
      child.on('message', settle);
      child.on('exit', died);
      // Waited for only while it works: an idle child keeps no process alive.
      child.ref();
      child.channel?.ref();
      child.send(request, (error) => {
        if (error) settle({ failure: error.message });
      });
    });
  }

  #start(): ChildProcess {
    const entry = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './speech-child.ts' : './speech-child.js', import.meta.url));
    const child = fork(entry, [this.#folder], { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] });
    child.on('error', () => {});
    child.on('exit', () => {
      if (this.#child === child) this.#child = undefined;
    });
    this.#child = child;
    return child;
  }

  #end(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}
