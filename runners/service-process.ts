// A child of ours that serves others (gateway, broker): spoken to over IPC, one answer a request, its death an error that names the last words on stderr.
import { type ChildProcess, spawn } from 'node:child_process';
import { GaugeError } from '../base/error.ts';
import { terminate } from './terminate.ts';

interface Message {
  readonly type: string;
  readonly token?: string;
  readonly trialId?: number;
  readonly request?: string;
  readonly code?: string;
  readonly message?: string;
}

interface Pending {
  readonly request: Message;
  readonly answer: string;
  readonly settle: (reply: Message) => void;
  readonly refuse: (error: Error) => void;
}

export interface ServiceOptions {
  readonly name: string;
  readonly entry: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nodeFlags?: readonly string[];
  /** Messages that no request waits for, such as `cap-reached`. */
  readonly onNotice?: (message: Message) => void;
  /** Told once when the service can serve no more, unless it was asked to stop: whoever waits for a worker would wait for the worker's whole deadline. */
  readonly onEnd?: (error: Error) => void;
}

const STDERR_TAIL = 2_000;

/** @typeParam Reply the union of what the service may answer */
export class ServiceProcess<Request extends Message, Reply extends Message> {
  readonly #child: ChildProcess;
  readonly #name: string;
  readonly #pending = new Set<Pending>();
  #stderr = '';
  #ended: Error | undefined;
  #stopping = false;
  #closed = false;
  readonly #onEnd: ((error: Error) => void) | undefined;

  constructor(options: ServiceOptions) {
    this.#name = options.name;
    this.#onEnd = options.onEnd;
    this.#child = spawn(process.execPath, [...(options.nodeFlags ?? []), options.entry], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: options.env,
      detached: true,
      // Whole exchanges come back as texts: as JSON within JSON their escapes would cost more than all the rest.
      serialization: 'advanced',
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL);
    });
    this.#child.on('message', (message) => this.#receive(message as Message, options.onNotice));
    this.#child.on('error', (cause) => this.#end(new GaugeError('SERVICE_FAILED', `${this.#name} could not start: ${cause.message}`, { cause })));
    this.#child.on('close', (code, signal) => {
      this.#closed = true;
      this.#end(this.#deathOf(code, signal));
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Waits for a message that the service sends by itself. */
  expect<Type extends Reply['type']>(answer: Type): Promise<Extract<Reply, { type: Type }>> {
    return this.#wait({ type: answer }, answer) as Promise<Extract<Reply, { type: Type }>>;
  }

  /** Sends a request and waits for its one answer. @throws GaugeError with the service's code when it refuses, SERVICE_DIED when it is gone */
  ask<Type extends Reply['type']>(request: Request, answer: Type): Promise<Extract<Reply, { type: Type }>> {
    const reply = this.#wait(request, answer);
    if (this.#ended === undefined) this.#child.send(request, (error) => error && this.#end(this.#deathOf(null, null, error)));
    return reply as Promise<Extract<Reply, { type: Type }>>;
  }

  /** Sends what needs no answer; a service that is gone has no use for it. */
  tell(request: Request): void {
    if (this.#ended === undefined && this.#child.connected) this.#child.send(request, () => {});
  }

  /** Ends the process; may be called twice. */
  async stop(): Promise<void> {
    this.#stopping = true;
    // A service that has said that it can serve no more is a process still.
    if (this.#closed) return;
    if (this.#child.connected) this.#child.disconnect();
    await terminate(this.#child, { graceMs: 500 });
  }

  #wait(request: Message, answer: string): Promise<Message> {
    const waited = new Promise<Message>((settle, refuse) => {
      if (this.#ended !== undefined) refuse(this.#ended);
      else this.#pending.add({ request, answer, settle, refuse });
    });
    // When a service ends, some who asked it have left already; that must not end the whole program without a word.
    waited.catch(() => undefined);
    return waited;
  }

  #receive(message: Message, onNotice: ((message: Message) => void) | undefined): void {
    for (const pending of this.#pending) {
      const refused = message.type === 'failed' && message.request === pending.request.type && sameTrial(pending.request, message);
      const answered = message.type === pending.answer && sameTrial(pending.request, message);
      if (!refused && !answered) continue;
      this.#pending.delete(pending);
      if (answered) pending.settle(message);
      else pending.refuse(new GaugeError(message.code ?? 'SERVICE_REFUSED', `${this.#name}: ${message.message ?? 'refused'}`));
      return;
    }
    if (message.type === 'failed') this.#end(new GaugeError(message.code ?? 'SERVICE_FAILED', `${this.#name}: ${message.message ?? 'failed'}`));
    else onNotice?.(message);
  }

  #deathOf(code: number | null, signal: string | null, cause?: Error): Error {
    const how = signal ? `by signal ${signal}` : `with exit code ${code}`;
    const said = this.#stderr.trim() === '' ? 'It wrote nothing to stderr.' : `Its last words: ${this.#stderr.trim().split('\n').slice(-6).join(' / ')}`;
    return new GaugeError('SERVICE_DIED', `${this.#name} ended ${how} while it was needed. ${said}`, { cause });
  }

  #end(error: Error): void {
    const isFirst = this.#ended === undefined;
    this.#ended ??= error;
    for (const pending of this.#pending) {
      if (this.#stopping) pending.refuse(new GaugeError('SERVICE_STOPPED', `${this.#name} was stopped`));
      else pending.refuse(error);
    }
    this.#pending.clear();
    if (isFirst && !this.#stopping) this.#onEnd?.(error);
  }
}

function sameTrial(request: Message, reply: Message): boolean {
  if (request.trialId !== undefined) return reply.trialId === request.trialId;
  if (request.token !== undefined && reply.token !== undefined) return reply.token === request.token;
  return true;
}
