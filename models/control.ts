// How the host steers the gateway process: messages over the child's IPC channel. The gateway knows a worker by its token and a trial by what is open for it; it never learns which framework asks.
import type { ForcedFault } from '../base/forced-fault.ts';
import type { ModelScript } from '../base/script.ts';
import type { StrayWork } from '../base/stray-count.ts';
import type { ModelTraffic } from '../base/traffic.ts';

export const PROFILES = ['clean', 'gpt-4o-mini', 'gpt-4o'] as const;
export type ProfileName = (typeof PROFILES)[number];
/** How the simulated model goes about a plan: step by step, or in haste (method M4.11). */
export const POLICIES = ['careful', 'impatient'] as const;
export type PolicyName = (typeof POLICIES)[number];

/** At once, the same time for each reply, or by the table of latencies and the reply's length. */
export type LatencyChoice = { readonly kind: 'zero' } | { readonly kind: 'fixed'; readonly ms: number } | { readonly kind: 'model' };

export type BackEnd =
  | {
      readonly kind: 'simulated';
      readonly profile: ProfileName;
      /** Directory of a built task set: the gateway reads `plans.json` there and nothing else. */
      readonly taskSetDirectory: string;
      readonly enforce: 'honoured' | 'ignored';
      /** @default careful */
      readonly policy?: PolicyName;
      /** Rates set to other values than the profile's, by name (rates.ts): how a sweep is made. */
      readonly rates?: Readonly<Record<string, number>>;
      /** Folder with faults from outside the repository (held-out.ts). */
      readonly heldOut?: string;
    }
  /** What was recorded before, and nothing else. */
  | { readonly kind: 'replay'; readonly file: string }
  /** Each trial brings its script. */
  | { readonly kind: 'scripted' }
  /** A GGUF file on this machine, run by node-llama-cpp out of the folder `runtime`. */
  | {
      readonly kind: 'local';
      readonly name: string;
      readonly file: string;
      readonly runtime: string;
      readonly threads: number;
      readonly contextTokens: number;
    }
  /** Any OpenAI-compatible server. The key is read from this variable of the gateway's own environment. */
  | { readonly kind: 'upstream'; readonly baseUrl: string; readonly keyVariable: string };

export type GatewayRequest =
  | {
      readonly type: 'configure';
      readonly backEnd: BackEnd;
      readonly replacements: readonly Replacement[];
      /** File to which every exchange is appended. */
      readonly record?: string;
      /** Where that cassette may hold nothing of the words: the salt of its hashes, and the file that holds the words whole. */
      readonly recordRedacted?: { readonly salt: string; readonly wholeFile: string };
      /** How long the simulated model takes. @default zero */
      readonly latency?: LatencyChoice;
    }
  | { readonly type: 'worker-open'; readonly token: string }
  | { readonly type: 'worker-close'; readonly token: string }
  /** No answer. When the host is gone, the gateway ends this process group and removes the folder: a worker caught in a loop would not notice. */
  | { readonly type: 'worker-process'; readonly token: string; readonly pid: number; readonly folder: string }
  | {
      readonly type: 'trial-open';
      readonly token: string;
      readonly trialId: number;
      readonly seed: number;
      readonly trialIndex: number;
      /** The instruction, so that a request without it can be told. */
      readonly instruction: string;
      /** The whole system text of the terms: what stands beyond it was added by the framework. Absent: only the instruction is known as ours. */
      readonly systemText?: string;
      readonly cap: number;
      readonly profile?: ProfileName;
      readonly policy?: PolicyName;
      readonly forced?: ForcedFault;
      readonly script?: ModelScript;
      readonly keepBodies: boolean;
    }
  /** Answered when nothing is in flight, or 250 ms later; what is open then is stray work. */
  /** What is and was in flight, for the host's deadline (method M3.5). */
  | { readonly type: 'trial-status'; readonly token: string; readonly trialId: number }
  | {
      readonly type: 'trial-close';
      readonly token: string;
      readonly trialId: number;
      /** Give the calls with their bodies, and the wire, as JSON texts: a host that only files them need not build and spell them again. */
      readonly spelled?: true;
    }
  | { readonly type: 'stop' };

export type GatewayReply =
  | { readonly type: 'ready'; readonly port: number }
  | { readonly type: 'configured' }
  | { readonly type: 'worker-opened'; readonly token: string }
  | { readonly type: 'worker-closed'; readonly token: string }
  /** With the requests of this worker that no trial took. */
  | ({ readonly type: 'trial-opened'; readonly trialId: number } & StrayWork)
  | { readonly type: 'trial-closed'; readonly trialId: number; readonly traffic: ModelTraffic; readonly spelled?: SpelledTraffic }
  /** Sent at once so that the host can stop a row that asks beyond its cap. */
  | { readonly type: 'cap-reached'; readonly trialId: number }
  | { readonly type: 'trial-status'; readonly trialId: number; readonly intervals: readonly { readonly startMs: number; readonly endMs?: number }[] }
  | { readonly type: 'failed'; readonly request: string; readonly code: string; readonly message: string; readonly trialId?: number };

/** Where it was asked for; `traffic` is then without bodies, and its wire is empty. */
export interface SpelledTraffic {
  readonly calls: string;
  readonly wire: string;
}

/** Fixed words in place of what differs from machine to machine (method M5.0). Applied before counting and deciding. */
export interface Replacement {
  readonly from: string;
  readonly to: string;
}
