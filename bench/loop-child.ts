// Entry of a process for the bench `engine`: one contestant of the agent loop. Runs as often as it is told to and says what that cost. Arguments: contestant, base URL.
import { systemClock } from '../base/clock.ts';
import { LOOP_CONTESTANTS, type LoopContestantName } from './loop/contestants.ts';
import { answerEach } from './measuring-child.ts';

export interface LoopCost {
  readonly wallMs: number;
  /** Of all threads of the process: what the collector and the compiler do beside the runs is in it. */
  readonly cpuMs: number;
}

const EXPECTED = 'The number is 48.';
const [name = '', baseUrl = ''] = process.argv.slice(2);
const tool = {
  name: 'look_up',
  description: 'Looks up what stands on a door.',
  parameters: {
    type: 'object',
    properties: { door: { type: 'string', description: 'Name of the door.' } },
    required: ['door'],
    additionalProperties: false,
  },
  run: async (args: unknown) => `Door ${(args as { readonly door: string }).door}: 48.`,
} as const;

const contestant = await LOOP_CONTESTANTS[name as LoopContestantName]();
const run = await contestant({
  baseUrl,
  system: 'You answer questions with the tools you are given. Finish with one sentence.',
  question: 'Which number is on the seventh door?',
  tool,
  timeoutMs: 10_000,
  signal: new AbortController().signal,
});

answerEach(async (runs): Promise<LoopCost> => {
  const before = process.cpuUsage();
  const startMs = systemClock.nowMs();
  for (let left = Number(runs); left > 0; left--) {
    const answer = await run();
    if (answer !== EXPECTED) throw new Error(`a run answered ${JSON.stringify(answer)}`);
  }
  const wallMs = systemClock.nowMs() - startMs;
  const { user, system } = process.cpuUsage(before);
  return { wallMs, cpuMs: (user + system) / 1000 };
});
