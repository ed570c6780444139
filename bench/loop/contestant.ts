// One way of running the agent loop. Every one is asked the same over the same wire: ask, call `look_up` as often as the server wants, answer.

export interface LoopTerms {
  readonly baseUrl: string;
  readonly system: string;
  readonly question: string;
  readonly tool: LoopTool;
  readonly timeoutMs: number;
  /** From outside, one for all runs; it never aborts. */
  readonly signal: AbortSignal;
}

export interface LoopTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: {
    readonly type: 'object';
    readonly properties: { readonly door: { readonly type: 'string'; readonly description: string } };
    readonly required: readonly ['door'];
    readonly additionalProperties: false;
  };
  readonly run: (args: unknown) => Promise<string>;
}

export const MODEL = { name: 'gpt-4o-mini', apiKey: 'none', temperature: 1, maxTokens: 2000 } as const;

/** Prepares what can be prepared; what it gives is one run, which ends in the answer. */
export type LoopContestant = (terms: LoopTerms) => Promise<() => Promise<string>>;
