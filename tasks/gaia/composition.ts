// The set `open68`: which templates write how many tasks (at most three each), and which write the warm-ups. 7 zero-tool, 19 document and 42 web tasks,
// 29 / 36 / 3 by level, as in the study that the set stands in for; the test of this file counts them.
import type { Quota } from './compose.ts';
import type { Template } from './template.ts';
import { programOverData, programRun } from './templates/document-code.ts';
import { atomDistance, mapPoints, nestedParcels } from './templates/document-formats.ts';
import { arrivals, costCentre, stockValue, twoLedgers } from './templates/document-joins.ts';
import { boardDecision } from './templates/document-office.ts';
import { chartBars, scannedBill, signPicture } from './templates/document-pictures.ts';
import { mergedRegions, sheetColours } from './templates/document-sheets.ts';
import { spokenAmounts, spokenDays } from './templates/document-speech.ts';
import { csvCount, csvList, reportCell, sheetChange, sheetTotal } from './templates/document-tables.ts';
import { codeOutput, jsonKeeper, logDays } from './templates/document-texts.ts';
import { leagueCell, listFilter, museumDetail } from './templates/web-facts.ts';
import { championsTown, foundersSchool, makersTown } from './templates/web-hops.ts';
import { correctedOrder, daysApart, festivalCosts, firmChanges, museumYears, paperTotals } from './templates/web-pairs.ts';
import { authorAges, mastersInOrder, novelistSpan, shipMasters, youngestArchitect } from './templates/web-people.ts';
import {
  arrivalsByCargo,
  bridgeCosts,
  claimAgainstRegister,
  clubTrainer,
  exhibitionsInOrder,
  feedDate,
  loggedTonnes,
  otherUnits,
  shortLink,
  stationPairs,
  stationSamples,
  tenuresTogether,
  tenureYears,
  townsOnRiver,
  voyagesCompared,
} from './templates/web-records.ts';
import { calendar, jars } from './templates/zero-arithmetic.ts';
import { letters, liars, queue } from './templates/zero-logic.ts';
import { cipher, journey, packs, rosters } from './templates/zero-puzzles.ts';

export const OPEN68: readonly Quota[] = [
  { template: queue, count: 1 },
  { template: liars, count: 1, instead: [rosters] },
  { template: letters, count: 1, instead: [calendar] },
  { template: jars, count: 1 },
  { template: cipher, count: 1 },
  { template: packs, count: 1 },
  { template: journey, count: 1 },

  { template: reportCell, count: 1 },
  { template: signPicture, count: 1 },
  { template: chartBars, count: 1 },
  { template: spokenAmounts, count: 1, instead: [sheetTotal] },
  { template: sheetColours, count: 1 },
  { template: csvList, count: 1, instead: [csvCount] },
  { template: sheetChange, count: 1 },
  { template: jsonKeeper, count: 1 },
  { template: programRun, count: 1, instead: [codeOutput, programOverData] },
  { template: mapPoints, count: 1, instead: [atomDistance] },
  { template: spokenDays, count: 1, instead: [logDays] },
  { template: stockValue, count: 1 },
  { template: boardDecision, count: 1 },
  { template: mergedRegions, count: 1 },
  { template: twoLedgers, count: 1 },
  { template: costCentre, count: 1 },
  { template: scannedBill, count: 1 },
  { template: arrivals, count: 1 },
  { template: nestedParcels, count: 1 },

  { template: museumDetail, count: 1 },
  { template: leagueCell, count: 1 },
  { template: listFilter, count: 1, instead: [townsOnRiver] },
  { template: daysApart, count: 1 },
  { template: tenureYears, count: 1 },
  { template: loggedTonnes, count: 1 },
  { template: arrivalsByCargo, count: 1 },
  { template: stationSamples, count: 1 },
  { template: feedDate, count: 1 },
  { template: claimAgainstRegister, count: 1 },
  { template: otherUnits, count: 1 },
  { template: shortLink, count: 1 },
  { template: makersTown, count: 2 },
  { template: foundersSchool, count: 2 },
  { template: championsTown, count: 2 },
  { template: firmChanges, count: 2 },
  { template: museumYears, count: 1 },
  { template: festivalCosts, count: 1 },
  { template: paperTotals, count: 2 },
  { template: correctedOrder, count: 2 },
  { template: authorAges, count: 2 },
  { template: shipMasters, count: 2 },
  { template: tenuresTogether, count: 1 },
  { template: voyagesCompared, count: 2 },
  { template: stationPairs, count: 2 },
  { template: exhibitionsInOrder, count: 2 },
  { template: bridgeCosts, count: 1 },
  { template: clubTrainer, count: 1 },
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
