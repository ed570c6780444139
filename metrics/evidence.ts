// What is known of a trial when it is classified: what gateway and broker saw, what the worker said, how its process ended, and why the host stopped it.
// No scenario, no row and no framework name: the same evidence gives the same verdict whoever ran.

import type { ToolSchema } from '../base/tool-schema.ts';
import type { ModelCall, ModelTraffic, Reply, ToolCall } from '../base/traffic.ts';
import type { Handling, Outcome, TrialEvent, TrialRecord } from './record.ts';

export interface TrialEvidence {
  readonly traffic: ModelTraffic;
  readonly toolCalls: readonly ToolCall[];
  readonly output?: string;
  /** Set when the adapter threw. */
  readonly workerError?: { readonly name: string; readonly message: string; readonly code?: string };
  /** Set when the process ended before it ended the trial. */
  readonly exit?: {
    readonly code?: number;
    readonly signal?: string;
    readonly stderr?: string;
    /** The kernel's or the container's killer took it. */
    readonly oomKilled?: boolean;
    /** The host ended it for its memory. */
    readonly overMemory?: true;
  };
  /** Why the host stopped the trial first. */
  readonly hostReason?: 'deadline' | 'cap' | 'cancelled' | 'protocol' | 'stopped' | 'memory';
  /** What was wrong with a frame, when `hostReason` is `protocol`. */
  readonly protocolProblem?: string;
  /** Model requests and tool calls that came after the trial was closed. */
  readonly strayRequests?: number;
  /** Calls that the gateway answers, and calls that the framework's own option allows. */
  readonly cap: number;
  readonly agentCap: number;
  /** `--cap-literal`: the number that was handed on as it stands. The framework's own stop is then the cap, wherever it falls. */
  readonly capLiteral?: number;
  /** The instruction's text; empty when the trial had none. */
  readonly instruction?: string;
  /** Real models have no plan steps to ask for again. */
  readonly isLive: boolean;
  /** Schemas of the offered tools: with them defaults, extra keys and wrong types are told apart. */
  readonly tools?: readonly ToolSchema[];
  /** When `run` ended, on the clock of the traffic: calls that outlived it make the trial `cut`. */
  readonly endMs?: number;
}

export interface Verdict {
  readonly outcome: Outcome;
  readonly failure?: { readonly code: string; readonly message: string };
  readonly stoppedBy?: NonNullable<TrialRecord['stoppedBy']>;
  readonly handling?: Handling;
  /** The cause: the earliest event that was not repaired, else the earliest. */
  readonly code?: string;
  readonly events: readonly TrialEvent[];
  /** The trial ended while other branches were at work. */
  readonly cut?: true;
}

/** A request of the trial that got a reply of the model, with its place among all requests. */
export interface Answered {
  readonly at: number;
  readonly call: ModelCall;
  readonly reply: Exclude<Reply, { readonly kind: 'error' }>;
}

export function answeredCalls({ traffic }: Pick<TrialEvidence, 'traffic'>): Answered[] {
  return traffic.calls.flatMap((call, at) => (call.capped || call.stray || call.reply.kind === 'error' ? [] : [{ at, call, reply: call.reply }]));
}

export function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === '';
}
