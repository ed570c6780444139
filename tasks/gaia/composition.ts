// The set `open68`: which templates write how many tasks (at most three each), and which write the warm-ups. 7 zero-tool, 19 document and 42 web tasks,
// 29 / 36 / 3 by level, as in the study that the set stands in for; the test of this file counts them.
import type { Quota } from './compose.ts';
import type { Template } from './template.ts';
import { arrivals, costCentre, stockValue, twoLedgers } from './templates/document-joins.ts';
import { boardDecision } from './templates/document-office.ts';
import { csvCount, csvList, reportCell, sheetChange, sheetTotal } from './templates/document-tables.ts';
import { codeOutput, jsonKeeper, logDays } from './templates/document-texts.ts';
import { leagueCell, listFilter, museumDetail } from './templates/web-facts.ts';
import { championsTown, foundersSchool, makersTown } from './templates/web-hops.ts';
import { correctedOrder, daysApart, festivalCosts, firmChanges, museumYears, paperTotals } from './templates/web-pairs.ts';
import { authorAges, mastersInOrder, novelistSpan, shipMasters, youngestArchitect } from './templates/web-people.ts';
import { calendar, jars } from './templates/zero-arithmetic.ts';
import { letters, liars, queue } from './templates/zero-logic.ts';

export const OPEN68: readonly Quota[] = [
  { template: queue, count: 2 },
  { template: liars, count: 1 },
  { template: letters, count: 2 },
  { template: jars, count: 1 },
  { template: calendar, count: 1 },

  { template: reportCell, count: 2 },
  { template: sheetTotal, count: 2 },
  { template: csvCount, count: 1 },
  { template: csvList, count: 1 },
  { template: sheetChange, count: 1 },
  { template: jsonKeeper, count: 1 },
  { template: codeOutput, count: 2 },
  { template: logDays, count: 1 },
  { template: stockValue, count: 1 },
  { template: boardDecision, count: 1 },
  { template: twoLedgers, count: 2 },
  { template: costCentre, count: 2 },
  { template: arrivals, count: 2 },

  { template: museumDetail, count: 3 },
  { template: leagueCell, count: 3 },
  { template: listFilter, count: 3 },
  { template: daysApart, count: 3 },
  { template: makersTown, count: 3 },
  { template: foundersSchool, count: 2 },
  { template: championsTown, count: 3 },
  { template: firmChanges, count: 3 },
  { template: museumYears, count: 3 },
  { template: festivalCosts, count: 3 },
  { template: paperTotals, count: 3 },
  { template: correctedOrder, count: 2 },
  { template: authorAges, count: 2 },
  { template: shipMasters, count: 3 },
  { template: mastersInOrder, count: 1 },
  { template: youngestArchitect, count: 1 },
  { template: novelistSpan, count: 1 },
];

/** One a type, in a turn beyond every planned one, so that a warm-up is no planned task in other words. */
export const WARM_UPS: readonly { readonly template: Template; readonly turn: number }[] = [
  { template: calendar, turn: 1 },
  { template: reportCell, turn: 2 },
  { template: museumDetail, turn: 3 },
];
