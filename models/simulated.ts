// The simulated model: reads what stands in a request, plays the part that the request gives it, and errs by published rates, alike for everybody (method M4).
// Here the parts meet; each rule stands in the file that bears its name. It is told seed and trial, never which framework asks.
import { hashOf } from '../base/canonical-json.ts';
import type { SolutionPlan } from '../tasks/plan.ts';
import { type Act, Asks, type Progress } from './asks.ts';
import type { PolicyName, ProfileName } from './control.ts';
import { type Conversation, conversationReader } from './conversation.ts';
import type { TokenCounter } from './count-tokens.ts';
import { asksWrongly, type Draws, drawsFor, isUndisturbed, ROUTE, routeStep, type Split } from './draws.ts';
import { type Enforcement, prevents, withinLimits } from './enforce.ts';
import { faultyTurn } from './faulty-turn.ts';
import { taskFinder } from './find-task.ts';
import { forcedSlip } from './forced-slip.ts';
import { guess, labelled } from './guess.ts';
import { isAnswerTool, offeredAs } from './offered-tools.ts';
import { Perception } from './perception.ts';
import { planReply } from './plan-reply.ts';
import { type CallMove, callsBeside, type Move, nextMove, type Situation } from './policy.ts';
import { type Profile, profileOf, type SlipKind } from './rates.ts';
import { missedByMatcher } from './read-evidence.ts';
import type { ModelRequest, OfferedTool } from './read-request.ts';
import { readerCall } from './readers.ts';
import type { AssistantMessage, ReplySource, SourceAnswer, SourceTrial, TrialFacts, TrialTerms } from './reply-source.ts';
import { closingWord, isKnock } from './role-cues.ts';
import { nextRoute } from './route-move.ts';
import { routeTurn, speakerTurn } from './route-turn.ts';
import { answerWords, NOTHING_ASKED, reportLines, reportWords, verdictWords } from './say.ts';
import { inProtocol } from './text-protocol.ts';
import { closingStep, lastCall, readTurn, type Turn } from './turn.ts';
import { holdsInstruction } from './wire-facts.ts';
import { answerTurn, callTurn, obligedCall, plainTurn } from './write-turn.ts';

export interface SimulatedOptions {
  readonly plans: readonly SolutionPlan[];
  readonly profile: ProfileName | Profile;
  readonly enforce: Enforcement;
  readonly tokens: TokenCounter;
  /** @default careful */
  readonly policy?: PolicyName;
}

/** The model for one task set. Deterministic: the same requests get the same replies, in whatever order they come. */
export function createSimulatedModel(options: SimulatedOptions): ReplySource {
  const finder = taskFinder(options.plans);
  const known = [...new Set(options.plans.flatMap(({ steps }) => steps.flatMap(({ call }) => (call ? [call.tool] : []))))];
  return {
    models: ['simulated'],
    embeds: true,
    open: (terms) => {
      const chosen = terms.profile ?? options.profile;
      return new SimulatedTrial(terms, typeof chosen === 'string' ? profileOf(chosen) : chosen, options, conversationReader(finder, terms.instruction), known);
    },
  };
}

/** By part, how a trial was split up among several: that decides which draws make it undisturbed. */
const SPLITS: Readonly<Partial<Record<Turn['role']['name'], Split>>> = {
  planner: 'divided',
  'subtask-worker': 'divided',
  synthesis: 'divided',
  delegator: 'delegated',
  triage: 'handed-on',
  router: 'handed-on',
};
const SPLIT_RANK: readonly Split[] = ['alone', 'handed-on', 'divided', 'delegated'];

class SimulatedTrial implements SourceTrial {
  readonly #terms: TrialTerms;
  readonly #profile: Profile;
  readonly #options: SimulatedOptions;
  readonly #read: (request: ModelRequest) => Conversation;
  readonly #knownTools: readonly string[];
  readonly #asks = new Asks();
  /** Steps done in the conversation of an asker, at most. */
  readonly #doneBefore = new Map<string, number>();
  readonly #errors = new Set<string>();
  readonly #perception: Perception;
  #split: Split = 'alone';
  #known: { readonly plan: SolutionPlan; readonly draws: Draws } | undefined;
  #unclassified = 0;
  /** How often the client has got the fault that this trial is made to meet. */
  #forced = 0;

  constructor(terms: TrialTerms, profile: Profile, options: SimulatedOptions, read: (request: ModelRequest) => Conversation, knownTools: readonly string[]) {
    this.#terms = terms;
    this.#profile = profile;
    this.#options = options;
    this.#read = read;
    this.#knownTools = knownTools;
    this.#perception = new Perception(profile, options.tokens, terms.instruction);
  }

  facts(): TrialFacts {
    const harnessErrors = [...this.#errors];
    if (!this.#known) return { harnessErrors };
    const { plan, draws } = this.#known;
    const undisturbed = isUndisturbed(draws, plan, this.#profile, this.#split);
    const { misses } = this.#perception;
    return { harnessErrors, undisturbed, misses, planSteps: plan.steps.map((step) => step.id), readings: this.#perception.readings(plan) };
  }

  reply(request: ModelRequest): SourceAnswer {
    const conversation = this.#read(request);
    if (!conversation.task) return this.#unasked(request, conversation);
    const { plan } = conversation.task;
    if (this.#known?.plan !== plan) this.#known = { plan, draws: drawsFor(this.#terms.seed, this.#terms.trialIndex, plan, this.#profile) };
    const marked = holdsInstruction(request, this.#terms.instruction);
    const turn = readTurn(request, conversation, conversation.task, this.#known.draws, { knownTools: this.#knownTools, marked });
    // Who is asked about a text alone, without tools, answers for whoever works on the task.
    const split = (turn.role.name === 'subtask-worker' && request.tools.length === 0 ? undefined : SPLITS[turn.role.name]) ?? 'alone';
    if (SPLIT_RANK.indexOf(split) > SPLIT_RANK.indexOf(this.#split)) this.#split = split;
    for (const step of turn.steps) if (turn.evidence.done.has(step.id)) this.#asks.settle(conversation.asker, turn.role.name, step.id);
    this.#settleRoutes(turn);
    this.#perception.note(turn);
    return this.#perform(turn, this.#move(turn));
  }

  /** Whoever got the conversation brought it forward: that it was handed on is then no try that failed. */
  #settleRoutes({ conversation: { asker }, evidence }: Turn): void {
    if (evidence.done.size <= (this.#doneBefore.get(asker) ?? 0)) return;
    this.#doneBefore.set(asker, evidence.done.size);
    for (const role of ['triage', 'agent']) this.#asks.settle(asker, role, ROUTE);
  }

  #progress(turn: Turn, step: string): Progress {
    return this.#asks.progress(turn.conversation.asker, turn.role.name, step, turn.conversation.answers);
  }

  #move(turn: Turn): Move {
    const { evidence, plan, conversation, role } = turn;
    const route = (delegates: boolean) =>
      nextRoute({ plan, evidence, proposal: conversation.proposal, mayCall: role.mayCall, delegates, progress: (step) => this.#progress(turn, step) });
    switch (role.name) {
      case 'planner':
      case 'critic':
      case 'router':
        return { kind: 'answer', how: 'known' };
      case 'triage':
      case 'delegator':
        return route(role.name === 'delegator');
      case 'synthesis': {
        // Nobody took tools from whoever joins reports: a value that no report holds was not found, unless the whole answer was reported.
        const move = nextMove(this.#situation(turn));
        if (move.kind !== 'answer' || move.how !== 'forced') return move;
        return { kind: 'answer', how: conversation.proposal?.answer === undefined ? 'not-found' : 'passed-on' };
      }
      default: {
        const move = nextMove(this.#situation(turn));
        const stuck = move.kind === 'answer' && move.how === 'not-found' && role.routes.length > 0 && turn.chain === undefined;
        const beyond = stuck && turn.steps.some((step) => step.call && !evidence.done.has(step.id) && !offeredAs(step.call.tool, turn.request.tools));
        return beyond ? route(role.routes.some(({ kind }) => kind === 'delegation')) : move;
      }
    }
  }

  #situation(turn: Turn): Situation {
    return {
      plan: turn.plan,
      steps: turn.steps,
      whole: turn.role.name !== 'subtask-worker',
      policy: this.#terms.policy ?? this.#options.policy ?? 'careful',
      evidence: turn.evidence,
      mayCall: turn.role.mayCall,
      offered: (tool) => offeredAs(tool, turn.request.tools) !== undefined,
      putAway: () => readerCall(turn.conversation, this.#foreign(turn)),
      progress: (step) => this.#progress(turn, step),
      asksWrongly: (step) => asksWrongly(turn.draws, step, this.#profile),
      notices: (step) => turn.draws.knowledge(step, 'notices') < this.#profile.correction,
      giveUp: (step, why) => {
        this.#perception.miss(step, why);
        const planned = turn.plan.steps.find((candidate) => candidate.id === step);
        if (why === 'not-found' && planned && missedByMatcher(planned, turn.conversation, turn.evidence.values)) this.#errors.add('matcher-miss');
      },
    };
  }

  /** Tools that the task set does not know: a framework's own. */
  #foreign({ request, role }: Turn): readonly OfferedTool[] {
    return request.tools.filter(
      (tool) => !isAnswerTool(tool) && !role.routes.some((route) => route.tool === tool) && !this.#knownTools.some((known) => offeredAs(known, [tool])),
    );
  }

  #perform(turn: Turn, move: Move): SourceAnswer {
    const said = this.#say(turn, move);
    const beside = move.kind === 'call' && turn.request.parallelToolCalls && turn.protocol === undefined && !isWhole(said.slip) ? this.#beside(turn, move) : [];
    const together = { ...said.message, calls: [...said.message.calls, ...beside.flatMap(({ message }) => message.calls)] };
    const message = withinLimits(turn.protocol ? inProtocol(together, turn.protocol) : together, turn.request, this.#options.tokens.reply);
    const stepsDone = turn.steps.filter((candidate) => !candidate.call || turn.evidence.done.has(candidate.id)).map((candidate) => candidate.id);
    const slip = [said, ...beside].map(({ named }) => named).find((named) => named !== undefined);
    const settled = [said, ...beside].map(({ enter }) => enter());
    const callSteps = [said, ...beside].flatMap((one) =>
      one.message.calls.map(() => ({ step: one.step, ask: one.ask, ...(one.named && { slip: one.named }) })),
    );
    return {
      kind: 'message',
      id: said.id,
      message,
      facts: { step: said.step, ask: said.ask, role: turn.role.name, stepsDone, ...(slip ? { slip } : {}), ...(beside.length > 0 && { callSteps }) },
      settled: (accepted) => {
        for (const settle of settled) settle(accepted);
      },
    };
  }

  /** Other calls of the same turn. One whose draw would spoil the whole turn waits for a turn of its own. */
  #beside(turn: Turn, first: CallMove) {
    return callsBeside(first, this.#situation(turn))
      .map((move) => this.#say(turn, move))
      .filter(({ slip }) => !isWhole(slip));
  }

  #say(turn: Turn, move: Move) {
    const step = move.kind === 'call' ? move.step.id : move.kind === 'route' ? routeStep(move.chain) : closingStep(turn);
    const { ask, visibleFault } = this.#progress(turn, step);
    const { asker, answers } = turn.conversation;
    const forced = this.#terms.forced && forcedSlip(this.#terms.forced, { plan: turn.plan, role: turn.role.name, step, call: callOf(move) }, this.#forced);
    const slip = this.#possible(turn, move, forced?.slip ?? this.#drawn(turn, step, ask, visibleFault));
    const act: Act = slip ?? (move.kind === 'answer' ? 'say' : move.act);
    const id = hashOf([this.#terms.seed, this.#terms.trialIndex, turn.plan.question, asker, turn.role.name, step, ask], 24);
    const right = () => this.#right(turn, move, id);
    const message =
      slip === undefined
        ? right()
        : faultyTurn({
            turn,
            move,
            slip,
            draw: forced?.draw ?? turn.draws.atAsk(turn.role.name, step, ask, 'form'),
            id,
            right,
            notFound: () => this.#answer(turn, 'not-found', id),
            own: (kind) => this.#profile.own?.find(({ name }) => `own:${name}` === kind)?.spoil,
          });
    const named = slip ?? (act === 'wrong' ? 'wrong-value' : undefined);
    const enter = () => {
      const settle = this.#asks.enter(asker, turn.role.name, step, { ask, act, answers });
      return (accepted: boolean) => {
        if (accepted && forced !== undefined && slip !== undefined) this.#forced++;
        settle(accepted);
      };
    };
    return { id, step, ask, slip, named, message, enter };
  }

  #right(turn: Turn, move: Move, id: string): AssistantMessage {
    switch (move.kind) {
      case 'call':
        return callTurn(turn, move.call, id, this.#aboutOf(turn, move.step.id));
      case 'route':
        return routeTurn(turn, move, id);
      case 'answer':
        return this.#answer(turn, move.how, id);
      default:
        return move satisfies never;
    }
  }

  /** The subtask that a step belongs to, and what it goes on from, in words. */
  #aboutOf({ plan, evidence }: Turn, step: string): string {
    const { needs = [] } = plan.steps.find(({ id }) => id === step) ?? {};
    const sentence = plan.chains.find(({ steps }) => steps.includes(step))?.sentence ?? plan.question;
    const known = labelled(
      plan.steps.filter(({ id }) => needs.includes(id)),
      evidence.values,
    );
    return known.length === 0 ? sentence : `${sentence}\n${reportLines(known)}`;
  }

  /** The slip of this ask. A fault that this request shows is mended with the correction probability and else made again; otherwise it is a fresh draw (method M4.7). */
  #drawn(turn: Turn, step: string, ask: number, visible: SlipKind | undefined): SlipKind | undefined {
    if (visible === undefined) return turn.draws.slip(turn.role.name, step, ask);
    return turn.draws.atAsk(turn.role.name, step, ask, 'correction') < this.#correction(turn) ? undefined : visible;
  }

  /** Nothing in place of a slip that cannot happen here, or that a provider prevents. */
  #possible(turn: Turn, move: Move, drawn: SlipKind | undefined): SlipKind | undefined {
    if (drawn === undefined) return undefined;
    if (drawn === 'repeated-call' && !lastCall(turn)) return undefined;
    // A plan of one subtask has none to leave out, and who knows no value has none to overlook.
    if (drawn === 'missing-subtask' && turn.plan.chains.length < 2) return undefined;
    if (drawn === 'missing-value' && !(move.kind === 'answer' && move.how === 'known')) return undefined;
    // Through a tool or a schema there is no mark to leave out.
    if (drawn === 'no-marker' && (!turn.marked || turn.role.answerIn.kind !== 'text')) return undefined;
    return this.#options.enforce === 'honoured' && prevents(drawn, turn.request, calledTool(turn, move)) ? undefined : drawn;
  }

  /** Feedback that names tool, parameter or place has a rate of its own, equal by default. */
  #correction({ conversation, request }: Turn): number {
    const told = conversation.latest;
    const names = request.tools.flatMap(({ name, schema }) => [name, ...Object.keys(schema.properties ?? {})]);
    const named = /\b(?:line|column|position|char(?:acter)?) \d/.test(told) || names.some((name) => told.includes(name));
    return (named ? this.#profile.correctionWhenNamed : undefined) ?? this.#profile.correction;
  }

  #answer(turn: Turn, how: Extract<Move, { kind: 'answer' }>['how'], id: string): AssistantMessage {
    if (turn.role.name === 'planner') return planReply(turn, id);
    if (turn.role.name === 'router') return speakerTurn(turn);
    const obliged = obligedCall(turn);
    if (obliged) return callTurn(turn, obliged, id);
    if (turn.role.name === 'critic') return this.#verdict(turn, id);
    const believed = this.#perception.believed(turn);
    if (turn.role.name === 'subtask-worker') {
      this.#perception.handOver(turn, believed);
      return answerTurn(turn, reportWords(labelled(turn.steps, believed), how === 'known'), id);
    }
    const words = answerWords({ answer: this.#answerOf(turn, how, believed), marked: turn.marked, how });
    const closing = closingWord(turn.conversation.told);
    return answerTurn(turn, closing === undefined ? words : { ...words, reply: `${words.reply}\n${closing}` }, id);
  }

  #answerOf(turn: Turn, how: Extract<Move, { kind: 'answer' }>['how'], believed: Turn['evidence']['values']): string | undefined {
    switch (how) {
      case 'known':
        return this.#perception.answerFrom(turn, believed);
      case 'passed-on':
        return turn.conversation.proposal?.answer;
      case 'forced':
      case 'early':
        return guess(turn);
      case 'not-found':
        return undefined;
      default:
        return how satisfies never;
    }
  }

  /** A critic goes by the evidence that stands before it, and without any by whether an answer is given at all. */
  #verdict(turn: Turn, id: string): AssistantMessage {
    const proposed = turn.conversation.proposal?.answer;
    const known = turn.evidence.done.size > 0 && nextMove({ ...this.#situation(turn), mayCall: false });
    const own = known && known.kind === 'answer' && known.how === 'known' ? this.#perception.answerFrom(turn, this.#perception.believed(turn)) : undefined;
    return answerTurn(turn, verdictWords(proposed !== undefined && (own === undefined || own === proposed), closingWord(turn.conversation.told), own), id);
  }

  #unasked(request: ModelRequest, conversation: Conversation): SourceAnswer {
    // A framework that dropped the question has lost it, and that is its own; a first request without one is a part that we cannot tell.
    if ((!this.#known || conversation.hasQuestion) && !isKnock(request)) this.#errors.add('unclassified-role');
    const id = hashOf([this.#terms.seed, this.#terms.trialIndex, 'unasked', this.#unclassified++], 24);
    return { kind: 'message', id, message: withinLimits(plainTurn(NOTHING_ASKED), request, this.#options.tokens.reply) };
  }
}

/** Slips that take the whole turn; the others touch one call of it. */
function isWhole(slip: SlipKind | undefined): boolean {
  return slip !== undefined && !['unknown-tool', 'malformed-arguments', 'schema-violation', 'repeated-call'].includes(slip);
}

function callOf(move: Move) {
  return move.kind === 'call' ? move.call : undefined;
}

/** The offered tool that the turn would call; absent when it is no call. */
function calledTool(turn: Turn, move: Move): OfferedTool | undefined {
  const { answerIn, routes } = turn.role;
  if (move.kind === 'call') return offeredAs(move.call.tool, turn.request.tools);
  if (move.kind === 'route') return routes[0]?.tool;
  return answerIn.kind === 'tool' ? answerIn.tool : undefined;
}
