// Answers a question a second time, from its words and the world alone: no plan, no page, no code of the templates. `tasks check` holds every truth of a web or
// zero-tool task against it, and against there being one answer only.
import type { World } from '../world/world.ts';
import { solveWeb } from './solve-web.ts';
import { solveZero } from './solve-zero.ts';

/** @returns every answer that fits; `undefined` when no recipe is known for questions of this kind */
export function solveFromWorld(kind: string, question: string, world: World): readonly string[] | undefined {
  const found = solveWeb(kind, question, world) ?? solveZero(kind, question, world);
  return found && [...new Set(found.map(String))];
}
