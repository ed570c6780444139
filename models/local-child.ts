// Entry of the process that holds a local model: loads it with node-llama-cpp, which `agentgauge setup model` put beside the weights, and says what the model says.
// Knows prompts and grammars, nothing of trials or HTTP.
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../base/error.ts';
import { CLIENT_LEFT } from '../base/traffic.ts';
import type { FromLocalChild, LocalBackEnd, LocalRequest, ToLocalChild } from './local.ts';
import { replySchema, type SpokenForm, spokenForm, spokenMessage } from './local-form.ts';
import { END_MARKS, PLAIN_TEMPLATE, promptMessages } from './local-prompt.ts';

/** The part of node-llama-cpp 3.21 that is used; the package itself is no dependency. */
interface Llama {
  loadModel(options: object): Promise<LlamaModel>;
  createGrammarForJsonSchema(schema: unknown): Promise<object>;
  getGrammarFor(kind: 'json'): Promise<object>;
}
interface LlamaModel {
  readonly trainContextSize: number;
  tokenize(text: string, special: boolean): number[];
  createContext(options: object): Promise<{ getSequence(): Sequence }>;
}
interface Sequence {
  readonly contextTokens: readonly number[];
  eraseContextTokenRanges(ranges: readonly { readonly start: number; readonly end: number }[]): Promise<void>;
}
interface Completion {
  generateCompletionWithMeta(tokens: readonly number[], options: object): Promise<{ response: string; metadata: { stopReason: string } }>;
}
interface LlamaPackage {
  getLlama(options: object): Promise<Llama>;
  readGgufFileInfo(file: string): Promise<{ metadata: { tokenizer?: { chat_template?: string } } }>;
  readonly LlamaCompletion: new (options: object) => Completion;
  readonly LlamaLogLevel: { readonly error: unknown };
}
interface Template {
  render(values: object): string;
}

/** A conversation that is kept as it was read, so that its next request is read from where it goes on. */
interface Slot {
  readonly sequence: Sequence;
  readonly completion: Completion;
  /** Tokens that were read as a prompt; what was said stands behind them. */
  read: number;
}

interface Loaded {
  readonly llama: Llama;
  readonly model: LlamaModel;
  /** The last used at the end. */
  readonly slots: Slot[];
  readonly contextTokens: number;
  readonly template: Template;
  readonly knowsTools: boolean;
}

async function load({ file, runtime, threads, contextTokens }: LocalBackEnd): Promise<Loaded> {
  checkHeader(file);
  const packageOf = async <T>(path: string) => (await import(pathToFileURL(join(runtime, 'node_modules', path)).href)) as T;
  const { getLlama, LlamaCompletion, LlamaLogLevel, readGgufFileInfo } = await packageOf<LlamaPackage>('node-llama-cpp/dist/index.js');
  const jinja = await packageOf<{ Template: new (source: string) => Template }>('@huggingface/jinja/dist/index.js');
  // Nothing is fetched and nothing compiled. More threads than cores take a thousand times as long, and another number of them says other words.
  const llama = await getLlama({ gpu: false, build: 'never', maxThreads: threads, logLevel: LlamaLogLevel.error });
  const model = await llama.loadModel({ modelPath: file });
  const size = Math.min(contextTokens, model.trainContextSize);
  const context = await model.createContext({ contextSize: size, sequences: SLOTS, threads, batchSize: BLOCK });
  const slots = Array.from({ length: SLOTS }, () => {
    const sequence = context.getSequence();
    return { sequence, completion: new LlamaCompletion({ contextSequence: sequence }), read: 0 };
  });
  const source = (await readGgufFileInfo(file)).metadata.tokenizer?.chat_template ?? PLAIN_TEMPLATE;
  return {
    llama,
    model,
    slots,
    contextTokens: size,
    template: new jinja.Template(source),
    knowsTools: source.includes('tools'),
  };
}

/** Magic and version: the library reads a file that has neither again and again, for minutes. */
function checkHeader(file: string): void {
  const head = Buffer.alloc(8);
  const handle = openSync(file, 'r');
  readSync(handle, head);
  closeSync(handle);
  const version = head.readUInt32LE(4);
  if (head.toString('latin1', 0, 4) !== 'GGUF' || version < 2 || version > 3) throw new Error('it is no GGUF file of version 2 or 3');
}

const DEFAULT_MAX_TOKENS = 512;
/** So many rows of a study keep their system text and tools read; of half a billion parameters each costs 100 MB. */
const SLOTS = 8;

/** Prompts are read in blocks of so many tokens, and whole blocks are reused: sums come out otherwise in blocks of other lengths, and equal requests must get equal answers. */
const BLOCK = 128;

/** The one that has most of this prompt read; where none spares a quarter of the reading, the one longest unused. Forgets what is no whole block of this prompt. */
async function slotFor(slots: Slot[], tokens: readonly number[]): Promise<Slot> {
  const reusable = ({ sequence, read }: Slot) => {
    const known = sequence.contextTokens.slice(0, Math.min(read, tokens.length - 1));
    const end = known.findIndex((token, at) => token !== tokens[at]);
    return BLOCK * Math.floor((end < 0 ? known.length : end) / BLOCK);
  };
  const best = slots.reduce((one, other) => (reusable(other) > reusable(one) ? other : one));
  const chosen = 4 * reusable(best) >= tokens.length ? best : (slots[0] as Slot);
  slots.splice(slots.indexOf(chosen), 1);
  slots.push(chosen);
  const kept = reusable(chosen);
  await chosen.sequence.eraseContextTokenRanges([{ start: kept, end: chosen.sequence.contextTokens.length }]);
  // Until all of it is read, what is there is no more than before.
  chosen.read = kept;
  return chosen;
}

async function answer({ llama, model, slots, contextTokens, template, knowsTools }: Loaded, id: number, request: LocalRequest, signal: AbortSignal) {
  const form = spokenForm(request);
  const { messages, tools } = promptMessages(request, form, knowsTools);
  const prompt = template.render({ messages, tools, add_generation_prompt: true, bos_token: '', eos_token: '' });
  const tokens = model.tokenize(prompt, true);
  const room = contextTokens - tokens.length - 1;
  if (room < 1) {
    const message = `This model's maximum context length is ${contextTokens} tokens. However, your messages resulted in ${tokens.length} tokens. Please reduce the length of the messages.`;
    return tell({ type: 'refused', id, status: 400, code: 'context_length_exceeded', message });
  }
  const grammar = await grammarOf(llama, form);
  let outputTokens = 0;
  const slot = await slotFor(slots, tokens);
  const { response, metadata } = await slot.completion.generateCompletionWithMeta(tokens, {
    ...(grammar === undefined ? {} : { grammar }),
    temperature: request.temperature,
    topP: request.topP,
    seed: request.seed,
    maxTokens: Math.min(request.maxTokens ?? DEFAULT_MAX_TOKENS, room),
    customStopTriggers: [...END_MARKS, ...request.stop],
    disableContextShift: true,
    signal,
    onToken: (said: readonly number[]) => {
      outputTokens += said.length;
      slot.read = tokens.length;
    },
  });
  const message = spokenMessage(form, response, metadata.stopReason === 'maxTokens');
  tell({ type: 'said', id, message, usage: { inputTokens: tokens.length, outputTokens } });
}

const grammars = new Map<string, Promise<object>>();

function grammarOf(llama: Llama, form: SpokenForm): Promise<object> | undefined {
  if (form.kind === 'text') return undefined;
  if (form.kind === 'json') return llama.getGrammarFor('json');
  const schema = replySchema(form);
  const key = JSON.stringify(schema);
  const made = grammars.get(key) ?? llama.createGrammarForJsonSchema(schema);
  grammars.set(key, made);
  return made;
}

const open = new Map<number, AbortController>();
let loaded: Promise<Loaded> | undefined;
/** One sequence of tokens, so one request after another. */
let line: Promise<void> = Promise.resolve();

process.on('message', (message: ToLocalChild) => {
  switch (message.type) {
    case 'load':
      loaded = load(message.backEnd);
      loaded.then(
        () => tell({ type: 'loaded' }),
        (thrown: unknown) => tell({ type: 'unloadable', message: messageOf(thrown) }),
      );
      return;
    case 'drop':
      open.get(message.id)?.abort();
      return;
    case 'ask': {
      const { id, request } = message;
      const dropped = new AbortController();
      open.set(id, dropped);
      line = line.then(async () => {
        try {
          dropped.signal.throwIfAborted();
          if (loaded !== undefined) await answer(await loaded, id, request, dropped.signal);
        } catch (thrown) {
          const [status, code] = dropped.signal.aborted ? ([CLIENT_LEFT, 'cancelled'] as const) : ([400, 'invalid_prompt'] as const);
          tell({ type: 'refused', id, status, code, message: `The local model cannot answer this request: ${messageOf(thrown)}` });
        }
        open.delete(id);
      });
      return;
    }
    default:
      message satisfies never;
  }
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole group; the gateway decides when to stop.
process.on('SIGINT', () => {});

function tell(message: FromLocalChild): void {
  // Whoever asked may have gone meanwhile: `disconnect` ends this process.
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
