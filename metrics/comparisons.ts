// Which rows are set against which (method M1.4 to M1.6): a row against the floor of its language, its hardened settings against its default, and rows of one language, shape
// and settings against each other. Names only; what is compared is the caller's.
import type { ManifestPlan } from './record.ts';

type PlanRow = ManifestPlan['rows'][number];

export interface Comparison<T> {
  readonly kind: 'floor' | 'default' | 'pair';
  readonly one: T;
  readonly other: T;
}

/** The floor is the first of its language, shape and settings; other floors are compared with it too. Pairs are ordered by name, floors stand in none. */
export function comparisonsOf<T extends { readonly row: PlanRow }>(rows: readonly T[]): Comparison<T>[] {
  const alike = (a: PlanRow, b: PlanRow) =>
    a.language === b.language && a.shape === b.shape && a.settings === b.settings && a.configuration === b.configuration;
  const floorFirst = (a: PlanRow) => rows.find(({ row }) => row.floor && alike(row, a));
  return rows.flatMap((one): Comparison<T>[] => {
    const floor = floorFirst(one.row);
    const usual = rows.find(({ row }) => row.framework === one.row.framework && row.shape === one.row.shape && row.settings === 'default');
    const below = one.row.floor
      ? []
      : rows.filter(({ row }) => !row.floor && alike(row, one.row) && one.row.framework < row.framework && !isUnfair(one.row, row, rows));
    return [
      ...(floor === undefined || floor === one ? [] : [{ kind: 'floor' as const, one, other: floor }]),
      ...(usual === undefined || usual === one || one.row.settings === 'default' ? [] : [{ kind: 'default' as const, one, other: usual }]),
      ...(one.row.shape === 'single' ? below.map((other) => ({ kind: 'pair' as const, one, other })) : []),
    ];
  });
}

/** Our own engine's default is set against another's only where that one's hardened settings and a hardened floor stand beside it (method M1.5). */
function isUnfair(one: PlanRow, other: PlanRow, rows: readonly { readonly row: PlanRow }[]): boolean {
  const [own, foreign] = one.publishedIsClaim === true ? [one, other] : [other, one];
  if (own.publishedIsClaim !== true || own.settings !== 'default') return false;
  const isThere = (holds: (row: PlanRow) => boolean) => rows.some(({ row }) => row.settings === 'hardened' && row.shape === own.shape && holds(row));
  return !isThere(({ framework }) => framework === foreign.framework) || !isThere(({ floor }) => floor);
}
