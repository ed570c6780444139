// How a task is handed on: the call of a hand-off or delegation tool, or the name of whoever speaks next.
import { fillSchema } from './fill-schema.ts';
import type { Move } from './policy.ts';
import type { AssistantMessage } from './reply-source.ts';
import { choose, type Route, routeArguments } from './routes.ts';
import type { Turn } from './turn.ts';
import { plainTurn } from './write-turn.ts';

export function routeTurn(turn: Turn, move: Extract<Move, { kind: 'route' }>, id: string): AssistantMessage {
  const delegated = move.chain !== undefined;
  const fitting = turn.role.routes.filter(({ kind }) => (kind === 'delegation') === delegated);
  const chosen = choose(fitting.length > 0 ? fitting : turn.role.routes, toolsOf(turn, move.chain?.steps), move.act === 'second' ? 1 : 0);
  if (chosen === undefined) return plainTurn('');
  // Who gets the whole task gets it as it was put, with what was said about the form of the answer.
  const task = move.chain?.sentence ?? (turn.conversation.opening || turn.plan.question);
  const given = routeArguments(chosen.route, chosen.target, task);
  return { text: '', calls: [{ id: `call_${id}`, name: chosen.route.tool.name, arguments: JSON.stringify(given) }], finishReason: 'tool_calls' };
}

/** Tools of the open steps that are handed on: of those that can be done next, where there are any. */
function toolsOf({ plan, evidence: { done } }: Turn, among: readonly string[] | undefined): string[] {
  const open = plan.steps.filter((step) => step.call && !done.has(step.id) && (among?.includes(step.id) ?? true));
  const ready = open.filter(({ needs }) => needs.every((need) => done.has(need)));
  return (ready.length > 0 ? ready : open).flatMap(({ call }) => (call ? [call.tool] : []));
}

/** The name alone; in a schema where one is asked for. Who is done says so where that can be said. */
export function speakerTurn(turn: Turn): AssistantMessage {
  const { told, proposal } = turn.conversation;
  const { answerIn } = turn.role;
  const listed = /\bfrom\b[^[\n]{0,40}\[([^\]\n]{1,500})\]/i.exec(told)?.[1] ?? /\bone of\b\s*:?\s*([^\n.]{1,300})/i.exec(told)?.[1] ?? '';
  const names = listed
    .split(',')
    .map((name) => name.replace(/^[\s'"`]+|[\s'"`]+$/g, ''))
    .filter((name) => name !== '');
  const end = names.find((name) => /^(?:finish|end|done|terminate|stop)$/i.test(name));
  const people = names.filter((name) => name !== end);
  const route: Route = { tool: { name: 'next', description: told, schema: {}, strict: false }, kind: 'hand-off', targets: people };
  const name = proposal?.answer !== undefined && end !== undefined ? end : (choose([route], toolsOf(turn, undefined), 0)?.target ?? people[0] ?? '');
  if (answerIn.kind !== 'format' || answerIn.format.kind !== 'schema') return plainTurn(name);
  return plainTurn(JSON.stringify(fillSchema(answerIn.format.schema, { reply: name, answer: name, thought: 'This one is next.' })));
}
