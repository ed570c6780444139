// A subgraph: a checked workflow with a state of its own that stands as a node in another, here twice and once more for each item of a list. Its border is
// typed, and what happens inside is told by its path, such as `to-latvian/review`. Runs without a key: npx node examples/engine/subgraph.ts
import { execute, functionModel, workflow } from 'agentgauge/engine';
import * as z from 'zod';

const Job = z.object({ text: z.string(), into: z.enum(['Latvian', 'Portuguese']) });

// Inside: one agent translates, another looks it over and sees both texts, since it reads the state.
const inner = workflow('translate', { input: Job, output: z.string(), state: { source: z.string() } });
const keep = inner.node('keep', { input: Job, writes: 'source', run: ({ text }) => text });
const draft = inner.agent<z.infer<typeof Job>>('draft', { system: 'Translate.', prompt: ({ text, into }) => `${into}: ${text}` });
const review = inner.agent('review', { system: 'Mend the translation.', reads: ['source'] });
inner.connect(inner.start, keep).connect(inner.start, draft).after(keep, draft).connect(draft, review).finish(review);
const translate = inner.build();

// Outside: a node like any other, with time-out and retry; and the body of a map.
const flow = workflow('signs', { input: z.string(), output: z.record(z.string(), z.string()) });
const latvian = flow.subgraph('to-latvian', translate, { timeoutMs: 30_000 });
const portuguese = flow.subgraph('to-portuguese', translate, { retry: { attempts: 2 } });
const harbours = flow.node('harbours', { run: () => ['Riga', 'Liepaja'].map((text) => ({ text, into: 'Latvian' as const })) });
const names = flow.map('names', { node: translate });
const sign = flow.node('sign', {
  run: (parts: { latvian: string; portuguese: string; names: string[] }) => ({
    latvian: `${parts.latvian}: ${parts.names.join(', ')}`,
    portuguese: parts.portuguese,
  }),
});
flow
  .connect(flow.start, latvian, { transform: (text) => ({ text, into: 'Latvian' as const }) })
  .connect(flow.start, portuguese, { transform: (text) => ({ text, into: 'Portuguese' as const }) })
  .after(flow.start, harbours)
  .connect(harbours, names)
  .connect(latvian, sign, { port: 'latvian' })
  .connect(portuguese, sign, { port: 'portuguese' })
  .connect(names, sign, { port: 'names' })
  .finish(sign);

// In place of a function: openaiModel({ baseUrl: 'https://api.openai.com/v1', apiKey, model: 'gpt-4o-mini' })
const words: Record<string, string> = { 'Latvian: harbour': 'osta', 'Portuguese: harbour': 'porto', 'Latvian: Riga': 'Rīga', 'Latvian: Liepaja': 'Liepāja' };
const model = functionModel(({ system, messages }) => {
  const asked = messages.at(-1)?.text ?? '';
  return system === 'Translate.' ? (words[asked] ?? '?') : (asked.split('\n')[0] ?? '');
});

const run = execute(flow.build(), 'harbour', { model });
for await (const event of run) if (event.type === 'node-end') console.log(event.outcome, event.node);
const result = await run.result;
console.log(result.status === 'completed' ? result.output : result);
