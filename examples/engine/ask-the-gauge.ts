// The example of engine/README.md, as it stands there: an agent with one tool between two functions, with state and events.
// Runs without a key: npx node examples/engine/ask-the-gauge.ts
import { agent, execute, functionModel, merge, tool, workflow } from 'agentgauge/engine';
import * as z from 'zod';

const rainfall = tool({
  name: 'rainfall',
  description: 'Millimetres of rain in a town last month.',
  input: z.object({ town: z.string() }),
  run: ({ town }) => (town === 'Riga' ? '61' : `There is no gauge in ${town}.`),
});

const flow = workflow('rain', {
  input: z.object({ towns: z.array(z.string()) }),
  output: z.string(),
  state: { answers: merge.append(z.string()) },
});
const meteorologist = agent({ system: 'Answer in one sentence.', tools: [rainfall], iterations: 4 });
const report = flow.node('report', { reads: ['answers'], run: (_: unknown, { get }) => get('answers').join('\n') });
for (const at of [0, 1]) {
  const ask = flow.agent(`ask-${at}`, { ...meteorologist, writes: 'answers', retry: { attempts: 2 }, timeoutMs: 30_000 });
  flow.connect(flow.start, ask, { transform: ({ towns }) => `How much did it rain in ${towns[at]}?` });
  flow.after(ask, report);
}
flow.finish(report);

// In place of a function: openaiModel({ baseUrl: 'https://api.openai.com/v1', apiKey, model: 'gpt-4o-mini' })
const model = functionModel(({ messages, turn }) => {
  const town = /in (\w+)\?/.exec(messages[0]?.text ?? '')?.[1];
  return turn === 0 ? { calls: [{ name: 'rainfall', arguments: { town } }] } : `${town}: ${messages.at(-1)?.text}`;
});

const run = execute(flow.build(), { towns: ['Riga', 'Atlantis'] }, { model });
for await (const event of run) if (event.type === 'tool-end') console.log(event.node, event.tool, event.ok);
const result = await run.result;
console.log(result.status === 'completed' ? result.output : result);
