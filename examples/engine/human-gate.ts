// A human gate: the run stops at `approve`, its checkpoint waits in a folder for as long as it takes, and a later process goes on with the answer.
// Here both halves stand in one program; what lies between them is only the folder. No node that had finished runs again: npx node examples/engine/human-gate.ts
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute, fileCheckpoints, jsonSchema, resume, toMermaid, workflow } from 'agentgauge/engine';

const text = jsonSchema<string>({ type: 'string' });
const flow = workflow('letter', { input: text, output: text });
const draft = flow.node('draft', {
  input: text,
  run: (to: string) => {
    console.log(`draft: writing to ${to}`);
    return `Dear ${to}, the gauge is full.`;
  },
});
const approve = flow.wait('approve', {
  input: text,
  output: jsonSchema<'send' | 'drop'>({ enum: ['send', 'drop'] }),
  question: (letter: string) => `Send "${letter}"?`,
});
const send = flow.node('send', {
  run: ({ letter, answer }: { letter: string; answer: 'send' | 'drop' }) => (answer === 'send' ? `sent: ${letter}` : 'dropped'),
});
flow.connect(flow.start, draft).connect(draft, approve).connect(draft, send, { port: 'letter' }).connect(approve, send, { port: 'answer' }).finish(send);
const checked = flow.build();

const folder = mkdtempSync(join(tmpdir(), 'letters-'));
try {
  const monday = await execute(checked, 'Ada', { checkpoint: { store: fileCheckpoints(folder), run: 'letter-1' } }).result;
  if (monday.status === 'waiting') console.log(`${monday.status}: ${monday.gates[0]?.question}`);

  const thursday = resume(checked, { checkpoint: { store: fileCheckpoints(folder), run: 'letter-1' }, answers: { approve: 'send' } });
  const events = [];
  for await (const event of thursday) events.push(event);
  const result = await thursday.result;
  console.log(result.status === 'completed' ? result.output : result);
  console.log(toMermaid(checked, { events }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
