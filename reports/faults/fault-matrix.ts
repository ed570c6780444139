// The table of faults as data: what each row made of each fault, from stored records alone. Every renderer beside this file reads it; nothing here formats.
import type { FaultResponse } from '../../metrics/fault-response.ts';
import type { Manifest, TrialRecord, WorkerRecord } from '../../metrics/record.ts';

export interface FaultCell {
  readonly response: FaultResponse;
  /** Model requests that were made, and calls that reached a tool. */
  readonly requests: number;
  readonly toolCalls: number;
  readonly wallMs: number;
  /** Of a trial that ended with an error, or died: what it said. */
  readonly says?: string;
  /** What came back as if all were well, when it was not. */
  readonly output?: string;
}

export interface FaultRow {
  readonly id: string;
  readonly framework: string;
  readonly settings: string;
  readonly title: string;
  readonly versions: Readonly<Record<string, string>>;
  /** Cells by fault; one that was not run is an absent key. */
  readonly cells: Readonly<Record<string, FaultCell>>;
  /** How long this row may wait by what its client documents. */
  readonly documentedLimit?: string;
}

export interface FaultLine {
  readonly id: string;
  readonly group: string;
  readonly sentence: string;
}

export interface FaultMatrix {
  readonly rows: readonly FaultRow[];
  readonly faults: readonly FaultLine[];
  readonly absent: readonly { readonly framework: string; readonly why: string }[];
  readonly patienceMs: number;
  readonly agentCap: number;
  readonly cap: number;
  readonly node: string;
  readonly agentgauge: string;
  /** Day of the run. */
  readonly date: string;
}

export interface FaultRun {
  readonly manifest: Manifest;
  readonly trials: readonly TrialRecord[];
  readonly workers: readonly WorkerRecord[];
}

/** What stands in no record: words for people. */
export interface FaultWords {
  readonly faults: readonly FaultLine[];
  /** By framework. */
  readonly documentedLimits: Readonly<Record<string, string>>;
}

export function faultMatrix({ manifest, trials, workers }: FaultRun, words: FaultWords): FaultMatrix {
  const { plan } = manifest;
  const planned = new Set(plan.tasks.map(({ taskId }) => taskId));
  const known = words.faults.filter(({ id }) => planned.has(id));
  const unknown = [...planned].filter((id) => !known.some((fault) => fault.id === id)).map((id) => ({ id, group: 'others', sentence: id }));
  // One row a framework and settings, whatever the shape: no fault is met in two.
  const first = plan.rows.filter((row, at) => plan.rows.findIndex((other) => other.framework === row.framework && other.settings === row.settings) === at);
  const rows = first.map(({ framework, settings, title }): FaultRow => {
    const own = (record: TrialRecord | WorkerRecord) => record.framework === framework && record.settings === settings;
    const limit = words.documentedLimits[framework];
    return {
      id: `${framework}/${settings}`,
      framework,
      settings,
      title,
      versions: workers.find(own)?.versions ?? {},
      cells: Object.fromEntries(
        trials.filter(own).flatMap((record) => (record.response === undefined ? [] : [[record.taskId, cellOf(record, record.response)]])),
      ),
      ...(limit === undefined ? {} : { documentedLimit: limit }),
    };
  });
  return {
    rows: [...rows].sort((a, b) => (a.settings === b.settings ? 0 : a.settings < b.settings ? -1 : 1)),
    faults: [...known, ...unknown],
    absent: plan.absentRows,
    patienceMs: plan.timeoutMs,
    agentCap: plan.agentCap,
    cap: plan.cap,
    node: manifest.machine.node,
    agentgauge: manifest.agentgauge,
    date: manifest.startedAt.slice(0, 10),
  };
}

function cellOf({ usage, wallMs = 0, failure, output, outcome }: TrialRecord, response: FaultResponse): FaultCell {
  return {
    response,
    requests: usage.modelCalls,
    toolCalls: usage.toolCalls,
    wallMs: Math.round(wallMs),
    ...(failure === undefined || (outcome !== 'failed' && outcome !== 'infrastructure') || response === 'silent-wrong' ? {} : { says: failure.message }),
    ...(response === 'silent-wrong' ? { output: output ?? '' } : {}),
  };
}

/** The word in a cell, as short as it can be read. What a person should see first is written large. */
export const SHORT: Readonly<Record<FaultResponse, string>> = {
  recovered: 'ok',
  'fed-back': 'fed back',
  'clear-error': 'error',
  'silent-wrong': 'SILENT',
  crash: 'CRASH',
  hang: 'HANG',
  'stray-work': 'STRAY',
  'still-waiting': 'waits',
};

export const MEANING: Readonly<Record<FaultResponse, string>> = {
  recovered: 'came to the right end without a word to the model',
  'fed-back': 'told the model, which then did it right',
  'clear-error': 'ended in time with an error',
  'silent-wrong': 'a success with nothing, half, a notice, or that rests on a call which the tool does not take',
  crash: 'the process died',
  hang: 'never ended: waits for nothing, or asks on beyond every limit',
  'stray-work': 'went on working after its end',
  'still-waiting': 'was still waiting when patience ran out; no ending',
};

/** `3` requests, and the time from a second on. */
export function figures({ requests, wallMs }: FaultCell): string {
  return wallMs < 1_000 ? `${requests}` : `${requests} ${wallMs < 9_950 ? (wallMs / 1000).toFixed(1) : Math.round(wallMs / 1000)}s`;
}

export function captionOf(matrix: FaultMatrix): string {
  const handOvers = matrix.faults.some(({ group }) => group === 'hand-overs')
    ? " (hand-overs: the row's own idiom of several, where it hands on by a tool)"
    : '';
  return `A scripted model and its wire misbehave in ${matrix.faults.length} ways; ${matrix.rows.length} rows meet each on real processes, one agent alone${handOvers}. A cell: what came of it, model requests made, time from one second on. Tools take what they get, as plain functions do. Each framework's own limit stands at ${matrix.agentCap} model calls; the gateway answers ${matrix.cap}. Patience: ${matrix.patienceMs / 1000} s. Node ${matrix.node.replace(/^v/, '')}, ${matrix.date}.`;
}

export function requestsIn(n: number): string {
  return n === 1 ? '1 request' : `${n} requests`;
}

/** The command that fills this table. */
export function commandOf({ rows }: FaultMatrix): string {
  const distinct = (of: readonly string[]) => [...new Set(of)].join(',');
  return `agentgauge faults --frameworks ${distinct(rows.map(({ framework }) => framework))} --settings ${distinct(rows.map(({ settings }) => settings))}`;
}

/** One line each: what waits, what is not there. */
export function notesOf(matrix: FaultMatrix): string[] {
  const waiting = matrix.rows.flatMap((row) => {
    const still = matrix.faults.filter(({ id }) => row.cells[id]?.response === 'still-waiting');
    if (still.length === 0) return [];
    const what = still.map(({ id }) => `${id} (${requestsIn(row.cells[id]?.requests ?? 0)})`).join(', ');
    return [
      `${row.id} still waits after ${matrix.patienceMs / 1000} s: ${what}.${row.documentedLimit === undefined ? '' : ` Its limit: ${row.documentedLimit}.`}`,
    ];
  });
  return [...waiting, ...matrix.absent.map(({ framework, why }) => `Not here: ${framework} (${why}).`)];
}
