// The engine as its README shows it: one agent node, built once, executed for each run, with the signal from outside and a time-out for each request.
import { agent, execute, openaiModel, tool, workflow } from '../../engine/index.ts';
import { type LoopContestant, MODEL } from './contestant.ts';

export const engineLoop: LoopContestant = async ({ baseUrl, system, question, tool: given, timeoutMs, signal }) => {
  const { name: model, ...settings } = MODEL;
  const lookUp = tool({ name: given.name, description: given.description, input: given.parameters, run: given.run });
  const flow = workflow<string, string>('answer');
  const answer = flow.agent('answer', agent({ system, tools: [lookUp] }));
  const checked = flow.connect(flow.start, answer).finish(answer).build();
  const options = { model: openaiModel({ baseUrl, model, ...settings, timeoutMs }), signal };
  return async () => {
    const result = await execute(checked, question, options).result;
    return result.status === 'completed' ? result.output : result.status;
  };
};
