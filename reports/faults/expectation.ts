// What a framework's maintainers expect of their rows, as a file: written from a matrix, and held against another one. Times are not compared, nor what waits.
import type { FaultResponse } from '../../metrics/fault-response.ts';
import type { FaultCell, FaultMatrix } from './fault-matrix.ts';

export interface ExpectedCell {
  readonly response: FaultResponse;
  /** Absent: any number. */
  readonly requests?: number;
}

export interface FaultExpectation {
  /** For people: what the expectation was written from. */
  readonly versions: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By row, by fault. */
  readonly rows: Readonly<Record<string, Readonly<Record<string, ExpectedCell>>>>;
}

export interface FaultDifference {
  readonly row: string;
  readonly fault: string;
  readonly expected: ExpectedCell;
  /** Undefined: it was not run to its end. */
  readonly found: FaultCell | undefined;
}

export function expectationOf(matrix: FaultMatrix): FaultExpectation {
  return {
    versions: Object.fromEntries(matrix.rows.map(({ framework, versions }) => [framework, versions])),
    rows: Object.fromEntries(
      matrix.rows.map(({ id, cells }) => [id, Object.fromEntries(Object.entries(cells).map(([fault, cell]) => [fault, expectedOf(cell)]))]),
    ),
  };
}

function expectedOf({ response, requests }: FaultCell): ExpectedCell {
  return response === 'still-waiting' ? { response } : { response, requests };
}

/** Of the rows and faults that were run. @returns in the order of the table */
export function differencesFrom(expected: FaultExpectation, matrix: FaultMatrix): FaultDifference[] {
  return matrix.rows.flatMap((row) =>
    matrix.faults.flatMap(({ id: fault }) => {
      const wanted = expected.rows[row.id]?.[fault];
      if (wanted === undefined) return [];
      const found = row.cells[fault];
      const same = found?.response === wanted.response && (wanted.requests === undefined || wanted.requests === found.requests);
      return same ? [] : [{ row: row.id, fault, expected: wanted, found }];
    }),
  );
}

/** How many cells were run that the file says nothing of. */
export function unexpectedCells(expected: FaultExpectation, { rows }: FaultMatrix): number {
  return rows.reduce((total, { id, cells }) => total + Object.keys(cells).filter((fault) => expected.rows[id]?.[fault] === undefined).length, 0);
}
