// The part that a request gives to the model, told by its structure (method M4.3). The cues stand in the README; none names a framework.
import type { Conversation } from './conversation.ts';
import type { FoundTask } from './find-task.ts';
import { answerTool, isAnswerTool, offeredAs } from './offered-tools.ts';
import type { Evidence } from './read-evidence.ts';
import type { ModelRequest, OfferedTool, ResponseFormat } from './read-request.ts';
import { asksForPlan, wantsPlan } from './role-cues.ts';

export type RoleName = 'plain-answerer' | 'agent' | 'schema-filler' | 'planner' | 'subtask-worker' | 'synthesis';

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

export function roleOf(request: ModelRequest, conversation: Conversation, task: FoundTask, evidence: Evidence): Role {
  const planTool = planTaker(request, task);
  const work = request.tools.filter((tool) => !isAnswerTool(tool) && tool !== planTool);
  const through = planTool ?? answerTool(request);
  const formatted = request.responseFormat.kind !== 'text';
  const needsTools = task.plan.steps.some((step) => step.call);
  const acted = conversation.passages.some((passage) => passage.kind === 'result');
  /** Others have worked on it: their words stand here, or the subtasks that they were given. */
  const divided = needsTools && (evidence.handedOver.size > 0 || conversation.sentences > 0);
  const planned = !acted && !divided && (planTool !== undefined || plans(request, conversation, needsTools));
  return {
    name: task.chain
      ? 'subtask-worker'
      : work.length > 0
        ? 'agent'
        : planned
          ? 'planner'
          : divided
            ? 'synthesis'
            : needsTools && acted
              ? 'agent'
              : formatted
                ? 'schema-filler'
                : 'plain-answerer',
    mayCall: work.length > 0 && request.toolChoice.kind !== 'none' && !LAST_TURN.test(conversation.lastWord),
    answerIn: through ? { kind: 'tool', tool: through } : formatted ? { kind: 'format', format: request.responseFormat } : { kind: 'text' },
  };
}

function plans({ responseFormat }: ModelRequest, { around }: Conversation, needsTools: boolean): boolean {
  return (responseFormat.kind === 'schema' && wantsPlan(responseFormat.schema)) || asksForPlan(around, needsTools);
}

/** A tool that takes a list of subtasks, where nothing else is offered that the task could be worked on with: a plan asked for as a call. */
function planTaker({ tools }: ModelRequest, { plan }: FoundTask): OfferedTool | undefined {
  if (plan.steps.some((step) => step.call && offeredAs(step.call.tool, tools))) return undefined;
  return tools.find((tool) => wantsPlan(tool.schema));
}
