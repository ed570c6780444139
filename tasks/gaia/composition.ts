// The set `open68`: which templates write how many tasks (at most three each), and which write the warm-ups. 7 zero-tool, 19 document, 42 web;
// 29 / 36 / 3 by level.
import type { Quota } from './compose.ts';
import type { Template } from './template.ts';
import { reportCell } from './templates/document-tables.ts';
import { leagueCell, museumDetail } from './templates/web-facts.ts';
import { calendar, jars } from './templates/zero-arithmetic.ts';

export const OPEN68: readonly Quota[] = [
  { template: jars, count: 2 },
  { template: calendar, count: 1 },
  { template: reportCell, count: 2 },
  { template: museumDetail, count: 3 },
  { template: leagueCell, count: 3 },
];

/** One a type, in a turn beyond every planned one, so that a warm-up is no planned task in other words. */
export const WARM_UPS: readonly { readonly template: Template; readonly turn: number }[] = [
  { template: calendar, turn: 1 },
  { template: reportCell, turn: 2 },
  { template: museumDetail, turn: 3 },
];
