// What a slip makes of the turn that would have been right. Which slip it is was drawn before; here only its form is chosen.
import { guess } from './guess.ts';
import { planReply } from './plan-reply.ts';
import type { Move } from './policy.ts';
import type { SlipKind } from './rates.ts';
import type { AssistantMessage } from './reply-source.ts';
import { nobody } from './routes.ts';
import { ANNOUNCED, answerWords, PONDERED, REFUSED } from './say.ts';
import { malformedArguments, unknownToolName, violatedArguments } from './slips.ts';
import { lastCall, type Turn } from './turn.ts';
import { answerTurn, callTurn, EMPTY, plainTurn } from './write-turn.ts';

export interface Faulty {
  readonly turn: Turn;
  readonly move: Move;
  readonly slip: SlipKind;
  /** In [0, 1): chooses among forms. */
  readonly draw: number;
  readonly id: string;
  readonly right: () => AssistantMessage;
  /** The answer without what was not found; for whoever overlooks a value. */
  readonly notFound: () => AssistantMessage;
  /** Kinds that somebody brought along, by `own:NAME`. */
  readonly own: (slip: SlipKind) => ((right: AssistantMessage, draw: number) => AssistantMessage) | undefined;
}

export function faultyTurn(faulty: Faulty): AssistantMessage {
  const { turn, move, slip, draw, id, right } = faulty;
  const spoil = faulty.own(slip);
  if (spoil !== undefined) return spoil(right(), draw);
  switch (slip) {
    case 'unknown-tool':
      return instead(right(), () => ({
        name: unknownToolName(
          draw,
          turn.request.tools.map((tool) => tool.name),
        ),
      }));
    case 'malformed-arguments':
      return instead(right(), (call) => ({ arguments: malformedArguments(draw, call.arguments) }));
    case 'schema-violation':
      return instead(right(), () => ({ arguments: JSON.stringify(violatedArguments(draw, move.kind === 'call' ? move.call.arguments : {})) }));
    case 'repeated-call': {
      const before = lastCall(turn);
      return before ? callTurn(turn, before, id) : EMPTY;
    }
    case 'unknown-route':
      return toNobody(faulty);
    case 'empty-reply':
      return EMPTY;
    case 'malformed-plan':
    case 'missing-subtask':
      return planReply(turn, id, { slip, draw });
    case 'missing-value':
      return faulty.notFound();
    case 'early-answer':
      if (turn.role.name === 'subtask-worker') return faulty.notFound();
      return answerTurn(turn, answerWords({ answer: guess(turn), marked: turn.marked, how: 'early' }), id);
    case 'prose':
      return plainTurn(ANNOUNCED);
    case 'refusal':
      return plainTurn(REFUSED);
    case 'reasoning-only':
      return { ...EMPTY, reasoning: PONDERED };
    case 'cut-reply':
      return cutShort(right());
    case 'no-marker':
      return unmarked(right());
    default:
      return right();
  }
}

type Call = AssistantMessage['calls'][number];

function instead(right: AssistantMessage, change: (call: Call) => Partial<Call>): AssistantMessage {
  const [call] = right.calls;
  return call ? { ...right, calls: [{ ...call, ...change(call) }] } : EMPTY;
}

/** A name that nobody bears: in the parameter that says who, else in the tool's own name, else as the next speaker. */
function toNobody({ turn, draw, right }: Faulty): AssistantMessage {
  const message = right();
  const [call] = message.calls;
  const known = `${turn.conversation.told} ${JSON.stringify(turn.request.tools)}`;
  const name = nobody(draw, known);
  if (!call) return plainTurn(name);
  const route = turn.role.routes.find(({ tool }) => tool.name === call.name);
  if (route?.targetIn !== undefined)
    return instead(message, () => ({ arguments: JSON.stringify({ ...JSON.parse(call.arguments), [route.targetIn as string]: name }) }));
  const stem = /^(.*?(?:to|ask|off|over)[_-])/i.exec(call.name)?.[1] ?? 'ask_';
  return instead(message, () => ({ name: `${stem}${name}` }));
}

function cutShort(right: AssistantMessage): AssistantMessage {
  const shorter = (text: string) => text.slice(0, Math.floor(text.length * 0.6));
  return {
    ...right,
    text: right.text === null ? null : shorter(right.text),
    calls: right.calls.map((call) => ({ ...call, arguments: shorter(call.arguments) })),
    finishReason: 'length',
  };
}

/** The same answer, said in a sentence. Through an answer tool or a schema there is no mark to leave out. */
function unmarked(right: AssistantMessage): AssistantMessage {
  return right.text === null ? right : { ...right, text: right.text.replace(/^FINAL ANSWER: (.*)$/m, 'It comes to $1.') };
}
