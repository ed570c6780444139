// A chain of three nodes: a plain function, an agent with one tool, and a function that reads what the agent left in the state.
// Runs without a key, since the model is a function: npx node examples/engine/chain.ts
// For a real one put `openaiModel({ baseUrl, model, apiKey })` in its place.
import { execute, functionModel, jsonSchema, merge, tool, workflow } from 'agentgauge/engine';

const rainfall = tool({
  name: 'rainfall',
  description: 'Millimetres of rain in a town last month.',
  input: jsonSchema<{ town: string }>({ type: 'object', properties: { town: { type: 'string' } }, required: ['town'], additionalProperties: false }),
  run: ({ town }) => ({ Riga: 61, Porto: 104 })[town] ?? `no gauge in ${town}`,
});

const flow = workflow('rain', {
  input: jsonSchema<{ town: string }>({ type: 'object', required: ['town'] }),
  state: { notes: merge.append(jsonSchema<string>({ type: 'string' })) },
});
const ask = flow.node('ask', { run: (input: { town: string }) => `How much did it rain in ${input.town}?`, writes: 'notes' });
const answer = flow.agent('answer', { system: 'Answer in one sentence.', tools: [rainfall], writes: 'notes' });
const report = flow.node('report', { reads: ['notes'], run: (text: string, { get }) => ({ text, notes: get('notes').length }) });
flow.connect(flow.start, ask).connect(ask, answer).connect(answer, report).finish(report);

const model = functionModel(({ messages, turn }) => {
  if (turn === 0) return { calls: [{ name: 'rainfall', arguments: { town: 'Riga' } }] };
  return `It rained ${messages.at(-1)?.text} mm.`;
});

const run = execute(flow.build(), { town: 'Riga' }, { model });
for await (const event of run) console.log(event.type, 'node' in event ? event.node : '', 'tool' in event ? event.tool : '');
const result = await run.result;
console.log(result.status === 'completed' ? result.output : result);
