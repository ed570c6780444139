// The agent node: the engine runs the tool loop. At most `iterations` requests; the last one asks for an answer without tools.
// Nothing that a model says can end the run by itself except by exhausting a stated budget.

import type { ConversationBrief, ConversationScope, Model, ModelReply, RawCall } from './model.ts';
import { parseJsonAnswer, splitReasoning } from './reply-text.ts';
import type { Check, Checked } from './schema.ts';
import { type CallFault, type CallScope, runToolCalls, type ToolBox } from './tool-calls.ts';
import { WorkflowError } from './workflow-error.ts';

/** An agent as `build()` leaves it: checks compiled, texts fixed. */
export interface ReadyAgent {
  readonly id: string;
  readonly brief: ConversationBrief;
  readonly box: ToolBox;
  readonly iterations: number;
  /** How often an unusable last reply (empty, cut, or breaking the output schema) is asked for again. */
  readonly reasks: number;
  readonly outputCheck: Check | undefined;
  readonly model: Model | undefined;
}

export type ReplyFault = CallFault | 'empty-reply' | 'truncated-reply' | 'reasoning-only' | 'invalid-output';

/** What the loop needs from the run. */
export interface AgentScope extends ConversationScope, CallScope {
  readonly model: Model | undefined;
  asked(iteration: number, withTools: boolean): void;
  replied(iteration: number, reply: ModelReply): void;
  fault(code: ReplyFault, message: string, call?: RawCall): void;
}

const NO_TOOLS_LEFT = 'This is the last turn and no tool can be called in it. Give the final answer now, from what is known so far, in the form asked for.';

/** Runs the loop to its answer. @throws WorkflowError with one of the kebab-case codes. */
export async function runAgent(agent: ReadyAgent, prompt: string, scope: AgentScope): Promise<unknown> {
  const model = agent.model ?? scope.model;
  if (model === undefined) {
    throw new WorkflowError('no-model', `agent "${agent.id}" has no model`, { node: agent.id, remedy: 'Pass { model } to execute, or to the agent.' });
  }
  const conversation = model.open(agent.brief, scope);
  try {
    conversation.addUser(prompt);
    let reasks = 0;
    for (let iteration = 1; ; iteration++) {
      const last = iteration === agent.iterations;
      const withTools = agent.box.specs.length > 0 && !last;
      // With a cap of one the task itself is the last turn; saying so would only disturb it.
      if (last && iteration > 1 && agent.box.specs.length > 0) conversation.addUser(NO_TOOLS_LEFT);
      scope.asked(iteration, withTools);
      const reply = withoutReasoning(await conversation.ask(withTools));
      scope.replied(iteration, reply);
      if (reply.refusal !== undefined) throw new WorkflowError('refusal', `the model declined: ${reply.refusal.slice(0, 200)}`, { node: agent.id });

      if (reply.calls.length > 0) {
        if (last) throw capReached(agent, reply);
        conversation.addReply(reply);
        if (reply.truncated) scope.fault('truncated-reply', 'a reply with tool calls was cut at the token limit');
        conversation.addResults(await runToolCalls(agent.box, reply.calls, reply.truncated, scope));
        continue;
      }

      const judged = await judge(agent, reply);
      if (judged.ok) return judged.value;
      scope.fault(judged.code, judged.message);
      if (reasks === agent.reasks || last) {
        const budget =
          last && reasks < agent.reasks
            ? `the cap of ${agent.iterations} model calls was reached`
            : `it was asked again ${reasks} time${reasks === 1 ? '' : 's'}`;
        throw new WorkflowError(judged.code, `${judged.message}; ${budget}`, { node: agent.id });
      }
      reasks++;
      // An empty turn is left out: several servers refuse it in a history.
      if (reply.text !== '') conversation.addReply(reply);
      conversation.addUser(judged.ask);
    }
  } finally {
    conversation.close();
  }
}

function withoutReasoning(reply: ModelReply): ModelReply {
  const split = splitReasoning(reply.text);
  if (split.reasoning === undefined) return reply;
  const { wire: _, ...rest } = reply;
  const told = reply.reasoning === undefined ? '' : `${reply.reasoning}\n`;
  return { ...rest, text: split.text, reasoning: told + split.reasoning };
}

function capReached(agent: ReadyAgent, reply: ModelReply): WorkflowError {
  const names = reply.calls.map((call) => call.name).join(', ');
  return new WorkflowError('iteration-cap', `agent "${agent.id}" reached its cap of ${agent.iterations} model calls while the model still asked for ${names}`, {
    node: agent.id,
    remedy: 'Raise `iterations`, or look in the trace why the model does not come to an end.',
  });
}

type Judged =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly code: 'empty-reply' | 'truncated-reply' | 'reasoning-only' | 'invalid-output';
      readonly message: string;
      readonly ask: string;
    };

async function judge(agent: ReadyAgent, reply: ModelReply): Promise<Judged> {
  if (reply.truncated) {
    const message = `the last reply of agent "${agent.id}" was cut at the token limit`;
    return { ok: false, code: 'truncated-reply', message, ask: 'Your reply was cut at the token limit. Give the whole answer again, shorter.' };
  }
  if (reply.text.trim() === '') {
    const code = reply.reasoning === undefined ? 'empty-reply' : 'reasoning-only';
    const message = `the last reply of agent "${agent.id}" ${code === 'empty-reply' ? 'was empty' : 'held reasoning alone'}`;
    return { ok: false, code, message, ask: 'Your last reply was empty. Go on with the task: call a tool, or give the answer in the form asked for.' };
  }
  if (agent.outputCheck === undefined) return { ok: true, value: reply.text };
  const parsed = parseJsonAnswer(reply.text);
  if (parsed === undefined) {
    const message = `the answer of agent "${agent.id}" is not JSON`;
    return {
      ok: false,
      code: 'invalid-output',
      message,
      ask: 'Your answer is not valid JSON. Answer again with nothing but one JSON value of the schema asked for.',
    };
  }
  const checked: Checked = await agent.outputCheck(parsed.value);
  if (checked.ok) return { ok: true, value: checked.value };
  const found = checked.issues.join('; ');
  const message = `the answer of agent "${agent.id}" breaks its schema: ${found}`;
  return {
    ok: false,
    code: 'invalid-output',
    message,
    ask: `Your answer breaks its schema: ${found}. Answer again with nothing but one JSON value that fits.`,
  };
}
