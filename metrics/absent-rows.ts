// Rows that were asked for and cannot run here, by reason: a reason that many share is told once.
import type { ManifestPlan } from './record.ts';

export function absentByReason(absent: ManifestPlan['absentRows']): readonly (readonly [why: string, frameworks: readonly string[]])[] {
  return [...new Set(absent.map(({ why }) => why))].map((why) => [why, absent.filter((row) => row.why === why).map(({ framework }) => framework)] as const);
}
