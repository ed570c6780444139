// What the simulated model has replied so far in one trial, by asker, role and step (method M4.6): from it follow the number of the next ask, whether a fault is
// visible now, and what was already tried. Depends on which replies were accepted, never on when.
import type { SlipKind } from './rates.ts';

/** What a reply did about its step. `wrong`: the step's call with a wrong value. `second`: what a person would try next. `reader`: reading what was put away. */
export type Act = 'plan' | 'second' | 'wrong' | 'reader' | 'say' | SlipKind;

interface Entry {
  readonly ask: number;
  readonly act: Act;
  /** Results and user texts in the request that got this reply. */
  readonly answers: number;
  accepted: boolean;
  /** Its step's evidence came in: it says nothing about a step whose evidence was lost again. */
  spent: boolean;
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

  progress(asker: string, role: string, step: string, answers: number): Progress {
    const key = keyOf(asker, role, step);
    const entries = this.#entries.get(key) ?? [];
    const accepted = entries.filter((entry) => entry.accepted);
    // Requests that are open at once share an ask, and the next one follows whichever of them was answered: so the order of their ends cannot matter.
    const ask = accepted.reduce((next, entry) => Math.max(next, entry.ask + 1), 0);
    const live = accepted.filter((entry) => !entry.spent);
    const shown = live.filter((entry) => entry.answers < answers);
    const last = live.at(-1);
    return { ask, visibleFault: last && last.answers < answers && isSlip(last.act) ? last.act : undefined, tried: new Set(shown.map((entry) => entry.act)) };
  }

  /** Enters a reply. @returns what to call when the client has it, or left before it did: then it is the same ask next time */
  enter(asker: string, role: string, step: string, reply: { readonly ask: number; readonly act: Act; readonly answers: number }): (accepted: boolean) => void {
    const key = keyOf(asker, role, step);
    const entry: Entry = { ...reply, accepted: false, spent: false };
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
    for (const entry of this.#entries.get(keyOf(asker, role, step)) ?? []) entry.spent = true;
  }
}

function keyOf(asker: string, role: string, step: string): string {
  return `${role}\0${step}\0${asker}`;
}

function isSlip(act: Act): act is SlipKind {
  return act !== 'plan' && act !== 'second' && act !== 'wrong' && act !== 'reader' && act !== 'say';
}
