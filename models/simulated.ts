// The simulated model: reads what stands in a request, plays the part that the request gives it, and errs by published rates, alike for everybody (method M4).
// Here the parts meet; each rule stands in the file that bears its name. It is told seed and trial, never which framework asks.
import { hashOf } from '../base/canonical-json.ts';
import type { StepReading } from '../base/traffic.ts';
import { valuesNeeded } from '../tasks/formula.ts';
import type { PlanStep, SolutionPlan, Values } from '../tasks/plan.ts';
import { type Act, Asks, type Progress } from './asks.ts';
import { ASSOCIATIVE, LEXICAL, shareKept } from './context-rot.ts';
import type { ProfileName } from './control.ts';
import { type Conversation, conversationReader } from './conversation.ts';
import type { TokenCounter } from './count-tokens.ts';
import { asksWrongly, type Draws, drawsFor, isUndisturbed } from './draws.ts';
import { type Enforcement, prevents, withinLimits } from './enforce.ts';
import { taskFinder } from './find-task.ts';
import { evaluated, guess, labelled } from './guess.ts';
import { misreadValues, mixedUpValues } from './misread.ts';
import { offeredAs } from './offered-tools.ts';
import { planReply } from './plan-reply.ts';
import { type Move, nextMove } from './policy.ts';
import { type Profile, profileOf, type SlipKind } from './rates.ts';
import { missedByMatcher } from './read-evidence.ts';
import type { ModelRequest } from './read-request.ts';
import type { AssistantMessage, ReplySource, SourceAnswer, SourceTrial, TrialFacts, TrialTerms } from './reply-source.ts';
import { answerWords, NOTHING_ASKED, reportWords } from './say.ts';
import { malformedArguments, unknownToolName, violatedArguments } from './slips.ts';
import { closingStep, lastCall, readTurn, type Turn } from './turn.ts';
import { holdsInstruction } from './wire-facts.ts';
import { answerTurn, callTurn, EMPTY, obligedCall, plainTurn } from './write-turn.ts';

export interface SimulatedOptions {
  readonly plans: readonly SolutionPlan[];
  readonly profile: ProfileName | Profile;
  readonly enforce: Enforcement;
  readonly tokens: TokenCounter;
}

/** The model for one task set. Deterministic: the same requests get the same replies, in whatever order they come. */
export function createSimulatedModel(options: SimulatedOptions): ReplySource {
  const finder = taskFinder(options.plans);
  return {
    models: ['simulated'],
    open: (terms) => {
      const chosen = terms.profile ?? options.profile;
      return new SimulatedTrial(terms, typeof chosen === 'string' ? profileOf(chosen) : chosen, options, conversationReader(finder));
    },
  };
}

/** Parts that only a trial that was divided among several agents has. */
const DIVIDED: ReadonlySet<string> = new Set(['planner', 'subtask-worker', 'synthesis']);

class SimulatedTrial implements SourceTrial {
  readonly #terms: TrialTerms;
  readonly #profile: Profile;
  readonly #options: SimulatedOptions;
  readonly #read: (request: ModelRequest) => Conversation;
  readonly #asks = new Asks();
  readonly #errors = new Set<string>();
  readonly #misses = new Map<string, { readonly step: string; readonly kind: string }>();
  /** By asker and step: what was made of the evidence as it was first read. Absent values mean that it was read rightly. */
  readonly #readings = new Map<string, Values | undefined>();
  /** By step and kind: among how many tokens it was read. A later asker's reading takes the place of an earlier one's only when it is longer. */
  readonly #lengths = new Map<string, StepReading>();
  /** Values that a subtask worker misread and handed over, by name: whoever computes from them has been misled already. */
  readonly #misled = new Map<string, string | number>();
  /** Whether the trial was divided among planner, subtask workers and synthesis. */
  #divided = false;
  #known: { readonly plan: SolutionPlan; readonly draws: Draws } | undefined;
  #unclassified = 0;

  constructor(terms: TrialTerms, profile: Profile, options: SimulatedOptions, read: (request: ModelRequest) => Conversation) {
    this.#terms = terms;
    this.#profile = profile;
    this.#options = options;
    this.#read = read;
  }

  facts(): TrialFacts {
    const harnessErrors = [...this.#errors];
    if (!this.#known) return { harnessErrors };
    const { plan, draws } = this.#known;
    const undisturbed = isUndisturbed(draws, plan, this.#profile, this.#divided);
    const order = new Map(plan.steps.map((step, at) => [step.id, at]));
    // By plan step, then kind: of parallel branches either may have read first.
    const readings = [...this.#lengths.values()].sort((a, b) => (order.get(a.step) ?? 0) - (order.get(b.step) ?? 0) || (a.how < b.how ? -1 : 1));
    return { harnessErrors, undisturbed, misses: [...this.#misses.values()], planSteps: plan.steps.map((step) => step.id), readings };
  }

  reply(request: ModelRequest): SourceAnswer {
    const conversation = this.#read(request);
    if (!conversation.task) return this.#unasked(request, conversation);
    const { plan } = conversation.task;
    if (this.#known?.plan !== plan) this.#known = { plan, draws: drawsFor(this.#terms.seed, this.#terms.trialIndex, plan, this.#profile) };
    const turn = readTurn(request, conversation, conversation.task, this.#known.draws);
    if (DIVIDED.has(turn.role.name)) this.#divided = true;
    this.#noteReadings(turn);
    const move: Move = turn.role.name === 'planner' ? { kind: 'answer', how: 'known' } : this.#move(turn);
    // Nobody took tools from whoever joins reports: a value that no report holds was not found.
    if (turn.role.name === 'synthesis' && move.kind === 'answer' && move.how === 'forced') return this.#perform(turn, { kind: 'answer', how: 'not-found' });
    return this.#perform(turn, move);
  }

  #progress(turn: Turn, step: string): Progress {
    return this.#asks.progress(turn.conversation.asker, turn.role.name, step, turn.conversation.answers);
  }

  /** Draws for evidence that stands in a request of this asker for the first time (method M4.10). */
  #noteReadings(turn: Turn): void {
    for (const step of turn.steps) {
      if (!turn.evidence.done.has(step.id)) continue;
      this.#asks.settle(turn.conversation.asker, turn.role.name, step.id);
      const key = `${step.id}\0${turn.conversation.asker}`;
      if (this.#readings.has(key)) continue;
      const handedOver = turn.evidence.handedOver.has(step.id);
      // What another agent says is no call, so no wrong value is drawn again; but among much else it can be overlooked, with a draw of its own.
      const drawn = handedOver ? `hand-over ${step.id}` : step.id;
      const wrong = !handedOver && turn.draws.knowledge(step.id, 'read-wrongly') < this.#profile.readWrongly;
      const lexical = handedOver || !step.associative;
      if (lexical) this.#noteLength(step.id, handedOver ? 'handed-over' : 'lexical', this.#haystack(turn));
      const rotten = this.#profile.rot && lexical && turn.draws.knowledge(drawn, 'rot') >= shareKept(LEXICAL, this.#haystack(turn));
      if (wrong || rotten) this.#miss(step.id, wrong ? 'wrong-value' : 'context-rot');
      this.#readings.set(key, wrong || rotten ? this.#misread(turn, step, turn.draws.knowledge(drawn, 'distractor')) : undefined);
    }
  }

  #noteLength(step: string, how: StepReading['how'], tokens: number): void {
    const key = `${how} ${step}`;
    if (tokens >= (this.#lengths.get(key)?.tokens ?? 0)) this.#lengths.set(key, { step, how, tokens });
  }

  #misread(turn: Turn, step: PlanStep, draw: number): Values {
    const { values, handedOver } = turn.evidence;
    if (!handedOver.has(step.id)) return misreadValues(step, turn.conversation, values, draw);
    return mixedUpValues(
      step,
      turn.plan.steps.filter(({ id }) => handedOver.has(id)),
      values,
      draw,
    );
  }

  /** Whoever is told what others found has it in the first text, beside question and instruction. */
  #haystack(turn: Turn): number {
    const { count } = this.#options.tokens;
    const behind = turn.conversation.haystack.reduce((tokens, text) => tokens + count(text), 0);
    if (turn.evidence.handedOver.size === 0) return behind;
    return behind + Math.max(0, count(turn.conversation.opening) - count(turn.plan.question) - count(this.#terms.instruction));
  }

  #miss(step: string, kind: string): void {
    this.#misses.set(`${step}\0${kind}`, { step, kind });
  }

  #move(turn: Turn): Move {
    return nextMove({
      plan: turn.plan,
      steps: turn.steps,
      whole: turn.role.name !== 'subtask-worker',
      evidence: turn.evidence,
      mayCall: turn.role.mayCall,
      offered: (tool) => offeredAs(tool, turn.request.tools) !== undefined,
      progress: (step) => this.#progress(turn, step),
      asksWrongly: (step) => asksWrongly(turn.draws, step, this.#profile),
      notices: (step) => turn.draws.knowledge(step, 'notices') < this.#profile.correction,
      giveUp: (step, why) => {
        this.#miss(step, why);
        const planned = turn.plan.steps.find((candidate) => candidate.id === step);
        if (why === 'not-found' && planned && missedByMatcher(planned, turn.conversation, turn.evidence.values)) this.#errors.add('matcher-miss');
      },
    });
  }

  #perform(turn: Turn, move: Move): SourceAnswer {
    const step = move.kind === 'call' ? move.step.id : closingStep(turn);
    const { ask, visibleFault } = this.#progress(turn, step);
    const slip = this.#slip(turn, move, step, ask, visibleFault);
    const act: Act = slip ?? (move.kind === 'call' ? move.act : 'say');
    const id = hashOf([this.#terms.seed, this.#terms.trialIndex, turn.plan.question, turn.conversation.asker, turn.role.name, step, ask], 24);
    const said = slip ? this.#faulty(turn, move, slip, ask, id) : move.kind === 'call' ? callTurn(turn, move.call, id) : this.#answer(turn, move.how, id);
    const message = withinLimits(said, turn.request, this.#options.tokens.reply);
    const stepsDone = turn.steps.filter((candidate) => !candidate.call || turn.evidence.done.has(candidate.id)).map((candidate) => candidate.id);
    const named = slip ?? (act === 'wrong' ? 'wrong-value' : undefined);
    return {
      kind: 'message',
      id,
      message,
      facts: { step, ask, role: turn.role.name, stepsDone, ...(named ? { slip: named } : {}) },
      settled: this.#asks.enter(turn.conversation.asker, turn.role.name, step, { ask, act, answers: turn.conversation.answers }),
    };
  }

  /** The slip of this ask. A fault that this request shows is mended with the correction probability and else made again; otherwise it is a fresh draw (method M4.7). */
  #slip(turn: Turn, move: Move, step: string, ask: number, visible: SlipKind | undefined): SlipKind | undefined {
    const drawn = visible
      ? turn.draws.atAsk(turn.role.name, step, ask, 'correction') < this.#profile.correction
        ? undefined
        : visible
      : turn.draws.slip(turn.role.name, step, ask);
    if (drawn === undefined) return undefined;
    if (drawn === 'repeated-call' && !lastCall(turn)) return undefined;
    // A plan of one subtask has none to leave out, and who knows no value has none to overlook.
    if (drawn === 'missing-subtask' && turn.plan.chains.length < 2) return undefined;
    if (drawn === 'missing-value' && !(move.kind === 'answer' && move.how === 'known')) return undefined;
    const { answerIn } = turn.role;
    const tool = move.kind === 'call' ? offeredAs(move.call.tool, turn.request.tools) : answerIn.kind === 'tool' ? answerIn.tool : undefined;
    return this.#options.enforce === 'honoured' && prevents(drawn, turn.request, tool) ? undefined : drawn;
  }

  #faulty(turn: Turn, move: Move, slip: SlipKind, ask: number, id: string): AssistantMessage {
    const draw = turn.draws.atAsk(turn.role.name, move.kind === 'call' ? move.step.id : closingStep(turn), ask, 'form');
    const right = move.kind === 'call' ? callTurn(turn, move.call, id) : undefined;
    const instead = (change: { readonly name?: string; readonly arguments?: string }): AssistantMessage => {
      const [call] = right?.calls ?? [];
      return call && right ? { ...right, calls: [{ ...call, ...change }] } : EMPTY;
    };
    switch (slip) {
      case 'unknown-tool': {
        const name = unknownToolName(
          draw,
          turn.request.tools.map((tool) => tool.name),
        );
        return instead({ name });
      }
      case 'malformed-arguments':
        return instead({ arguments: malformedArguments(draw, right?.calls[0]?.arguments ?? '{}') });
      case 'schema-violation':
        return instead({ arguments: JSON.stringify(violatedArguments(draw, move.kind === 'call' ? move.call.arguments : {})) });
      case 'repeated-call': {
        const before = lastCall(turn);
        return before ? callTurn(turn, before, id) : EMPTY;
      }
      case 'empty-reply':
        return EMPTY;
      case 'malformed-plan':
      case 'missing-subtask':
        return planReply(turn, id, { slip, draw });
      case 'missing-value':
        return this.#answer(turn, 'not-found', id);
      case 'early-answer':
        if (turn.role.name === 'subtask-worker') return this.#answer(turn, 'not-found', id);
        return answerTurn(turn, answerWords({ answer: guess(turn), marked: this.#marked(turn), how: 'early' }), id);
      default:
        return slip satisfies never;
    }
  }

  #marked(turn: Turn): boolean {
    return holdsInstruction(turn.request, this.#terms.instruction);
  }

  #answer(turn: Turn, how: Extract<Move, { kind: 'answer' }>['how'], id: string): AssistantMessage {
    if (turn.role.name === 'planner') return planReply(turn, id);
    const obliged = obligedCall(turn);
    if (obliged) return callTurn(turn, obliged, id);
    const believed = this.#believedValues(turn);
    if (turn.role.name === 'subtask-worker') {
      for (const [name, value] of Object.entries(believed)) if (value !== turn.evidence.values[name]) this.#misled.set(name, value);
      return answerTurn(turn, reportWords(labelled(turn.steps, believed), how === 'known'), id);
    }
    const answer = how === 'known' ? this.#answerFrom(turn, believed) : how === 'forced' ? guess(turn) : undefined;
    return answerTurn(turn, answerWords({ answer, marked: this.#marked(turn), how }), id);
  }

  /** Values as this asker took them: what was misread when it came in, and the associative step as it is read among everything that stands here now. */
  #believedValues(turn: Turn): Values {
    const believed: Record<string, string | number> = { ...turn.evidence.values };
    for (const step of turn.steps) {
      Object.assign(believed, this.#readings.get(`${step.id}\0${turn.conversation.asker}`));
      if (!step.associative || !turn.evidence.done.has(step.id) || turn.evidence.handedOver.has(step.id)) continue;
      this.#noteLength(step.id, 'associative', this.#haystack(turn));
      if (!this.#profile.rot || turn.draws.knowledge(step.id, 'rot') < shareKept(ASSOCIATIVE, this.#haystack(turn))) continue;
      this.#miss(step.id, 'context-rot');
      Object.assign(believed, misreadValues(step, turn.conversation, turn.evidence.values, turn.draws.knowledge(step.id, 'distractor')));
    }
    return believed;
  }

  #answerFrom(turn: Turn, believed: Values): string | undefined {
    const right = evaluated(turn.plan, turn.evidence.values) ?? guess(turn);
    const failed = turn.steps.filter((step) => !step.call && turn.draws.knowledge(step.id, 'thought') < this.#profile.thought);
    for (const step of failed) this.#miss(step.id, 'thought');
    if (failed.length > 0) return guess(turn, right);
    const missed = new Set([...this.#misses.values()].filter(({ kind }) => kind === 'wrong-value' || kind === 'context-rot').map(({ step }) => step));
    if (missed.size === 0) return right;
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

  #unasked(request: ModelRequest, conversation: Conversation): SourceAnswer {
    // A framework that dropped the question has lost it, and that is its own; a first request without one is a part that we cannot tell.
    if (!this.#known || conversation.hasQuestion) this.#errors.add('unclassified-role');
    const id = hashOf([this.#terms.seed, this.#terms.trialIndex, 'unasked', this.#unclassified++], 24);
    return { kind: 'message', id, message: withinLimits(plainTurn(NOTHING_ASKED), request, this.#options.tokens.reply) };
  }
}
