// The part that a request gives to the model, told by its structure (method M4.3). The cues stand in the README; none names a framework.
import type { Conversation } from './conversation.ts';
import { answerTool, isAnswerTool } from './offered-tools.ts';
import type { ModelRequest, OfferedTool, ResponseFormat } from './read-request.ts';

export type RoleName = 'plain-answerer' | 'agent' | 'schema-filler' | 'subtask-worker';

export interface Role {
  readonly name: RoleName;
  /** Whether a tool can be called in this turn. */
  readonly mayCall: boolean;
  /** Where an answer has to stand. */
  readonly answerIn:
    | { readonly kind: 'text' }
    | { readonly kind: 'tool'; readonly tool: OfferedTool }
    | { readonly kind: 'format'; readonly format: ResponseFormat };
}

const LAST_TURN =
  /\b(?:last|final) (?:turn|step|iteration|round|chance|attempt)\b|\b(?:no|without) (?:any |more |further |calling )*tools?\b|\bmax(?:imum)?(?: number of)? (?:steps|iterations|turns)\b|\b(?:give|provide|write|state|produce) (?:your|a|the) (?:best |final )?answer now\b/i;

/** @returns `undefined` when the request is about no known task: the caller reports that the role could not be told */
export function roleOf(request: ModelRequest, conversation: Conversation): Role | undefined {
  if (!conversation.task) return undefined;
  const work = request.tools.filter((tool) => !isAnswerTool(tool));
  const through = answerTool(request);
  const formatted = request.responseFormat.kind !== 'text';
  const needsTools = conversation.task.plan.steps.some((step) => step.call);
  const acted = conversation.passages.some((passage) => passage.kind === 'result');
  return {
    name: conversation.task.chain ? 'subtask-worker' : work.length > 0 || (needsTools && acted) ? 'agent' : formatted ? 'schema-filler' : 'plain-answerer',
    mayCall: work.length > 0 && request.toolChoice.kind !== 'none' && !LAST_TURN.test(conversation.lastWord),
    answerIn: through ? { kind: 'tool', tool: through } : formatted ? { kind: 'format', format: request.responseFormat } : { kind: 'text' },
  };
}
