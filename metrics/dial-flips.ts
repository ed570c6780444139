// What turning a dial does to the order of rows (method M2.3, M9): which pairs change places, and which rows change sides of their floor. Pure numbers in, names out.
// A tie on one side is no flip: an order that was none cannot turn round.

export interface DialPoint {
  /** Unique among the points. */
  readonly row: string;
  /** Rows are compared within one group only: one shape and one settings. */
  readonly group: string;
  /** The row that it is measured against; absent for a floor itself. */
  readonly floor?: string;
  /** Percent right. */
  readonly usual: number;
  readonly turned: number;
}

export interface Flips {
  /** Rows of the group that stood above this one and stand below it now. */
  readonly overtakes: readonly string[];
  /** Rows of the group that stood below and stand above it now. */
  readonly fallsBehind: readonly string[];
  /** Points over the floor, before and after; absent without a floor. */
  readonly overFloor?: { readonly usual: number; readonly turned: number };
  /** The difference to the floor has the other sign now. */
  readonly changesSign: boolean;
}

export function flipsOf(points: readonly DialPoint[]): ReadonlyMap<string, Flips> {
  const byRow = new Map(points.map((point) => [point.row, point]));
  return new Map(
    points.map((point): [string, Flips] => {
      const others = points.filter(({ row, group }) => row !== point.row && group === point.group);
      const floor = point.floor === undefined ? undefined : byRow.get(point.floor);
      const overFloor = floor && { usual: point.usual - floor.usual, turned: point.turned - floor.turned };
      return [
        point.row,
        {
          overtakes: others.filter(({ usual, turned }) => usual > point.usual && turned < point.turned).map(({ row }) => row),
          fallsBehind: others.filter(({ usual, turned }) => usual < point.usual && turned > point.turned).map(({ row }) => row),
          ...(overFloor && { overFloor }),
          changesSign: overFloor !== undefined && overFloor.usual * overFloor.turned < 0,
        },
      ];
    }),
  );
}
