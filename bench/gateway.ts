// The bench `gateway`: what the model gateway adds to a direct call, how many requests it serves, whether 1,000 streams stay open at once,
// and how long the simulated model takes over a long history. Gateway and upstream are processes of their own; direct and through alternate.
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../base/clock.ts';
import { loadPlans } from '../tasks/task-set-files.ts';
import { writeAdditions } from './additions.ts';
import { BenchGateway, post } from './bench-gateway.ts';
import { medianInterval, medianOf, quantileOf } from './median.ts';
import { spawnServer } from './spawned-server.ts';

interface AddedFigure {
  readonly bodyBytes: number;
  readonly pairs: number;
  readonly directMs: number;
  readonly throughMs: number;
  /** Median of the paired differences. */
  readonly addedMs: number;
  readonly addedInterval?: { readonly low: number; readonly high: number };
}

export interface GatewayFigures {
  readonly machine: { readonly runtime: string; readonly cpu: string; readonly cores: number; readonly loadBefore: number; readonly loadAfter: number };
  readonly quick: boolean;
  /** `known`: the same texts each time, as in a history sent again. `fresh`: every text is new and has to be counted. */
  readonly passThrough: { readonly known: AddedFigure; readonly fresh: AddedFigure };
  readonly throughput: { readonly connections: number; readonly rounds: number; readonly requestsPerSecond: number; readonly trivialServerPerSecond: number };
  readonly streams: { readonly open: number; readonly whole: number; readonly wallMs: number; readonly residentBytesPerStream?: number };
  readonly simulated: {
    readonly historyBytes: number;
    readonly plans: number;
    readonly replies: number;
    readonly medianMs: number;
    readonly p95Ms: number;
    /** The same request with a scripted reply: HTTP, parsing and counting without the model. */
    readonly scriptedMedianMs: number;
  };
}

const ANSWER = { replies: [{ kind: 'text' as const, text: 'The number is 48.' }] };
const CONNECTIONS = 16;
const STREAMS = 1_000;
const PLANS = 500;
const HISTORY_BYTES = 20_000;

export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { quick: { type: 'boolean', default: false }, format: { type: 'string', default: 'text' } } });
  const { quick } = values;
  const [loadBefore = 0] = loadavg();
  const upstream = await spawnServer('bench/trivial-upstream');
  try {
    const url = `${upstream.baseUrl}/chat/completions`;
    const relay = await BenchGateway.start({ kind: 'upstream', baseUrl: upstream.baseUrl, keyVariable: 'AGENTGAUGE_BENCH_NO_KEY' });
    const scripted = await BenchGateway.start({ kind: 'scripted' });
    try {
      const passThrough = { known: await added(relay, url, quick, false), fresh: await added(relay, url, quick, true) };
      const throughput = await served(scripted, url, quick);
      const streams = await openStreams(relay);
      const simulated = await longHistory(scripted, quick);
      const machine = { runtime: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: availableParallelism(), loadBefore, loadAfter: loadavg()[0] ?? 0 };
      const figures: GatewayFigures = { machine, quick, passThrough, throughput, streams, simulated };
      process.stdout.write(values.format === 'json' ? `${JSON.stringify(figures)}\n` : textOf(figures));
    } finally {
      await Promise.all([relay.stop(), scripted.stop()]);
    }
  } finally {
    upstream.stop();
  }
  return 0;
}

/** A request of 2 KB; `mark` makes its texts new. */
function requestBody(mark: string): string {
  const filler = `${mark} The harbour book names its berths, cranes and lights in the order of the coast. `.repeat(22).slice(0, 1_700);
  const messages = [
    { role: 'system', content: `You answer questions about harbours ${mark}.` },
    { role: 'user', content: filler },
  ];
  return JSON.stringify({ model: 'trivial', messages, temperature: 1, max_tokens: 2000 });
}

async function added(gateway: BenchGateway, directUrl: string, quick: boolean, fresh: boolean): Promise<AddedFigure> {
  const [trials, perTrial] = quick ? [2, 100] : [20, 100];
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const direct: number[] = [];
  const through: number[] = [];
  let serial = 0;
  for (let trial = 0; trial < trials + 1; trial++) {
    const warmingUp = trial === 0;
    await gateway.trial(async (url) => {
      for (let i = 0; i < perTrial; i++) {
        const body = requestBody(fresh ? `number ${serial++}` : 'number');
        const ways = [() => timed(directUrl, body, agent, warmingUp ? [] : direct), () => timed(url, body, agent, warmingUp ? [] : through)];
        for (const way of i % 2 === 0 ? ways : ways.toReversed()) await way();
      }
    });
  }
  agent.destroy();
  const differences = through.map((ms, i) => ms - (direct[i] as number));
  const interval = medianInterval(differences);
  return {
    bodyBytes: Buffer.byteLength(requestBody('number')),
    pairs: differences.length,
    directMs: medianOf(direct),
    throughMs: medianOf(through),
    addedMs: medianOf(differences),
    ...(interval === undefined ? {} : { addedInterval: interval }),
  };
}

async function timed(url: string, body: string, agent: http.Agent, into: number[]): Promise<void> {
  const startMs = systemClock.nowMs();
  await post(url, body, agent);
  into.push(systemClock.nowMs() - startMs);
}

async function served(gateway: BenchGateway, trivialUrl: string, quick: boolean): Promise<GatewayFigures['throughput']> {
  const [rounds, requests] = quick ? [2, 500] : [7, 4_000];
  const body = requestBody('number');
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const rate = async (url: string) => {
    let left = requests;
    const startMs = systemClock.nowMs();
    const lane = async () => {
      while (left-- > 0) await post(url, body, agent);
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, lane));
    return (1000 * requests) / (systemClock.nowMs() - startMs);
  };
  const ours: number[] = [];
  const trivial: number[] = [];
  for (let round = 0; round < rounds + 1; round++) {
    trivial.push(await rate(trivialUrl));
    await gateway.trial(async (url) => void ours.push(await rate(url)), ANSWER);
  }
  agent.destroy();
  // The first round is warm-up.
  return { connections: CONNECTIONS, rounds, requestsPerSecond: medianOf(ours.slice(1)), trivialServerPerSecond: medianOf(trivial.slice(1)) };
}

async function openStreams(gateway: BenchGateway): Promise<GatewayFigures['streams']> {
  const agent = new http.Agent({ keepAlive: false });
  const body = JSON.stringify({ model: `streams-${STREAMS}`, stream: true, messages: [{ role: 'user', content: 'Which number?' }] });
  let open = 0;
  let most = 0;
  let whole = 0;
  let wallMs = 0;
  let residentBytes: number | undefined;
  await gateway.trial(async (url) => {
    const before = gateway.residentBytes();
    const startMs = systemClock.nowMs();
    const stream = async () => {
      const onFirstByte = () => {
        most = Math.max(most, ++open);
        if (open === STREAMS) residentBytes = difference(gateway.residentBytes(), before);
      };
      const text = await post(url, body, agent, onFirstByte);
      open -= 1;
      if (text.includes('The number') && text.includes(' is 48.') && text.trimEnd().endsWith('[DONE]')) whole += 1;
    };
    await Promise.all(Array.from({ length: STREAMS }, stream));
    wallMs = systemClock.nowMs() - startMs;
  });
  return { open: most, whole, wallMs, ...(residentBytes === undefined ? {} : { residentBytesPerStream: residentBytes / STREAMS }) };
}

function difference(after: number | undefined, before: number | undefined): number | undefined {
  return after === undefined || before === undefined ? undefined : after - before;
}

/** Conversations that grow to 20 KB as an agent's do; the last request of each is timed. */
async function longHistory(scripted: BenchGateway, quick: boolean): Promise<GatewayFigures['simulated']> {
  const directory = mkdtempSync(join(tmpdir(), 'agentgauge-bench-'));
  writeAdditions(directory, PLANS);
  const simulated = await BenchGateway.start({ kind: 'simulated', profile: 'gpt-4o-mini', taskSetDirectory: directory, enforce: 'honoured' });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const times = { simulated: [] as number[], scripted: [] as number[] };
  let historyBytes = 0;
  try {
    const questions = loadPlans(directory).map(({ question }) => question);
    const conversations = quick ? 20 : 200;
    for (let at = -10; at < conversations; at++) {
      const bodies = growingHistory(questions.at(at % questions.length) as string, at);
      historyBytes = Buffer.byteLength(bodies.at(-1) as string);
      const talk = (into: number[]) => async (url: string) => {
        for (const [i, body] of bodies.entries()) await timed(url, body, agent, at >= 0 && i === bodies.length - 1 ? into : []);
      };
      await simulated.trial(talk(times.simulated));
      await scripted.trial(talk(times.scripted), ANSWER);
    }
  } finally {
    agent.destroy();
    await simulated.stop();
    rmSync(directory, { recursive: true, force: true });
  }
  return {
    historyBytes,
    plans: PLANS,
    replies: times.simulated.length,
    medianMs: medianOf(times.simulated),
    p95Ms: quantileOf(times.simulated, 0.95),
    scriptedMedianMs: medianOf(times.scripted),
  };
}

const ROUNDS = 5;
const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const calculator = {
  name: 'calculator',
  description: 'Calculates.',
  parameters: { type: 'object', properties: { expression: { type: 'string' } }, required: ['expression'] },
};
const tools = [calculator, { name: 'read_text', description: 'Reads a text.', parameters }].map((each) => ({ type: 'function', function: each }));

/** Request bodies of one conversation, each with one more tool result than the one before. */
function growingHistory(question: string, mark: number): string[] {
  const messages: object[] = [
    { role: 'system', content: 'You answer questions with the tools you are given.' },
    { role: 'user', content: question },
  ];
  return Array.from({ length: ROUNDS }, (_, round) => {
    const id = `call_${round}`;
    const line = `Page ${mark}-${round}: the keeper of the store wrote down crates, boxes and nails by the day, and who took them away. `;
    messages.push(
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id, type: 'function', function: { name: 'read_text', arguments: JSON.stringify({ path: `page-${round}.txt` }) } }],
      },
      { role: 'tool', tool_call_id: id, content: line.repeat(Math.ceil(HISTORY_BYTES / ROUNDS / line.length)) },
    );
    return JSON.stringify({ model: 'gpt-4o-mini', messages, tools, temperature: 1, max_tokens: 2000 });
  });
}

function textOf({ machine, quick, passThrough, throughput, streams, simulated }: GatewayFigures): string {
  const { runtime, cpu, cores, loadBefore, loadAfter } = machine;
  const way = (name: string, figure: AddedFigure) => {
    const interval = figure.addedInterval === undefined ? '' : ` [${figure.addedInterval.low.toFixed(3)}, ${figure.addedInterval.high.toFixed(3)}]`;
    return `  pass-through of ${figure.bodyBytes} bytes, ${name}: adds ${figure.addedMs.toFixed(3)} ms${interval} to ${figure.directMs.toFixed(3)} ms (aim: 0.3; ${figure.pairs} pairs)`;
  };
  const perStream = streams.residentBytesPerStream === undefined ? '' : `, ${(streams.residentBytesPerStream / 1000).toFixed(0)} kB each in the gateway`;
  return [
    `gateway${quick ? ' (quick: too few rounds to quote)' : ''}, Node ${runtime} on ${cores} × ${cpu}, load ${loadBefore.toFixed(1)} to ${loadAfter.toFixed(1)}`,
    '',
    way('texts counted before', passThrough.known),
    way('every text new', passThrough.fresh),
    `  scripted, ${throughput.connections} connections: ${throughput.requestsPerSecond.toFixed(0)} requests/s (aim: 4000); the same client against a trivial server: ${throughput.trivialServerPerSecond.toFixed(0)} (median of ${throughput.rounds} rounds)`,
    `  streams: ${streams.open} open at once, ${streams.whole} whole, ${streams.wallMs.toFixed(0)} ms${perStream}`,
    `  simulated reply to ${simulated.historyBytes} bytes, ${simulated.plans} plans: ${simulated.medianMs.toFixed(2)} ms, 95 % below ${simulated.p95Ms.toFixed(2)} ms (aim: 2); scripted reply to the same: ${simulated.scriptedMedianMs.toFixed(2)} ms (${simulated.replies} replies)`,
    '',
  ].join('\n');
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
