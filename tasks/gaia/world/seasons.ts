// Seasons of an invented league: every pair of clubs meets twice, and the table is counted from the matches, so that its columns agree.
import type { Random } from '../../../base/random.ts';
import type { Club } from './world.ts';

export interface Standing {
  readonly club: Club;
  readonly won: number;
  readonly drawn: number;
  readonly lost: number;
  readonly goalsFor: number;
  readonly goalsAgainst: number;
  readonly points: number;
}
export interface Season {
  readonly year: number;
  /** Best first: points, then goal difference, then goals. */
  readonly table: readonly Standing[];
}

const LAST_YEAR = 2025;

/** The last `count` seasons, oldest first. */
export function createSeasons(random: Random, clubs: readonly Club[], count: number): Season[] {
  return Array.from({ length: count }, (_, i) => ({ year: LAST_YEAR - count + 1 + i, table: playSeason(random, clubs) }));
}

function playSeason(random: Random, clubs: readonly Club[]): Standing[] {
  const tallies = clubs.map((club) => ({ club, won: 0, drawn: 0, lost: 0, goalsFor: 0, goalsAgainst: 0, points: 0, strength: random.next() }));
  for (const home of tallies) {
    for (const away of tallies) {
      if (home === away) continue;
      const homeGoals = Math.floor(random.next() * (2.6 + 1.8 * home.strength));
      const awayGoals = Math.floor(random.next() * (2.1 + 1.8 * away.strength));
      home.goalsFor += homeGoals;
      home.goalsAgainst += awayGoals;
      away.goalsFor += awayGoals;
      away.goalsAgainst += homeGoals;
      const [winner, loser] = homeGoals > awayGoals ? [home, away] : [away, home];
      if (homeGoals === awayGoals) {
        for (const side of [home, away]) {
          side.drawn += 1;
          side.points += 1;
        }
      } else {
        winner.won += 1;
        winner.points += 3;
        loser.lost += 1;
      }
    }
  }
  tallies.sort((a, b) => b.points - a.points || b.goalsFor - b.goalsAgainst - (a.goalsFor - a.goalsAgainst) || b.goalsFor - a.goalsFor);
  return tallies.map(({ strength: _, ...standing }) => standing);
}
