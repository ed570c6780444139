// The whole of what an adapter sees and gives. A shape is one function from terms to something that runs once.
import type { ToolSchema } from '../base/tool-schema.ts';

export type ShapeName = 'single' | 'idiomatic' | 'dag';
export type SettingsName = 'default' | 'hardened';

/** A tool as the framework may call it: an ordinary async function over one kept connection (method M2.2). */
export interface ToolStub extends ToolSchema {
  /** @returns the tool's text. @throws when the broker refused the arguments (422) or its back end is dead (5xx). */
  readonly run: (args: unknown) => Promise<string>;
}

/** Equal terms of one trial (method M1): every row gets the same, and the wire audit checks that it used them. */
export interface Terms {
  readonly settings: SettingsName;
  /** Of an ablation (`agentgauge ablate`): what to switch off. An adapter that knows no such thing refuses it. */
  readonly configuration?: string;
  /** System slot: role and form of the answer. Empty when the instruction is to stand in the user text only. */
  readonly systemText: string;
  /** Question, names of attachments, and the form of the answer once more. */
  readonly userText: string;
  readonly tools: readonly ToolStub[];
  readonly model: {
    /** `http://127.0.0.1:PORT/w/TOKEN/v1`: of this worker alone */
    readonly baseUrl: string;
    /** `key-of-trial-N`: by it the gateway knows what belongs to an earlier trial */
    readonly apiKey: string;
    readonly name: string;
    readonly temperature: number;
    readonly maxTokens: number;
    /** Client time-out of one request; set only in `hardened` rows and where a client demands one. */
    readonly timeoutMs: number;
  };
  /** Model calls that the framework's own option must allow, exactly (method M3.2). */
  readonly agentCap: number;
  /** `--cap-literal`: hand this number to the framework's own option as it stands. */
  readonly capLiteral?: number;
}

/** One agent, built and ready. `run` is what is measured; `close` is outside. */
export interface Prepared {
  run(signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
  /** Bytes that the framework's own memory tiers held in the run, where an ablation asks for them. Read after `run`, before `close`. */
  tierBytes?(): Readonly<Record<string, number>> | undefined;
}

export type Shape = (terms: Terms) => Prepared | Promise<Prepared>;
/** Shapes by name; a shape that the framework cannot have is absent. */
export type Adapter = Readonly<Partial<Record<ShapeName, Shape>>>;
