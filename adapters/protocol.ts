// Host and worker talk in JSON lines over file descriptor 3, both ways; a Python sidecar speaks the same. Standard output belongs to the framework.
// Workers check messages by hand: a schema library would be measured as part of the bare loop. Each trial-start gets exactly one trial-end.
import type { ToolSchema } from '../base/tool-schema.ts';
import type { SettingsName, ShapeName } from './adapter.ts';

export const PROTOCOL_VERSION = 1;

export interface StartMessage {
  readonly type: 'start';
  readonly protocolVersion: number;
  /** Module of the adapter: a path for a user's own, or the built file of ours. Its export named like `exportName` is the Adapter. */
  readonly adapterModule: string;
  readonly exportName: string;
  readonly shape: ShapeName;
  readonly settings: SettingsName;
  /** Of an ablation: what the adapter switches off. */
  readonly configuration?: string;
  /** Packages whose installed versions the worker reports. */
  readonly packages: readonly string[];
  readonly modelUrl: string;
  readonly toolUrl: string;
}

export interface TrialStartMessage {
  readonly type: 'trial-start';
  readonly trialId: number;
  readonly systemText: string;
  readonly userText: string;
  readonly tools: readonly ToolSchema[];
  readonly model: { readonly name: string; readonly temperature: number; readonly maxTokens: number; readonly timeoutMs: number };
  readonly agentCap: number;
  readonly capLiteral?: number;
}

export type HostMessage =
  | StartMessage
  | TrialStartMessage
  | { readonly type: 'trial-cancel'; readonly trialId: number; readonly reason: string }
  /** Twenty of these after worker-ready place the worker's clock on the host's (method M6.1). */
  | { readonly type: 'clock-probe'; readonly probe: number }
  | { readonly type: 'stop' };

export interface WorkerReadyMessage {
  readonly type: 'worker-ready';
  readonly protocolVersion: number;
  readonly versions: Readonly<Record<string, string>>;
  readonly runtime: string;
  readonly importMs: number;
  readonly rssAfterImportBytes: number;
}

export interface TrialEndMessage {
  readonly type: 'trial-end';
  readonly trialId: number;
  readonly output?: string;
  /** Set when the adapter threw instead. `phase` tells set-up from run. */
  readonly error?: { readonly name: string; readonly message: string; readonly phase: 'prepare' | 'run'; readonly code?: string };
  /** Monotonic start and end of `run`; absent when `prepare` failed. */
  readonly startMs?: number;
  readonly endMs?: number;
  readonly setupMs: number;
  readonly cpuMs?: number;
  /** Time inside tool stubs beyond the broker's own: parse, connection, promise. */
  readonly stubMs?: number;
  /** Wall time inside tool stubs, summed over calls. The host, who knows the broker's times, takes these off and has `stubMs`. */
  readonly stubWallMs?: number;
  readonly peakRssBytes?: number;
  readonly rssMethod?: 'vm-hwm' | 'max-rss' | 'sampled';
  /** Bytes that the framework's own memory tiers held, where an ablation asks for them. */
  readonly tierBytes?: Readonly<Record<string, number>>;
}

export type WorkerMessage =
  | WorkerReadyMessage
  | TrialEndMessage
  | { readonly type: 'clock-reading'; readonly probe: number; readonly atMs: number }
  /** Loading failed: the framework is missing or broken. */
  | { readonly type: 'worker-failed'; readonly code: 'MISSING_PACKAGE' | 'LOAD_FAILED' | 'NO_SHAPE'; readonly message: string; readonly package?: string }
  | { readonly type: 'worker-stopped' };
