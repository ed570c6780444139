// Seeded randomness. Two kinds: a draw that depends only on named parts (so that order of asking cannot matter), and a stream.
import { createHash, hash } from 'node:crypto';

/** A number in [0, 1) that depends on `parts` alone. Parts are joined unambiguously, so ['ab','c'] and ['a','bc'] differ. */
export function drawUnit(...parts: readonly (string | number)[]): number {
  // Twelve digits are 48 bits.
  return Number.parseInt(hash('sha256', JSON.stringify(parts)).slice(0, 12), 16) / 2 ** 48;
}

export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer in [low, high], both included. */
  integer(low: number, high: number): number;
  pick<T>(from: readonly T[]): T;
  shuffle<T>(of: readonly T[]): T[];
}

/** A stream of seeded numbers (sfc32), the same on every platform. */
export function seededRandom(...seed: readonly (string | number)[]): Random {
  const digest = createHash('sha256').update(JSON.stringify(seed)).digest();
  let a = digest.readInt32LE(0);
  let b = digest.readInt32LE(4);
  let c = digest.readInt32LE(8);
  let d = digest.readInt32LE(12);
  const next = () => {
    const t = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + t;
    c |= 0;
    return (t >>> 0) / 2 ** 32;
  };
  for (let warm = 0; warm < 12; warm++) next();
  const integer = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    integer,
    pick: (from) => {
      const picked = from[integer(0, from.length - 1)];
      if (from.length === 0) throw new RangeError('pick from an empty list');
      return picked as (typeof from)[number];
    },
    shuffle: (of) => {
      const copy = [...of];
      for (let i = copy.length - 1; i > 0; i--) {
        const j = integer(0, i);
        const held = copy[i] as (typeof copy)[number];
        copy[i] = copy[j] as (typeof copy)[number];
        copy[j] = held;
      }
      return copy;
    },
  };
}
