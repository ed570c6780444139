// What the simulated model has replied so far in one trial, by asker, role and step (method M4.6): from it follow the number of the next ask, whether a fault is
// visible now, and what was already tried. Depends on which replies were accepted, never on when.
import type { SlipKind } from './rates.ts';

/** What a reply did about its step. `wrong`: the step's call with a wrong value. `second`: what a person would try next. */
export type Act = 'plan' | 'second' | 'wrong' | 'say' | SlipKind;

interface Entry {
  readonly ask: number;
  readonly act: Act;
  /** Results and user texts in the request that got this reply. */
  readonly answers: number;
  accepted: boolean;
}

export interface Progress {
  readonly ask: number;
  /** The last reply was faulty, and this request holds something that answers it. */
  readonly visibleFault: SlipKind | undefined;
  /** Acts whose effect this request would show, and that brought no evidence. */
  readonly tried: ReadonlySet<Act>;
}

export class Asks {
  readonly #entries = new Map<string, Entry[]>();
  /** Entries before this one led to evidence: they say nothing about a step whose evidence was lost again. */
  readonly #settled = new Map<string, number>();

  progress(asker: string, role: string, step: string, answers: number): Progress {
    const key = keyOf(asker, role, step);
    const entries = this.#entries.get(key) ?? [];
    const accepted = entries.filter((entry) => entry.accepted);
    // Requests of one asker that are open at once share an ask.
    const open = entries.find((entry) => !entry.accepted);
    const ask = open ? open.ask : accepted.length;
    const unsettled = accepted.slice(this.#settled.get(key) ?? 0);
    const shown = unsettled.filter((entry) => entry.answers < answers);
    const last = unsettled.at(-1);
    return { ask, visibleFault: last && last.answers < answers && isSlip(last.act) ? last.act : undefined, tried: new Set(shown.map((entry) => entry.act)) };
  }

  /** Enters a reply. @returns what to call when the client has it, or left before it did: then it is the same ask next time */
  enter(asker: string, role: string, step: string, reply: { readonly ask: number; readonly act: Act; readonly answers: number }): (accepted: boolean) => void {
    const key = keyOf(asker, role, step);
    const entry: Entry = { ...reply, accepted: false };
    const entries = this.#entries.get(key) ?? [];
    entries.push(entry);
    this.#entries.set(key, entries);
    return (accepted) => {
      if (accepted) entry.accepted = true;
      else entries.splice(entries.indexOf(entry), 1);
    };
  }

  /** The step's evidence stands in a request of this asker. */
  settle(asker: string, role: string, step: string): void {
    const key = keyOf(asker, role, step);
    this.#settled.set(key, (this.#entries.get(key) ?? []).filter((entry) => entry.accepted).length);
  }
}

function keyOf(asker: string, role: string, step: string): string {
  return `${role}\0${step}\0${asker}`;
}

function isSlip(act: Act): act is SlipKind {
  return act !== 'plan' && act !== 'second' && act !== 'wrong' && act !== 'say';
}
