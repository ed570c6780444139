// A solution plan: how a careful person would solve a task with the tools, as data (method M4.1). Read by `tasks check`, which walks it,
// and by the simulated model, which follows it; never by a worker. Values come from what is read at run time, so a changed document changes the answer.

/** Where a value stands: after these texts, which follow each other in this order within one passage. */
export interface Read {
  /** The value is addressed as `step.name`. */
  readonly name: string;
  /** What the value is, in words unique to the set: `visitors of Harlow House in 1987`. A hand-over says `label: value`; no label is part of another. */
  readonly label: string;
  /** Anchors, in order; the value is the first of its kind after the last one. May hold `{{step.name}}`. */
  readonly after: readonly string[];
  readonly kind: 'number' | 'date' | 'text' | 'url';
  /** For `text`: the value ends before the first of these (default: line break, `|`, `;`, full stop before blank or end). */
  readonly until?: readonly string[];
  /** For `number`: how many numbers behind the last anchor are passed over first (a table of a PDF has no marks between its columns). */
  readonly skip?: number;
}

export interface PlannedCall {
  readonly tool: string;
  /** Strings may hold `{{step.name}}`; one that is nothing else takes the value itself, a number as a number (`fillArguments` in formula.ts). */
  readonly arguments: Readonly<Record<string, string | number | boolean>>;
}

export interface PlanStep {
  /** `s1`, `s2`, … in an order in which they can be done. */
  readonly id: string;
  /** Steps whose values this one needs. Dependent steps form a chain. */
  readonly needs: readonly string[];
  /** Absent in zero-tool plans: a step of thought. */
  readonly call?: PlannedCall;
  /** What a person would try once if the call shows no evidence: next page, another spelling (method M4.8). */
  readonly secondTry?: PlannedCall;
  readonly reads: readonly Read[];
  /** At most one step of a plan: its evidence shares few words with the question (method M4.10). */
  readonly associative?: true;
}

/** One subtask: dependent steps, with a sentence that is unique in the set. */
export interface Chain {
  readonly sentence: string;
  readonly steps: readonly string[];
}

export interface SolutionPlan {
  readonly question: string;
  readonly steps: readonly PlanStep[];
  readonly chains: readonly Chain[];
  readonly answer: Formula;
  /** Answers that look right and are wrong (outdated page, neighbouring row): what a misreading yields when the request holds none. */
  readonly nearMisses: readonly string[];
}

/** An answer as a function of the values read. Evaluated by `evaluate` in formula.ts. */
export type Formula =
  | { readonly value: string }
  | { readonly constant: number | string }
  | { readonly op: 'add' | 'subtract' | 'multiply' | 'divide' | 'minimum' | 'maximum' | 'mean' | 'concatenate'; readonly of: readonly Formula[] }
  | { readonly op: 'round'; readonly digits: number; readonly of: Formula }
  | { readonly op: 'year' | 'month' | 'weekday' | 'uppercase' | 'lowercase' | 'length' | 'reverse' | 'last-word' | 'first-word'; readonly of: Formula }
  | { readonly op: 'days-between'; readonly from: Formula; readonly to: Formula }
  | { readonly op: 'add-days'; readonly of: Formula; readonly days: Formula }
  /** The entry of `of` whose `by` is largest or smallest; ties take the first. */
  | { readonly op: 'first-by'; readonly order: 'largest' | 'smallest'; readonly of: readonly Formula[]; readonly by: readonly Formula[] }
  /** How many of `of` (or their sum, or the entries of `pick` as a list) satisfy the test. */
  | {
      readonly op: 'where';
      readonly of: readonly Formula[];
      readonly test: 'above' | 'below' | 'equal' | 'not-equal';
      readonly than: Formula;
      readonly give: 'count' | 'sum' | 'list';
      /** Summed or listed in place of `of`. */
      readonly pick?: readonly Formula[];
    }
  /** Comma-separated; ordered as given, alphabetically, or by `by`. */
  | {
      readonly op: 'list';
      readonly of: readonly Formula[];
      readonly order: 'given' | 'alphabetical' | 'ascending' | 'descending';
      readonly by?: readonly Formula[];
    };

/** Values read so far, by `step.name`. Dates are `YYYY-MM-DD`. */
export type Values = Readonly<Record<string, string | number>>;
