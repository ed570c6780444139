// Branches and recovery: a gauge that answers at the second try, one that is broken for good and has a stand-in, one whose failure stays where it is,
// and a branch on how many have answered: the month is told, or a person is called. Runs without a key: npx node examples/engine/branch-and-recover.ts
import { execute, merge, toMermaid, workflow } from 'agentgauge/engine';
import * as z from 'zod';

const Reading = z.object({ gauge: z.string(), mm: z.number() });
type Reading = z.infer<typeof Reading>;
const fail = (why: string): never => {
  throw new Error(why);
};

const flow = workflow('rain', {
  input: z.object({ quorum: z.number() }),
  output: z.string(),
  state: { readings: merge.append(Reading), quorum: z.number() },
});
const quorum = flow.node('quorum', { writes: 'quorum', run: (input: { quorum: number }) => input.quorum });

const quay = flow.node('quay', { writes: 'readings', run: (): Reading => ({ gauge: 'quay', mm: 61 }) });
const tower = flow.node('tower', {
  writes: 'readings',
  retry: { attempts: 3, backoffMs: 20 },
  run: (_: unknown, { attempt }): Reading => (attempt === 1 ? fail('the line dropped') : { gauge: 'tower', mm: 58 }),
});
const roof = flow.node('roof', {
  writes: 'readings',
  retry: { attempts: 2, backoffMs: 20 },
  run: (): Reading => fail('the funnel is cracked'),
  fallback: { value: { gauge: 'roof (estimated)', mm: 60 } },
});
const field = flow.node('field', { writes: 'readings', onFailure: 'continue', run: (): Reading => fail('no such gauge') });

const enough = flow.branch('enough', { cases: { yes: 'length(readings) >= quorum' }, join: 'settled' });
const tell = flow.node('tell', {
  reads: ['readings'],
  run: (_: unknown, { get }) =>
    get('readings')
      .map(({ gauge, mm }) => `${gauge} ${mm} mm`)
      .join(', '),
});
const call = flow.node('call', { reads: ['readings'], run: (_: unknown, { get }) => `call the observer, only ${get('readings').length} gauges answered` });
flow.connect(flow.start, quorum);
for (const gauge of [quay, tower, roof, field]) flow.after(quorum, gauge).after(gauge, enough);
flow.after(enough.yes, tell).after(enough.otherwise, call).finish(tell, call);

const checked = flow.build();
for (const wanted of [3, 4]) {
  const run = execute(checked, { quorum: wanted });
  const events = [];
  for await (const event of run) events.push(event);
  const result = await run.result;
  console.log(`quorum ${wanted}:`, result.status === 'completed' ? result.output : result);
  for (const { code, message } of result.failures) console.log(`  ${code}: ${message}`);
  if (wanted === 4) console.log(toMermaid(checked, { events }));
}
