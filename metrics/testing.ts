// Builders for tests: a trial's traffic in a line a turn. Each turn is one request with its reply and the tool calls that followed it; what is not said is as in a
// trial where all goes well: tools answer, and the next request delivers what they said.
import type { DeliveredResult, ModelCall, ModelTraffic, Reply, RequestedCall, ToolCall } from '../base/traffic.ts';
import type { TrialEvidence } from './evidence.ts';

export interface Turn extends Partial<Omit<ModelCall, 'reply' | 'delivered'>> {
  /** Tool and arguments (JSON text, or an object to be spelt), with an id unless one is made. */
  readonly asks?: readonly (readonly [name: string, args: string | object, id?: string])[];
  readonly says?: string;
  readonly fails?: string;
  /** Broker calls after the reply; by default each asked call that is an object, answered with text. */
  readonly ran?: readonly Partial<ToolCall>[];
  /** What this request brings back; by default the texts of the turn before, under their ids. */
  readonly delivered?: readonly DeliveredResult[];
}

/** Each request and each tool call takes 10 ms, one after the other, beginning at 0. */
export function talk(turns: readonly Turn[], traffic: Partial<ModelTraffic> = {}): Pick<TrialEvidence, 'traffic' | 'toolCalls'> {
  let now = 0;
  let waiting: DeliveredResult[] = [];
  const calls: ModelCall[] = [];
  const toolCalls: ToolCall[] = [];
  for (const [index, turn] of turns.entries()) {
    const { asks, says, fails, ran, delivered, ...rest } = turn;
    const requested = (asks ?? []).map(
      ([name, args, id], place): RequestedCall => ({
        id: id ?? `call-${index}-${place}`,
        name,
        arguments: typeof args === 'string' ? args : JSON.stringify(args),
      }),
    );
    const start = now;
    now += 10;
    calls.push({
      ...QUIET_CALL,
      startMs: start,
      ...(rest.capped ? {} : { endMs: now }),
      reply: replyOf(requested, says, fails),
      delivered: delivered ?? waiting,
      ...rest,
    });
    waiting = [];
    for (const tool of ran ?? requested.flatMap(({ name, arguments: text }) => objects(text).map((args): Partial<ToolCall> => ({ name, arguments: args })))) {
      const result = tool.result ?? `found ${toolCalls.length}`;
      toolCalls.push({ name: 'web_search', arguments: {}, startMs: now, endMs: now + 10, status: 200, resultBytes: result.length, result, ...tool });
      now += 10;
      const id = requested.find((call) => call.name === tool.name && !waiting.some((result) => result.callId === call.id))?.id;
      if (id !== undefined) waiting.push({ callId: id, text: result });
    }
  }
  return { traffic: { calls, wire: {}, harnessErrors: [], ...traffic }, toolCalls };
}

/** The evidence of a trial that ended with the last text said, unless `rest` says otherwise. */
export function trialWith(turns: readonly Turn[], rest: Partial<TrialEvidence> & { readonly plan?: Partial<ModelTraffic> } = {}): TrialEvidence {
  const { plan, ...evidence } = rest;
  const ended = ['workerError', 'exit', 'hostReason', 'output'].some((key) => key in evidence);
  const output = turns.findLast((turn) => turn.says !== undefined)?.says;
  return { ...talk(turns, plan), cap: 20, agentCap: 20, isLive: false, ...(ended || output === undefined ? {} : { output }), ...evidence };
}

const QUIET_CALL = {
  status: 200,
  inputTokens: 100,
  outputTokens: 10,
  requestBytes: 1000,
  replyBytes: 100,
  endpoint: 'chat.completions',
  streamed: false,
  offeredTools: ['web_search', 'calculator'],
  truncated: false,
  instructionSeen: true,
} as const satisfies Partial<ModelCall>;

function replyOf(calls: readonly RequestedCall[], says: string | undefined, fails: string | undefined): Reply {
  if (fails !== undefined) return { kind: 'error', code: fails, message: fails };
  return calls.length > 0 ? { kind: 'calls', text: says ?? '', calls } : { kind: 'text', text: says ?? '' };
}

function objects(text: string): object[] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? [value] : [];
  } catch {
    return []; // Broken arguments run nothing, unless the test says so.
  }
}
