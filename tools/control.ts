// How the host steers the broker process: messages over the child's IPC channel. As with the gateway, a worker is a token and a trial is what is open for it.
import type { ScriptedResult } from '../base/script.ts';
import type { StrayWork } from '../base/stray-count.ts';
import type { ToolSchema } from '../base/tool-schema.ts';
import type { ToolCall } from '../base/traffic.ts';
import type { SearchDials } from '../tasks/search-index.ts';

export type BrokerRequest =
  | {
      readonly type: 'configure';
      /** Directory of a built task set: the broker reads `files/` and `web/` there. Absent for scripted tools only. */
      readonly taskSetDirectory?: string;
      readonly arguments: 'strict' | 'lenient';
      readonly toolErrors: 'throw' | 'text';
      /** How good the offline search is; absent: all pages, no noise. */
      readonly search?: SearchDials;
      /** Where texts read once are kept by content, so that no row waits longer than another (method M2.5). */
      readonly cacheDirectory: string;
      /** Off: every call reads and runs anew. Absent: on. */
      readonly cache?: 'on' | 'off';
      /** With numpy and pandas, for `run_python`: used where bubblewrap can shut it in. Absent where it was not set up; Pyodide runs programs then. */
      readonly pythonInterpreter?: string;
    }
  | { readonly type: 'worker-open'; readonly token: string }
  | { readonly type: 'worker-close'; readonly token: string }
  | {
      readonly type: 'trial-open';
      readonly token: string;
      readonly trialId: number;
      readonly tools: readonly string[];
      /** Neutral names and where the files really are, relative to the set's directory. */
      readonly attachments: readonly { readonly name: string; readonly path: string }[];
      readonly keepResults: boolean;
      /** Tools that only this trial has, for conformance. */
      readonly scripted?: readonly { readonly schema: ToolSchema; readonly results: readonly ScriptedResult[] }[];
      /** Counterfactual test: in results of this trial, `from` becomes `to`. */
      readonly replace?: readonly { readonly from: string; readonly to: string }[];
    }
  /** What is and was in flight, for the host's deadline (method M3.5). */
  | { readonly type: 'trial-status'; readonly token: string; readonly trialId: number }
  | { readonly type: 'trial-close'; readonly token: string; readonly trialId: number }
  | { readonly type: 'stop' };

export type BrokerReply =
  | { readonly type: 'ready'; readonly port: number }
  /** `python`: which one runs programs of `run_python`, with its version; absent when none does, or there is no task set. */
  | { readonly type: 'configured'; readonly python?: string }
  | { readonly type: 'worker-opened'; readonly token: string }
  | { readonly type: 'worker-closed'; readonly token: string }
  /** With the calls of this worker that no trial took. */
  | ({ readonly type: 'trial-opened'; readonly trialId: number } & StrayWork)
  | { readonly type: 'trial-closed'; readonly trialId: number; readonly calls: readonly ToolCall[] }
  | { readonly type: 'trial-status'; readonly trialId: number; readonly intervals: readonly { readonly startMs: number; readonly endMs?: number }[] }
  | { readonly type: 'failed'; readonly request: string; readonly code: string; readonly message: string; readonly trialId?: number };
