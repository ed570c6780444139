// What gateway and broker saw of one trial. Written by them, read by the classifier and the record: the framework never writes here (rule 1 of the design).
// All times are monotonic milliseconds of this host's kernel (see clock.ts).

/** Status of a call whose client went away before there was one, as web servers log it. */
export const CLIENT_LEFT = 499;

export interface RequestedCall {
  readonly id: string;
  readonly name: string;
  /** As the model sent it: may be cut, empty or no JSON at all. */
  readonly arguments: string;
}

/** What the model (or the gateway in its place) answered. */
export type Reply =
  | { readonly kind: 'calls'; readonly text: string; readonly calls: readonly RequestedCall[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'error'; readonly code: string; readonly message: string };

/** A result that a request brought back to the model: one `tool` message, `function_call_output` or its like. */
export interface DeliveredResult {
  readonly callId: string;
  readonly text: string;
}

/** What one call of a reply is for. */
export interface CallStep {
  readonly step?: string;
  readonly ask?: number;
  readonly slip?: string;
}

/** One request with its reply. */
export interface ModelCall {
  readonly startMs: number;
  readonly firstByteMs?: number;
  /** Last byte accepted by the client. Absent when the request was still open as the trial was closed. */
  readonly endMs?: number;
  readonly status: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly requestBytes: number;
  readonly replyBytes: number;
  readonly endpoint: 'chat.completions' | 'responses';
  readonly streamed: boolean;
  readonly offeredTools: readonly string[];
  /** Whether the reply was cut by max tokens. */
  readonly truncated: boolean;
  /** The reply carried reasoning beside its text or in its place (`reasoning_content`, a reasoning item). */
  readonly reasoning?: true;
  readonly reply: Reply;
  readonly delivered: readonly DeliveredResult[];
  /** Whether the trial's instruction stood anywhere in this request. */
  readonly instructionSeen: boolean;
  /** The call beyond the cap: never answered. */
  readonly capped?: true;
  /** Bore the key of no trial: had it come late, nobody could have told. */
  readonly keyless?: true;
  /** Began after the trial's end, or was open 250 ms after it. */
  readonly stray?: true;
  /** Plan step and ask that the simulated model worked on; absent with real models and for requests without a step. */
  readonly step?: string;
  readonly ask?: number;
  readonly role?: string;
  /** Fault kind that the simulated model drew for this reply. */
  readonly slip?: string;
  /** The same for each call of a reply, in their order, where it makes several at once. */
  readonly callSteps?: readonly CallStep[];
  /** Plan steps whose evidence stood in this request. */
  readonly stepsDone?: readonly string[];
  /** Bodies for the transcript; left out when transcripts are off. */
  readonly requestBody?: unknown;
  readonly replyBody?: unknown;
}

export interface StepReading {
  readonly step: string;
  /** In which another value could stand. */
  readonly tokens: number;
  /** By which curve: its words recur, they hardly do, or another agent handed it over (lexical, and a draw of its own). */
  readonly how: 'lexical' | 'associative' | 'handed-over';
}

/** What the gateway reports when a trial is closed. */
export interface ModelTraffic {
  readonly calls: readonly ModelCall[];
  /** Requests for embeddings, which are no model calls: deterministic vectors of ours, of no worth for a comparison of retrieval. */
  readonly embeddings?: { readonly requests: number; readonly inputTokens: number };
  /** Simulated model only: no slip is drawn at any step's ask 0 (method M6.2). */
  readonly undisturbed?: boolean;
  /** Simulated model only: knowledge draws that went wrong, by plan step. */
  readonly misses?: readonly { readonly step: string; readonly kind: string }[];
  readonly planSteps?: readonly string[];
  /** Simulated model only: each plan step as it was last read, and the tokens among which its values stood (method M4.10). */
  readonly readings?: readonly StepReading[];
  /** What this row's requests looked like, without anything that changes from task to task. Same wire, same hash. */
  readonly wire: WireFacts;
  /** Harness errors that the back end noticed: `matcher-miss`, `unclassified-role` (method M4.3). */
  readonly harnessErrors: readonly string[];
}

/** The wire audit's view of a trial: what the first request carried besides the task. */
export interface WireFacts {
  readonly endpoint?: string;
  readonly streamed?: boolean;
  readonly sampling?: Readonly<Record<string, unknown>>;
  readonly tools?: readonly unknown[];
  readonly toolChoice?: unknown;
  readonly parallelToolCalls?: unknown;
  /** System text that the framework added around ours. */
  readonly addedSystemText?: string;
  /** Where the instruction stood. */
  readonly instructionIn?: readonly ('system' | 'user')[];
  readonly otherKeys?: readonly string[];
}

/** One tool call as the broker saw it. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly startMs: number;
  readonly endMs?: number;
  /** 200 text, 404 unknown tool, 422 refused arguments, 5xx dead back end. */
  readonly status: number;
  readonly resultBytes: number;
  readonly result?: string;
  /** Addresses of the live web that it asked for, redirects and refused ones included. */
  readonly urls?: readonly string[];
  /** What ran the program of `run_python`, with its version. */
  readonly ranBy?: string;
  /** The result told agents to do something else than their task. */
  readonly orders?: true;
  readonly stray?: true;
}
