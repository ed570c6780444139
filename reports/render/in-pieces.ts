// Rows by the thousand. A list may have as many lines as the run has trials: joined by pieces, few of them are alive at once, and no file has to be a single string.

const ROWS_A_PIECE = 1_000;

export function* inPieces<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += ROWS_A_PIECE) yield rows.slice(from, from + ROWS_A_PIECE);
}
