// The engine's agent loop against a bare `fetch` loop over one scripted server in a process of its own: same tool, same texts, same signal, same time-out.
// Slices of both alternate within each round; the figure is the median of the paired ratios with its interval.
import { agent, execute, openaiModel, tool, workflow } from '../engine/index.ts';
import { medianInterval, medianOf } from './median.ts';
import { spawnServer } from './spawned-server.ts';

export interface AgentLoopFigure {
  readonly toolCalls: number;
  readonly rounds: number;
  readonly runsPerRound: number;
  readonly engineMsPerRun: number;
  readonly fetchMsPerRun: number;
  readonly wallRatio: number;
  readonly wallRatioLow?: number;
  readonly wallRatioHigh?: number;
  readonly cpuRatio: number;
}

const SYSTEM = 'You answer questions with the tools you are given. Finish with one sentence.';
const QUESTION = 'Which number is on the seventh door?';
const TIMEOUT_MS = 10_000;
const parameters = {
  type: 'object',
  properties: { door: { type: 'string', description: 'Name of the door.' } },
  required: ['door'],
  additionalProperties: false,
} as const;
const description = 'Looks up what stands on a door.';
const lookUp = async (args: unknown): Promise<string> => `Door ${(args as { door: string }).door}: 48.`;

export async function measureAgentLoop(quick: boolean, nowMs: () => number): Promise<AgentLoopFigure[]> {
  const server = await spawnServer('bench/scripted-model');
  const [rounds, runsPerRound] = quick ? [8, 50] : [30, 200];
  try {
    const figures: AgentLoopFigure[] = [];
    for (const toolCalls of [0, 1, 5]) {
      const engine = engineLoop(server.baseUrl, toolCalls);
      const bare = bareLoop(server.baseUrl, toolCalls);
      for (let i = 0; i < runsPerRound; i++) {
        await engine();
        await bare();
      }
      const samples: { engine: Block; bare: Block }[] = [];
      for (let round = 0; round < rounds; round++) samples.push(await pairedRound(engine, bare, runsPerRound, nowMs));
      const ratios = samples.map((pair) => pair.engine.wallMs / pair.bare.wallMs);
      const interval = medianInterval(ratios);
      figures.push({
        toolCalls,
        rounds,
        runsPerRound,
        engineMsPerRun: medianOf(samples.map((pair) => pair.engine.wallMs)) / runsPerRound,
        fetchMsPerRun: medianOf(samples.map((pair) => pair.bare.wallMs)) / runsPerRound,
        wallRatio: medianOf(ratios),
        ...(interval === undefined ? {} : { wallRatioLow: interval.low, wallRatioHigh: interval.high }),
        cpuRatio: medianOf(samples.map((pair) => pair.engine.cpuMs / pair.bare.cpuMs)),
      });
    }
    return figures;
  } finally {
    server.stop();
  }
}

type Loop = () => Promise<string>;
const SLICE = 10;

interface Block {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** Slices of ten runs in turn, and who goes first changes with each pair: what disturbs the machine disturbs both. */
async function pairedRound(engine: Loop, bare: Loop, runs: number, nowMs: () => number): Promise<{ engine: Block; bare: Block }> {
  const spent = { engine: { wallMs: 0, cpuMs: 0 }, bare: { wallMs: 0, cpuMs: 0 } };
  const slice = async (name: 'engine' | 'bare', run: Loop) => {
    const cpu = process.cpuUsage();
    const startMs = nowMs();
    for (let i = 0; i < SLICE; i++) if ((await run()) !== 'The number is 48.') throw new Error('a run gave another answer');
    spent[name].wallMs += nowMs() - startMs;
    const { user, system } = process.cpuUsage(cpu);
    spent[name].cpuMs += (user + system) / 1000;
  };
  for (let done = 0; done < runs; done += SLICE) {
    const engineFirst = (done / SLICE) % 2 === 0;
    if (engineFirst) await slice('engine', engine);
    await slice('bare', bare);
    if (!engineFirst) await slice('engine', engine);
  }
  return spent;
}

function engineLoop(baseUrl: string, toolCalls: number): () => Promise<string> {
  const model = openaiModel({ baseUrl, model: `tools-${toolCalls}`, apiKey: 'none', temperature: 1, maxTokens: 2000, timeoutMs: TIMEOUT_MS });
  const flow = workflow<string, string>('answer');
  const answer = flow.agent('answer', agent({ system: SYSTEM, tools: [tool({ name: 'look_up', description, input: parameters, run: lookUp })] }));
  const checked = flow.connect(flow.start, answer).finish(answer).build();
  const { signal } = new AbortController();
  return async () => {
    const result = await execute(checked, QUESTION, { model, signal }).result;
    return result.status === 'completed' ? result.output : result.status;
  };
}

interface Message {
  readonly role: string;
  readonly content: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[];
}

function bareLoop(baseUrl: string, toolCalls: number): () => Promise<string> {
  const url = `${baseUrl}/chat/completions`;
  const headers = { 'content-type': 'application/json', authorization: 'Bearer none' };
  const tools = [{ type: 'function', function: { name: 'look_up', description, parameters } }];
  const outside = new AbortController().signal;
  return async () => {
    const controller = new AbortController();
    const onAbort = () => controller.abort();
    outside.addEventListener('abort', onAbort, { once: true });
    const messages: Message[] = [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: QUESTION },
    ];
    for (;;) {
      const timer = setTimeout(onAbort, TIMEOUT_MS);
      const body = JSON.stringify({ model: `tools-${toolCalls}`, temperature: 1, max_tokens: 2000, messages, tools });
      const response = await fetch(url, { method: 'POST', headers, body, signal: controller.signal });
      const { choices } = (await response.json()) as { choices: readonly [{ message: Message }] };
      clearTimeout(timer);
      const { message } = choices[0];
      messages.push(message);
      if (message.tool_calls === undefined) {
        outside.removeEventListener('abort', onAbort);
        return message.content;
      }
      for (const call of message.tool_calls) messages.push({ role: 'tool', tool_call_id: call.id, content: await lookUp(JSON.parse(call.function.arguments)) });
    }
  };
}
