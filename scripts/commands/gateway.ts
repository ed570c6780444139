// `agentgauge gateway`: the simulated model, or a local one, as a server for any program that speaks the API of OpenAI.
import { systemClock } from '../../base/clock.ts';
import { UsageError } from '../../base/error.ts';
import type { ModelCall } from '../../base/traffic.ts';
import { recordingSource, replayingSource } from '../../models/cassette.ts';
import type { LatencyChoice } from '../../models/control.ts';
import { loadTokenCounter } from '../../models/count-tokens.ts';
import { loadHeldOutFaults } from '../../models/held-out.ts';
import { localSource } from '../../models/local.ts';
import { ModelGateway } from '../../models/model-gateway.ts';
import { profileWith } from '../../models/rates.ts';
import { createSimulatedModel } from '../../models/simulated.ts';
import { cacheDirectory } from '../../runners/cache-directory.ts';
import { latencyChoice } from '../../runners/latency-choice.ts';
import { LOCAL, localBackEnd, localModelName } from '../../runners/local-models.ts';
import { parsePlanSpec } from '../../runners/plan-spec.ts';
import { gaiaPrompt } from '../../tasks/gaia/prompt.ts';
import { ensureTaskSet, taskSetName } from '../../tasks/task-set.ts';
import { loadPlans, loadTasks } from '../../tasks/task-set-files.ts';
import type { Command, CommandCall, CommandIo } from '../command.ts';
import { OPTION_WORDS, planOfOptions, STUDY_OPTIONS, text } from '../study-options.ts';

const SHARED = ['model', 'profile', 'policy', 'rates', 'held-out', 'enforce', 'latency', 'tasks', 'seed', 'record', 'replay'] as const;

export const gateway: Command = {
  name: 'gateway',
  summary: 'serve the simulated model, or a local one, to any program',
  usage: '[--profile gpt-4o] [--port 8787] [options]',
  options: {
    port: { type: 'string', value: 'N', help: 'port on 127.0.0.1', fallback: '8787' },
    ...Object.fromEntries(SHARED.map((name) => [name, STUDY_OPTIONS[name] as Command['options'][string]])),
    model: { type: 'string', value: 'NAME', help: 'simulated, local:NAME or local:FILE.gguf', fallback: 'simulated' },
  },
  help: `
A server on this machine that speaks Chat Completions, Responses and Embeddings, streamed and not, behind which the simulated
model answers: it reads what stands in a request, plays the part that the request gives it, and errs by published rates. Point a
program at the address that is printed, with any key. It knows the questions of one task set and nothing else; \`agentgauge tasks\`
shows them, and \`agentgauge list tools --format json\` the tools that their solutions call. It does not run tools.

  agentgauge gateway --profile clean              a model without errors: what the program does at its best
  agentgauge gateway --rates unknown-tool=0.5     every second call names a tool that is not there: what the program makes of that
  agentgauge gateway --latency model              answers as slowly as a hosted model
  agentgauge gateway --model local:smollm2-135m   a real one (see \`agentgauge setup model\`), which knows any question and is often wrong

/v1 is one trial: what the model noticed and got wrong there stays as it is. /w/ANY-NAME/v1 is a trial of that name, for a fresh
run. Ctrl-C ends it and prints what was asked.
`,
  run: async ({ values, positionals }, io) => {
    if (positionals.length > 0)
      throw new UsageError('BAD_OPTION', `gateway takes no ${JSON.stringify(positionals[0])}`, { remedy: 'agentgauge gateway --help' });
    const model = text(values, 'model') ?? 'simulated';
    if (model !== 'simulated' && !model.startsWith(LOCAL))
      throw new UsageError('BAD_OPTION', `--model is ${JSON.stringify(model)}, neither simulated nor ${LOCAL}NAME`, {
        remedy: 'Any other model has a server of its own: point the program there.',
      });
    const port = portOf(values);
    const set = await setUp(values, (message) => io.err(`\n${message}\n`));
    const counts = new Counts(io);
    const server = new ModelGateway({
      clock: systemClock,
      onCapReached: () => {},
      onCall: (call) => counts.add(call),
      openAlone: (token) =>
        counts.opened({
          trialId: 0,
          seed: set.seed,
          trialIndex: indexOf(token),
          instruction: set.instruction,
          cap: Number.POSITIVE_INFINITY,
          keepBodies: false,
        }),
    });
    server.configure(set.settings);
    const listening = await server.listen(port);
    io.out(`${greeting(`http://127.0.0.1:${listening}`, set)}\n`);
    await new Promise<void>((resolve) => {
      if (io.signal.aborted) resolve();
      io.signal.addEventListener('abort', () => resolve());
    });
    await server.close();
    counts.end();
    return 0;
  },
};

/** Trials without a name and with one differ in their draws, by their names alone. */
function indexOf(token: string): number {
  if (/^\d{1,6}$/.test(token)) return Number(token);
  return [...token].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 1_000_003, 0);
}

function portOf(values: CommandCall['values']): number {
  const given = text(values, 'port') ?? '8787';
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new UsageError('BAD_OPTION', `--port is ${JSON.stringify(given)}, not a port number`, { remedy: 'A number up to 65535; 0 lets the system choose.' });
}

/** The options mean what they mean in a study, and are checked there. */
async function setUp(values: CommandCall['values'], onMiss: (message: string) => void) {
  const shared = Object.fromEntries(SHARED.map((name) => [name, values[name]]));
  const spec = parsePlanSpec({ ...planOfOptions(shared), rows: [{ framework: 'any' }] }, OPTION_WORDS);
  const named = taskSetName(spec.tasks);
  const seed = spec.tasks.includes('seed=') ? named.seed : spec.seed;
  const directory = await ensureTaskSet({ ...named, name: named.kind, seed, cacheDirectory: cacheDirectory() });
  const tokens = await loadTokenCounter();
  const rates = Object.fromEntries(Object.entries(spec.rates ?? {}).filter((entry): entry is [string, number] => entry[1] !== undefined));
  const local = spec.model.startsWith(LOCAL);
  const own = spec.heldOut === undefined ? [] : await loadHeldOutFaults(spec.heldOut);
  if (spec.heldOut !== undefined && own.length === 0)
    throw new UsageError('HELD_OUT_MISSING', `${spec.heldOut} holds no faults, and a gateway asks no questions`, {
      remedy: 'Write faults.ts there, as in examples/held-out/.',
    });
  const tasks = loadTasks(directory);
  const simulated = () =>
    createSimulatedModel({ plans: loadPlans(directory), profile: profileWith(spec.profile, rates, own), policy: spec.policy, enforce: spec.enforce, tokens });
  const living = () => (local ? localSource(localBackEnd(spec.model, process.cwd())) : simulated());
  const source = spec.replay === undefined ? await living() : replayingSource(spec.replay, onMiss);
  const latency: LatencyChoice = latencyChoice(spec.latency);
  return {
    settings: { source: spec.record === undefined ? source : recordingSource(source, spec.record), tokens, replacements: [], latency },
    seed: spec.seed,
    instruction: gaiaPrompt({ question: '', attachments: [], instruction: 'both' }).instruction,
    model: local ? localModelName(spec.model) : 'simulated',
    words: local
      ? `The local model ${localModelName(spec.model)}`
      : `The simulated model (${[`profile ${spec.profile}`, spec.policy, `seed ${spec.seed}`, `${tasks.length} questions of ${spec.tasks}`].join(', ')})`,
    example: tasks.find(({ type }) => type === 'zero-tool')?.question ?? tasks[0]?.question ?? '',
  };
}

function greeting(address: string, { model, words, example }: { readonly model: string; readonly words: string; readonly example: string }): string {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: example }] });
  return [
    `${words} answers at`,
    '',
    `  ${address}/v1`,
    '',
    'with any key. To try it:',
    '',
    `  curl ${address}/v1/chat/completions -H 'content-type: application/json' -d '${body.replaceAll("'", `'\\''`)}'`,
    '',
    'Ctrl-C ends it.',
  ].join('\n');
}

/** One line that keeps up with what is asked: rewritten on a terminal, printed once at the end elsewhere. */
class Counts {
  readonly #io: CommandIo;
  readonly #live: boolean;
  #trials = 0;
  #requests = 0;
  #failed = 0;
  #inputTokens = 0;
  #outputTokens = 0;
  readonly #slips = new Map<string, number>();

  constructor(io: CommandIo) {
    this.#io = io;
    this.#live = io.errTerminal ?? io.terminal;
  }

  opened<T>(limits: T): T {
    this.#trials++;
    return limits;
  }

  add({ status, inputTokens, outputTokens, slip }: ModelCall): void {
    this.#requests++;
    if (status !== 200) this.#failed++;
    this.#inputTokens += inputTokens;
    this.#outputTokens += outputTokens;
    if (slip !== undefined) this.#slips.set(slip, (this.#slips.get(slip) ?? 0) + 1);
    if (this.#live) this.#io.err(`\r\u001b[K${this.#line().slice(0, (this.#io.errColumns ?? this.#io.columns) - 1)}`);
  }

  end(): void {
    this.#io.err(this.#live ? `\r\u001b[K${this.#line()}\n` : `${this.#line()}\n`);
  }

  #line(): string {
    const slips = [...this.#slips].map(([kind, count]) => `${count} ${kind}`);
    return [
      `${this.#requests} requests in ${this.#trials} trials`,
      ...(this.#failed > 0 ? [`${this.#failed} not answered`] : []),
      `${this.#inputTokens} tokens in, ${this.#outputTokens} out`,
      ...(slips.length > 0 ? [`slips: ${slips.join(', ')}`] : []),
    ].join('; ');
  }
}
