// What the simulated model takes its evidence for (method M4.10): each value is read once an asker, rightly, wrongly or, in a long request, as another one; and what
// was misread spoils the answer. Knows no replies and no slips.

import { shareKept } from '../base/reading-curve.ts';
import type { StepReading } from '../base/traffic.ts';
import { valuesNeeded } from '../tasks/formula.ts';
import type { PlanStep, SolutionPlan, Values } from '../tasks/plan.ts';
import type { TokenCounter } from './count-tokens.ts';
import { ANSWER_STEP } from './draws.ts';
import { evaluated, guess } from './guess.ts';
import { misreadValues, mixedUpValues } from './misread.ts';
import type { Profile } from './rates.ts';
import type { Turn } from './turn.ts';

export class Perception {
  readonly #profile: Profile;
  readonly #tokens: TokenCounter;
  readonly #instruction: string;
  readonly #misses = new Map<string, { readonly step: string; readonly kind: string }>();
  /** By asker and step: what was made of the evidence as it was first read. Absent values mean that it was read rightly. */
  readonly #readings = new Map<string, Values | undefined>();
  /** By step and kind: among how many tokens it was read. A later asker's reading takes the place of an earlier one's only when it is longer. */
  readonly #lengths = new Map<string, StepReading>();
  /** Values that a subtask worker misread and handed over, by name: whoever computes from them has been misled already. */
  readonly #misled = new Map<string, string | number>();

  constructor(profile: Profile, tokens: TokenCounter, instruction: string) {
    this.#profile = profile;
    this.#tokens = tokens;
    this.#instruction = instruction;
  }

  get misses(): readonly { readonly step: string; readonly kind: string }[] {
    return [...this.#misses.values()];
  }

  /** By plan step, then kind: of parallel branches either may have read first. */
  readings(plan: SolutionPlan): readonly StepReading[] {
    const order = new Map(plan.steps.map((step, at) => [step.id, at]));
    return [...this.#lengths.values()].sort((a, b) => (order.get(a.step) ?? 0) - (order.get(b.step) ?? 0) || (a.how < b.how ? -1 : 1));
  }

  miss(step: string, kind: string): void {
    this.#misses.set(`${step}\0${kind}`, { step, kind });
  }

  /** Draws for evidence that stands in a request of this asker for the first time. */
  note(turn: Turn): void {
    for (const step of turn.steps) {
      if (!turn.evidence.done.has(step.id)) continue;
      const key = keyOf(turn, step);
      if (this.#readings.has(key)) continue;
      const handedOver = turn.evidence.handedOver.has(step.id);
      // What another agent says is no call, so no wrong value is drawn again; but among much else it can be overlooked, with a draw of its own.
      const drawn = handedOver ? `hand-over ${step.id}` : step.id;
      const wrong = !handedOver && turn.draws.knowledge(step.id, 'read-wrongly') < this.#profile.readWrongly;
      const lexical = handedOver || !step.associative;
      if (lexical) this.#noteLength(step.id, handedOver ? 'handed-over' : 'lexical', this.#haystack(turn));
      const rotten = this.#profile.rot && lexical && turn.draws.knowledge(drawn, 'rot') >= shareKept(this.#profile.curves.lexical, this.#haystack(turn));
      if (wrong || rotten) this.miss(step.id, wrong ? 'wrong-value' : 'context-rot');
      this.#readings.set(key, wrong || rotten ? misread(turn, step, turn.draws.knowledge(drawn, 'distractor')) : undefined);
    }
  }

  /** Values as this asker took them: what was misread when it came in, and the associative step as it is read among everything that stands here now. */
  believed(turn: Turn): Values {
    const believed: Record<string, string | number> = { ...turn.evidence.values };
    for (const step of turn.steps) {
      Object.assign(believed, this.#readings.get(keyOf(turn, step)));
      if (!step.associative || !turn.evidence.done.has(step.id) || turn.evidence.handedOver.has(step.id)) continue;
      this.#noteLength(step.id, 'associative', this.#haystack(turn));
      if (!this.#profile.rot || turn.draws.knowledge(step.id, 'rot') < shareKept(this.#profile.curves.associative, this.#haystack(turn))) continue;
      this.miss(step.id, 'context-rot');
      Object.assign(believed, misreadValues(step, turn.conversation, turn.evidence.values, turn.draws.knowledge(step.id, 'distractor')));
    }
    return believed;
  }

  /** Remembers what a subtask worker misread and hands over. */
  handOver(turn: Turn, believed: Values): void {
    for (const [name, value] of Object.entries(believed)) if (value !== turn.evidence.values[name]) this.#misled.set(name, value);
  }

  answerFrom(turn: Turn, believed: Values): string | undefined {
    const right = evaluated(turn.plan, turn.evidence.values) ?? guess(turn);
    const failed = turn.steps.filter((step) => !step.call && turn.draws.knowledge(step.id, 'thought') < this.#profile.thought);
    for (const step of failed) this.miss(step.id, 'thought');
    if (failed.length > 0) return guess(turn, right);
    if (turn.draws.knowledge(ANSWER_STEP, 'ability') >= (this.#profile.ability[levelOf(turn.plan) - 1] ?? 1)) {
      this.miss(ANSWER_STEP, 'ability');
      return guess(turn, right);
    }
    const missed = this.misses.some(({ kind }) => kind === 'wrong-value' || kind === 'context-rot');
    if (!missed) return right;
    const needed = valuesNeeded(turn.plan.answer);
    // What a worker misread stands in the report that this was computed from: the answer is spoilt as it is.
    const misled = needed.some((name) => this.#misled.has(name) && this.#misled.get(name) === turn.evidence.values[name]);
    // A misread value that only led to the next page, or has no distractor, still spoils the answer.
    const inFormula = needed.some((name) => believed[name] !== turn.evidence.values[name]);
    if (misled && !inFormula) return right;
    const spoilt = inFormula ? evaluated(turn.plan, believed) : undefined;
    // Two values mixed up with each other may sum up rightly: then more context would lose less.
    return (spoilt === right && turn.evidence.handedOver.size > 0 ? undefined : spoilt) ?? guess(turn, right);
  }

  #noteLength(step: string, how: StepReading['how'], tokens: number): void {
    const key = `${how} ${step}`;
    if (tokens >= (this.#lengths.get(key)?.tokens ?? 0)) this.#lengths.set(key, { step, how, tokens });
  }

  /** Whoever is told what others found has it in the first text, beside question and instruction. */
  #haystack(turn: Turn): number {
    const { count } = this.#tokens;
    const behind = turn.conversation.haystack.reduce((tokens, text) => tokens + count(text), 0);
    if (turn.evidence.handedOver.size === 0) return behind;
    return behind + Math.max(0, count(turn.conversation.opening) - count(turn.plan.question) - count(this.#instruction));
  }
}

/** By the number of steps, as the task set has it: up to 5, up to 10, more. */
function levelOf({ steps }: SolutionPlan): 1 | 2 | 3 {
  return steps.length <= 5 ? 1 : steps.length <= 10 ? 2 : 3;
}

function keyOf({ conversation }: Turn, step: PlanStep): string {
  return `${step.id}\0${conversation.asker}`;
}

function misread(turn: Turn, step: PlanStep, draw: number): Values {
  const { values, handedOver } = turn.evidence;
  if (!handedOver.has(step.id)) return misreadValues(step, turn.conversation, values, draw);
  return mixedUpValues(
    step,
    turn.plan.steps.filter(({ id }) => handedOver.has(id)),
    values,
    draw,
  );
}
