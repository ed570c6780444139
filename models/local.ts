// A back end that answers with a real language model on this machine: a GGUF file, loaded by a child process of its own (local-child.ts), so that neither its
// memory nor a crash in native code touches the gateway. One request is worked on at a time; the others wait in line.
import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GaugeError } from '../base/error.ts';
import type { BackEnd } from './control.ts';
import type { ModelRequest } from './read-request.ts';
import type { AssistantMessage, ReplySource, SourceAnswer, TokenUsage, TrialTerms } from './reply-source.ts';

export type LocalBackEnd = Extract<BackEnd, { kind: 'local' }>;

/** What the child needs of a request: plain data, so that it can cross to another process. */
export type LocalRequest = Pick<ModelRequest, 'messages' | 'tools' | 'toolChoice' | 'responseFormat' | 'stop' | 'maxTokens'> & {
  readonly temperature: number;
  readonly topP: number;
  readonly seed: number;
};

export type ToLocalChild =
  | { readonly type: 'load'; readonly backEnd: LocalBackEnd }
  | { readonly type: 'ask'; readonly id: number; readonly request: LocalRequest }
  | { readonly type: 'drop'; readonly id: number };

export type FromLocalChild =
  | { readonly type: 'loaded' }
  | { readonly type: 'unloadable'; readonly message: string }
  | { readonly type: 'said'; readonly id: number; readonly message: AssistantMessage; readonly usage: TokenUsage }
  | { readonly type: 'refused'; readonly id: number; readonly status: number; readonly code: string; readonly message: string };

type Said = Extract<FromLocalChild, { type: 'said' | 'refused' }>;

/** @throws GaugeError LOCAL_MODEL_UNLOADABLE */
export async function localSource(backEnd: LocalBackEnd): Promise<ReplySource> {
  let child = await LocalChild.start(backEnd);
  /** A child that died is followed by another, when it is asked again. */
  const alive = async (): Promise<LocalChild> => {
    if (child.gone) child = await LocalChild.start(backEnd);
    return child;
  };
  return { models: [backEnd.name], open: (terms) => trialOf(terms, alive) };
}

function trialOf(terms: TrialTerms, alive: () => Promise<LocalChild>): ReturnType<ReplySource['open']> {
  let asked = 0;
  let died = false;
  return {
    reply: async (request, signal): Promise<SourceAnswer> => {
      const at = asked++;
      const said = await (await alive()).ask(localRequest(request, seedOf(terms, at)), signal);
      if (said.type === 'said') return { kind: 'message', id: `local-${at}`, message: withIds(said.message, at), usage: said.usage };
      died ||= said.code === GONE;
      return { kind: 'error', status: said.status, message: said.message, code: said.code };
    },
    facts: () => ({ harnessErrors: died ? [GONE] : [] }),
  };
}

const GONE = 'local-model-gone';

/** Ids are the same in every run; the child knows nothing of trials. */
function withIds(message: AssistantMessage, at: number): AssistantMessage {
  return { ...message, calls: message.calls.map((call, place) => ({ ...call, id: `call_${at}_${place}` })) };
}

/** A request without a seed has one all the same, so that a run can be made again. */
function seedOf({ seed, trialIndex }: TrialTerms, at: number): number {
  return (seed * 1_000_003 + trialIndex * 1_009 + at) % 2 ** 31;
}

function localRequest({ messages, tools, toolChoice, responseFormat, stop, maxTokens, body }: ModelRequest, seed: number): LocalRequest {
  const number = (name: string, otherwise: number) => (typeof body[name] === 'number' ? body[name] : otherwise);
  return {
    messages,
    tools,
    toolChoice,
    responseFormat,
    stop,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    temperature: number('temperature', 1),
    topP: number('top_p', 1),
    seed: number('seed', seed),
  };
}

class LocalChild {
  gone = false;
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (said: Said) => void>();
  #asked = 0;

  private constructor(child: ChildProcess) {
    this.#process = child;
    child.on('message', (message: FromLocalChild) => {
      if (message.type !== 'said' && message.type !== 'refused') return;
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    });
    child.once('exit', (code, signal) => {
      this.gone = true;
      const message = `The process of the local model ended (${signal ?? `exit code ${code}`}) before it answered.`;
      for (const [id, settle] of this.#waiting) settle({ type: 'refused', id, status: 502, code: GONE, message });
      this.#waiting.clear();
    });
    // Whoever keeps the gateway alive decides when it ends; the child leaves when it is left alone.
    child.unref();
    child.channel?.unref();
  }

  static start(backEnd: LocalBackEnd): Promise<LocalChild> {
    const entry = fileURLToPath(new URL(`./local-child${extname(import.meta.url)}`, import.meta.url));
    const child = fork(entry, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], serialization: 'advanced' });
    return new Promise((resolve, reject) => {
      const fail = (why: string) =>
        reject(
          new GaugeError('LOCAL_MODEL_UNLOADABLE', `${backEnd.file} cannot be loaded: ${why}`, {
            remedy: 'Set it up anew (agentgauge setup model), or name another GGUF file.',
          }),
        );
      child.once('error', (error) => fail(error.message));
      child.once('exit', (code, signal) => fail(`its process ended (${signal ?? `exit code ${code}`})`));
      child.once('message', (message: FromLocalChild) => {
        if (message.type !== 'loaded') return fail(message.type === 'unloadable' ? message.message : 'it spoke before it was asked');
        child.removeAllListeners('exit');
        resolve(new LocalChild(child));
      });
      child.send({ type: 'load', backEnd } satisfies ToLocalChild);
    });
  }

  ask(request: LocalRequest, signal: AbortSignal): Promise<Said> {
    const id = this.#asked++;
    return new Promise((resolve) => {
      const drop = () => this.#process.connected && this.#process.send({ type: 'drop', id } satisfies ToLocalChild);
      this.#waiting.set(id, (said) => {
        signal.removeEventListener('abort', drop);
        resolve(said);
      });
      signal.addEventListener('abort', drop, { once: true });
      this.#process.send({ type: 'ask', id, request } satisfies ToLocalChild);
      if (signal.aborted) drop();
    });
  }
}
