// SQL over a driver that the caller hands in. Statements are templates, so values travel as parameters and never become part of the text.
import type { Held } from '../connector.ts';
import { WorkflowError } from '../workflow-error.ts';
import type { CallPolicy } from './call-policy.ts';
import { connector, type ManagedConnector } from './make-connector.ts';
import { tooLarge } from './managed-call.ts';

export type SqlValue = string | number | bigint | boolean | null | Uint8Array | Date;
export type SqlRow = Readonly<Record<string, unknown>>;

export interface SqlConnectorOptions extends CallPolicy {
  /** The driver: runs a statement, and stops when the signal aborts if it can. */
  readonly query: (sql: string, params: readonly SqlValue[], signal: AbortSignal) => readonly SqlRow[] | Promise<readonly SqlRow[]>;
  /** How the driver counts its parameters: `?`, or `$1`, `$2` … @default '?' */
  readonly parameters?: '?' | '$';
  /** Longest answer, as the JSON text of its rows. @default 1 MiB */
  readonly maxBytes?: number;
  /** Which of the driver's errors pass by themselves. @default none; time-outs are tried again in any case */
  readonly mayPass?: (error: unknown) => boolean;
}

/** `` query`select … where town = ${town}` ``; a list becomes as many parameters, for `in (${towns})`. */
type Statement<Result> = (text: TemplateStringsArray, ...values: readonly (SqlValue | readonly SqlValue[])[]) => Promise<Result>;

export interface SqlClient {
  /** Reads. May be cached and tried again, so nothing may change by it. */
  readonly query: Statement<Held<readonly SqlRow[]>>;
  /** Changes something: sent once. */
  readonly execute: Statement<Held<readonly SqlRow[]>>;
}

interface SqlRequest {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/** @throws WorkflowError `INVALID_OPTIONS` without a driver */
export function sqlConnector(options: SqlConnectorOptions): ManagedConnector<SqlClient> {
  const { query, parameters = '?', maxBytes = 2 ** 20, mayPass = () => false } = options;
  if (typeof query !== 'function')
    throw new WorkflowError('INVALID_OPTIONS', 'a SQL connector needs a driver', { remedy: 'Pass query: (sql, params, signal) => rows.' });
  return connector<SqlRequest, readonly SqlRow[], SqlClient>(
    options,
    {
      answer: async ({ sql, params }, signal) => {
        const value = Object.freeze((await query(sql, params, signal)).map((row) => Object.freeze({ ...row })));
        const bytes = Buffer.byteLength(textOf(value));
        if (bytes > maxBytes) throw tooLarge(`the answer to ${JSON.stringify(sql.slice(0, 80))}`, maxBytes);
        return { value, bytes };
      },
      mayPass: (error) => (error instanceof WorkflowError && error.code === 'timeout') || mayPass(error),
      textOf,
    },
    (call) => ({
      query: async (text, ...values) => call(requestOf(text, values), true),
      execute: async (text, ...values) => call(requestOf(text, values), false),
    }),
  );

  function requestOf(text: TemplateStringsArray, values: readonly (SqlValue | readonly SqlValue[])[]): SqlRequest {
    if (!Array.isArray(text) || !Array.isArray(text.raw) || !Object.isFrozen(text)) {
      throw new WorkflowError('connector-refused', `connector "${options.name}" takes statements as templates only, found ${typeof text}`, {
        remedy: 'Write query`select … where id = ${id}`: what stands in ${} becomes a parameter.',
      });
    }
    const params: SqlValue[] = [];
    const place = (value: SqlValue): string => {
      params.push(value);
      return parameters === '?' ? '?' : `$${params.length}`;
    };
    let sql = text[0] ?? '';
    for (const [at, value] of values.entries()) {
      const list: readonly SqlValue[] = Array.isArray(value) ? value : [value as SqlValue];
      if (list.length === 0)
        throw new WorkflowError('connector-refused', `connector "${options.name}": a list of parameters is empty, which SQL has no form for`);
      sql += list.map(place).join(', ') + (text[at + 1] ?? '');
    }
    return { sql: sql.trim(), params };
  }
}

/** Rows as JSON; whole numbers beyond its range as text, bytes by their length. */
function textOf(rows: readonly SqlRow[]): string {
  return JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value instanceof Uint8Array ? `${value.length} bytes` : value,
  );
}
