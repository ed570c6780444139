// Finds the plan that a request is about, by the question or by the sentence of one of its chains (method M4.1). It never sees an id.
// Each wanted text is filed under its rarest run of three words, so that a long history costs one look-up a word.
import type { Chain, SolutionPlan } from '../tasks/plan.ts';
import { canonicalText, readings } from './canonical.ts';

export interface FoundTask {
  readonly plan: SolutionPlan;
  /** Set when only this subtask is asked. */
  readonly chain?: Chain;
}

export interface TaskFinder {
  /**
   * @returns the task whose question stands in the text (the longest wins), else the chain whose sentence does, else `undefined`.
   * Of several sentences the one that stands there most often, else first: who hands out one subtask may quote the others after it.
   */
  find(text: string): FoundTask | undefined;
}

interface Entry {
  readonly text: string;
  readonly found: FoundTask;
}

const RUN = 3;

export function taskFinder(plans: readonly SolutionPlan[]): TaskFinder {
  const entries = plans.flatMap((plan): Entry[] => [
    { text: canonicalText(plan.question), found: { plan } },
    ...plan.chains.filter((chain) => chain.sentence !== '').map((chain) => ({ text: canonicalText(chain.sentence), found: { plan, chain } })),
  ]);
  const counts = new Map<string, number>();
  for (const { text } of entries) for (const run of innerRuns(text)) counts.set(run, (counts.get(run) ?? 0) + 1);
  const filed = new Map<string, Entry[]>();
  /** Too short for a run: looked for one by one. */
  const short: Entry[] = [];
  for (const entry of entries) {
    const [rarest] = innerRuns(entry.text).sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
    if (rarest === undefined) short.push(entry);
    else filed.set(rarest, [...(filed.get(rarest) ?? []), entry]);
  }
  return {
    find: (text) => {
      let best: Entry | undefined;
      for (const reading of readings(text)) {
        const canonical = canonicalText(reading);
        const candidates = new Set(short);
        for (const run of runsOf(canonical)) for (const entry of filed.get(run) ?? []) candidates.add(entry);
        const standing = [...candidates].filter((entry) => canonical.includes(entry.text));
        best = longest(standing.filter((entry) => entry.found.chain === undefined)) ?? mostOften(standing, canonical);
        if (best) break;
      }
      return best?.found;
    },
  };
}

function longest(entries: readonly Entry[]): Entry | undefined {
  return entries.reduce<Entry | undefined>((best, entry) => (best && best.text.length >= entry.text.length ? best : entry), undefined);
}

/** A sentence that is only part of another one does not count. */
function mostOften(entries: readonly Entry[], text: string): Entry | undefined {
  const own = entries.filter((entry) => !entries.some((other) => other !== entry && other.text.length > entry.text.length && other.text.includes(entry.text)));
  const placed = own.map((entry) => ({ entry, times: text.split(entry.text).length, at: text.indexOf(entry.text) }));
  return placed.sort((a, b) => b.times - a.times || a.at - b.at)[0]?.entry;
}

/** Runs that wrapping cannot touch: a quotation mark or a tag sticks to the first and the last word. */
function innerRuns(text: string): string[] {
  const words = text.split(' ');
  return words.length < RUN + 2 ? [] : runsOf(words.slice(1, -1).join(' '));
}

function runsOf(text: string): string[] {
  const words = text.split(' ');
  const runs: string[] = [];
  for (let at = 0; at + RUN <= words.length; at++) runs.push(`${words[at]} ${words[at + 1]} ${words[at + 2]}`);
  return runs;
}
