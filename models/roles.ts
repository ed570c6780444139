// The part that a request gives to the model, told by its structure (method M4.3). The cues stand in the README; none names a framework.
import type { SolutionPlan } from '../tasks/plan.ts';
import type { Conversation } from './conversation.ts';
import { wantsVerdict } from './fill-schema.ts';
import type { FoundTask } from './find-task.ts';
import { answerTool, isAnswerTool, offeredAs } from './offered-tools.ts';
import type { Evidence } from './read-evidence.ts';
import type { ModelRequest, OfferedTool, ResponseFormat } from './read-request.ts';
import { asksForNextSpeaker, asksForPlan, asksForVerdict, schemaInWords, wantsPlan } from './role-cues.ts';
import { handsOverTheEnd, type Route, routesOf } from './routes.ts';

export type RoleName =
  | 'plain-answerer'
  | 'agent'
  | 'schema-filler'
  | 'planner'
  | 'subtask-worker'
  | 'synthesis'
  /** Has no tools for the task, and tools by which others take the conversation over. */
  | 'triage'
  /** Has no tools for the task, and tools by which others work on a part and report. */
  | 'delegator'
  /** Says who speaks next. */
  | 'router'
  | 'critic';

export interface Role {
  readonly name: RoleName;
  /** Whether a tool can be called in this turn. */
  readonly mayCall: boolean;
  /** Ways to hand the task on. */
  readonly routes: readonly Route[];
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
  const through = planTool ?? answerTool({ ...request, tools: request.tools.filter((tool) => !handsOverTheEnd(tool)) });
  const work = request.tools.filter((tool) => (!isAnswerTool(tool) || handsOverTheEnd(tool)) && tool !== planTool);
  const formatted = request.responseFormat.kind !== 'text';
  const routes = routesOf(work, (tool) => isTaskTool(tool, task.plan));
  return {
    name: nameOf(request, conversation, task, evidence, { work, routes, planTool }),
    mayCall: work.length > 0 && request.toolChoice.kind !== 'none' && !LAST_TURN.test(conversation.lastWord),
    routes,
    answerIn: through ? { kind: 'tool', tool: through } : formatted ? { kind: 'format', format: request.responseFormat } : { kind: 'text' },
  };
}

interface Offered {
  readonly work: readonly OfferedTool[];
  readonly routes: readonly Route[];
  readonly planTool: OfferedTool | undefined;
}

function nameOf(request: ModelRequest, conversation: Conversation, task: FoundTask, evidence: Evidence, { work, routes, planTool }: Offered): RoleName {
  const needsTools = task.plan.steps.some((step) => step.call);
  const equipped = work.some((tool) => isTaskTool(tool, task.plan));
  const acted = conversation.passages.some((passage) => passage.kind === 'result');
  const { proposal, around } = conversation;
  if (work.length === 0 && asksForNextSpeaker(around)) return 'router';
  // Where a verdict has a schema, nothing to judge is judged too.
  const judges = proposal?.foreign === true || (request.responseFormat.kind === 'schema' && wantsVerdict(request.responseFormat.schema));
  if (work.length === 0 && judges && asksForVerdict(around)) return 'critic';
  if (task.chain) return 'subtask-worker';
  if (needsTools && !equipped && routes.some(({ kind }) => kind === 'delegation')) return 'delegator';
  // Whoever has tools of another kind works too, and hands on what they cannot do.
  if (needsTools && !equipped && routes.length > 0 && routes.length === work.length) return 'triage';
  if (work.length > 0) return 'agent';
  /** Others have worked on it: their words stand here, or the subtasks that they were given. */
  const divided = needsTools && (evidence.handedOver.size > 0 || conversation.sentences > 0);
  if (!acted && !divided && (planTool !== undefined || plans(request, conversation, needsTools))) return 'planner';
  if (divided || (needsTools && !acted && proposal?.foreign === true)) return 'synthesis';
  if (needsTools && acted) return 'agent';
  return request.responseFormat.kind === 'text' ? 'plain-answerer' : 'schema-filler';
}

/** Whether a step of the plan is done with this tool. */
function isTaskTool(tool: OfferedTool, plan: SolutionPlan): boolean {
  return plan.steps.some((step) => [step.call, step.secondTry].some((call) => call !== undefined && offeredAs(call.tool, [tool]) !== undefined));
}

function plans({ responseFormat }: ModelRequest, { around, told }: Conversation, needsTools: boolean): boolean {
  const schema = responseFormat.kind === 'schema' ? responseFormat.schema : needsTools ? schemaInWords(told) : undefined;
  return (schema !== undefined && wantsPlan(schema)) || asksForPlan(around, needsTools);
}

/** A tool that takes a list of subtasks, where nothing else is offered that the task could be worked on with: a plan asked for as a call. */
function planTaker({ tools }: ModelRequest, { plan }: FoundTask): OfferedTool | undefined {
  if (plan.steps.some((step) => step.call && offeredAs(step.call.tool, tools))) return undefined;
  return tools.find((tool) => wantsPlan(tool.schema));
}
