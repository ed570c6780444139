// From several runs of other seeds to one report (method M9.1); with choices turned in some of them, each difference also has its range over these.

import type { Report, Table } from './report.ts';
import { groupBySeed, type SeedRun } from './seed-groups.ts';
import { plural, profileWords } from './tables/caption.ts';
import { differenceTables, endingsTable, ratesTable, taskTypeTable } from './tables/seeds.ts';

/** @param mayTurn whether runs may differ in our choices as well. @throws UsageError as `groupBySeed` */
export function buildSeedsReport(runs: readonly SeedRun[], mayTurn: boolean): Report {
  const [usual, ...turned] = groupBySeed(runs, mayTurn);
  const differences = differenceTables(usual, turned);
  const tables = [ratesTable(usual), taskTypeTable(usual), endingsTable(usual), ...differences];
  return {
    manifest: usual.manifest,
    headline: [
      `Simulated model${profileWords(usual.manifest.plan)}: ${usual.rows.length} ${plural(usual.rows.length, 'row')} over ${usual.seeds.length} ${plural(usual.seeds.length, 'seed')}, ${turned.length} ${plural(turned.length, 'choice')} of ours turned.`,
      standingSentence(differences),
      'What may not be concluded: the model is simulated, so an interval says what other seeds of this simulation would give and nothing about a real model; what is open is no finding.',
    ],
    tables: Object.fromEntries(tables.map((table) => [table.id, table])),
  };
}

function standingSentence(tables: readonly Table[]): string {
  const standings = tables.flatMap(({ rows }) => rows.flatMap(({ cells }) => (cells.standing === undefined ? [] : [String(cells.standing.value)])));
  const stand = standings.filter((words) => words.startsWith('stands')).length;
  return `Of ${standings.length} differences ${stand} ${stand === 1 ? 'stands' : 'stand'} and ${standings.length - stand} are open.`;
}
