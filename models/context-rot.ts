// The curves by which the simulated model misreads (method M4.10); the numbers and their sources stand in base/reading-curve.ts, which the reports read too.
import { CURVE_SETS } from '../base/reading-curve.ts';

export { shareKept } from '../base/reading-curve.ts';

/** The needle shares almost no words with the question. */
export const ASSOCIATIVE = CURVE_SETS[0].associative;
/** Look-ups that share words with the question. */
export const LEXICAL = CURVE_SETS[0].lexical;
