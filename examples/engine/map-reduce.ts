// Map and reduce over documents: one agent a report, at most three at once, each reading its file through a connector; an aggregate sets what they
// found against a table of usual values. Reports and table lie in documents/. Runs without a key: npx node examples/engine/map-reduce.ts
import { agent, execute, functionModel, tool, workflow } from 'agentgauge/engine';
import { fileConnector } from 'agentgauge/engine/connectors';
import * as z from 'zod';

const Rain = z.object({ town: z.string(), mm: z.number() });
type Rain = z.infer<typeof Rain>;

const docs = fileConnector({ name: 'docs', root: new URL('./documents/', import.meta.url), cache: { ttlMs: 60_000 } });
const report = tool({
  name: 'report',
  description: 'The report of a station.',
  input: z.object({ file: z.string() }),
  // `.text` shows the agent the whole report; without it there would be a summary and a handle.
  run: async ({ file }, { use }) => (await use(docs).read(file)).text,
});

const flow = workflow('rain', { output: z.string() });
const list = flow.node('list', {
  connectors: [docs],
  run: async (_: unknown, { use }) => (await use(docs).list()).value.map(({ name }) => name).filter((name) => name.endsWith('.txt')),
});
const read = flow.map('read', {
  node: agent<string, Rain>({ system: 'Find town and sum of the month.', tools: [report], output: Rain }),
  connectors: [docs],
  concurrency: 3,
});
const usual = flow.node('usual', {
  connectors: [docs],
  run: async (_: unknown, { use }): Promise<Rain[]> => {
    const [, ...lines] = (await use(docs).read('usual.csv')).text.trim().split('\n');
    return lines.map((line) => line.split(',')).map(([town = '', mm]) => ({ town, mm: Number(mm) }));
  },
});
const compare = flow.aggregate<Rain[], string>('compare', {
  run: ([found = [], before = []]) =>
    found
      .toSorted((a, b) => b.mm - a.mm)
      .map(({ town, mm }) => {
        const difference = mm - (before.find((one) => one.town === town)?.mm ?? Number.NaN);
        return `${town.padEnd(9)}${String(mm).padStart(4)} mm ${(difference > 0 ? `+${difference}` : `${difference}`).padStart(4)}  ${'▇'.repeat(mm / 10)}`;
      })
      .join('\n'),
});
flow.after(flow.start, list).after(flow.start, usual).connect(list, read).connect(read, compare).connect(usual, compare).finish(compare);

// In place of a function: openaiModel({ baseUrl: 'https://api.openai.com/v1', apiKey, model: 'gpt-4o-mini' })
const model = functionModel(({ messages, turn }) => {
  if (turn === 0) return { calls: [{ name: 'report', arguments: { file: messages[0]?.text } }] };
  const [, town, mm] = /^Station (\w+).*: (\d+) mm/s.exec(messages.at(-1)?.text ?? '') ?? [];
  return JSON.stringify({ town, mm: Number(mm) });
});

const result = await execute(flow.build(), undefined, { model }).result;
console.log(result.status === 'completed' ? result.output : result);
console.log(`${result.usage.modelCalls} model calls, ${result.connectors?.docs?.requests} requests to documents/`);
