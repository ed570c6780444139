// What answers behind the gateway: one interface for the scripted, the simulated and the upstream back end. A source decides what is said;
// the gateway encodes it, counts it and sends it.
import type { ForcedFault } from '../base/forced-fault.ts';
import type { Breakage, ModelScript } from '../base/script.ts';
import type { ModelCall, ModelTraffic } from '../base/traffic.ts';
import type { PolicyName, ProfileName } from './control.ts';
import type { ModelRequest } from './read-request.ts';

/** What a back end is told when a trial opens. */
export interface TrialTerms {
  readonly trialId: number;
  readonly seed: number;
  readonly trialIndex: number;
  readonly instruction: string;
  readonly systemText?: string;
  readonly profile?: ProfileName;
  /** Simulated model only: another way to go about this trial than the run's. */
  readonly policy?: PolicyName;
  /** Simulated model only: the one fault that this trial meets, beside what its profile draws. */
  readonly forced?: ForcedFault;
  readonly script?: ModelScript;
}

export interface SaidCall {
  /** `null` leaves the id out, as faulty providers do. */
  readonly id: string | null;
  readonly name: string;
  readonly arguments: string;
  /** Sent in the place of the text, as faulty servers do. */
  readonly argumentsAs?: { readonly value: unknown };
  readonly untyped?: true;
}

/** One turn of the assistant, before it takes the shape of an endpoint. */
export interface AssistantMessage {
  readonly text: string | null;
  readonly calls: readonly SaidCall[];
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
  readonly reasoning?: string;
  /** There is no message at all: no choices, no output. */
  readonly absent?: true;
}

/** Simulated model only: what the reply was about. */
export type ReplyFacts = Pick<ModelCall, 'step' | 'ask' | 'role' | 'slip' | 'callSteps' | 'stepsDone'>;

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export type SourceAnswer =
  | {
      readonly kind: 'message';
      readonly message: AssistantMessage;
      /** Spelling of ids that a client will see; unique in the trial and the same in every run. */
      readonly id: string;
      readonly facts?: ReplyFacts;
      /** By the model's own tokenizer, told to the client. The record counts all models alike. @default the gateway's count */
      readonly usage?: TokenUsage;
      /** Scripted model only: how it is lost on its way, and whether a stream comes byte by byte. */
      readonly broken?: Breakage;
      readonly bytewise?: true;
      /** Called once, when the client has the whole reply (`true`) or left before (`false`). */
      readonly settled?: (accepted: boolean) => void;
    }
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly message: string;
      readonly type?: string;
      readonly code?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'raw';
      readonly status: number;
      readonly contentType: string;
      readonly body: string;
      /** For a request for a stream. */
      readonly streamed?: { readonly contentType: string; readonly body: string };
    }
  /** Bytes of another server, handed on as they come. */
  | { readonly kind: 'relay'; readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: AsyncIterable<Uint8Array> }
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset' };

export type TrialFacts = Pick<ModelTraffic, 'undisturbed' | 'misses' | 'planSteps' | 'readings' | 'harnessErrors'>;

/** One trial's conversation partner. */
export interface SourceTrial {
  /** @param signal aborted when the client leaves or the trial is closed */
  reply(request: ModelRequest, signal: AbortSignal): SourceAnswer | Promise<SourceAnswer>;
  facts(): TrialFacts;
}

export interface ReplySource {
  /** Model names that `GET /models` lists. */
  readonly models: readonly string[];
  /** Whether it answers requests for embeddings. */
  readonly embeds?: true;
  open(terms: TrialTerms): SourceTrial;
}
