// Gates that are answered while the run is at work.
import { expect, test as rule, test } from 'vitest';
import * as z from 'zod';
import { execute, memoryCheckpoints, merge, type Run, type RunEvent, resume, workflow } from './index.ts';

/** Two gates, one of them inside a subgraph in a map, and a node that counts how often it runs. */
function letters() {
  const ran: string[] = [];
  const inner = workflow('one', { input: z.string(), output: z.string() });
  const draft = inner.node('draft', { run: (to: string) => `Dear ${to}${ran.push(to) > 99 ? '!' : ''}` });
  const check = inner.wait('check', { question: (text: string) => `Send "${text}"?`, output: z.enum(['send', 'drop']) });
  const post = inner.node('post', { run: ({ text, answer }: { text: string; answer: string }) => `${answer} ${text}` });
  inner.connect(inner.start, draft).connect(draft, check).connect(draft, post, { port: 'text' }).connect(check, post, { port: 'answer' }).finish(post);
  const flow = workflow('letters', { input: z.array(z.string()), output: z.string(), state: { posted: merge.append(z.string()) } });
  const all = flow.map('all', { node: inner.build(), writes: 'posted' });
  const sum = flow.wait('sum', { output: z.number() });
  const end = flow.node('end', { reads: ['posted'], run: (total: number, { get }) => `${get('posted').join(', ')}: ${total}` });
  flow.connect(flow.start, all).after(all, sum).connect(sum, end).finish(end);
  return { checked: flow.build(), sum, ran };
}

const ANSWERS: Readonly<Record<string, unknown>> = { 'all[0]/check': 'send', 'all[1]/check': 'drop', sum: 2 };

async function answerAll(run: Run<unknown>): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) {
    events.push(event);
    if (event.type === 'node-waiting') await run.answer(event.node, ANSWERS[event.node]);
  }
  return events;
}

rule('A gate is answered while the run is at work with `run.answer`, also inside subgraphs and maps; `holdGates` keeps a run open for that', async () => {
  const { checked, ran } = letters();
  const run = execute(checked, ['Ada', 'Bo'], { holdGates: true });
  const events = await answerAll(run);
  expect(await run.result).toMatchObject({ status: 'completed', output: 'send Dear Ada, drop Dear Bo: 2' });
  expect(ran).toEqual(['Ada', 'Bo']);
  const ofGate = events.flatMap((event) => ('node' in event && event.node === 'all[1]/check' ? [event.type] : []));
  expect(ofGate).toEqual(['node-start', 'node-waiting', 'node-end']);
  expect(run.openGates()).toEqual([]);
});

rule('A gate that was answered at work leaves what one leaves that was gone on with from the checkpoint: trace hash, state, output and lines', async () => {
  const { checked } = letters();
  const input = ['Ada', 'Bo'];
  const options = { traceHash: true, concurrency: 1 };
  const linesOf = async (store: ReturnType<typeof memoryCheckpoints>) =>
    (await store.load('r')).map((line) => {
      const { node, output, trace } = JSON.parse(line.slice(17)) as { readonly node?: string; readonly output?: unknown; readonly trace?: string };
      return JSON.stringify({ node, output, trace });
    });
  const held = memoryCheckpoints();
  const live = execute(checked, input, { ...options, holdGates: true, checkpoint: { store: held, run: 'r' } });
  await answerAll(live);

  const stopped = memoryCheckpoints();
  const checkpoint = { store: stopped, run: 'r' };
  expect(await execute(checked, input, { ...options, checkpoint }).result).toMatchObject({ status: 'waiting', gates: [{}, {}] });
  const later = await resume(checked, { ...options, checkpoint, answers: ANSWERS }).result;
  const atOnce = await execute(checked, input, { ...options, answers: ANSWERS }).result;
  const { status, trace, state } = await live.result;
  expect([status, trace]).toEqual(['completed', { hash: expect.any(String) }]);
  for (const other of [later, atOnce]) expect(other).toMatchObject({ status, trace, state });
  expect((await linesOf(held)).sort()).toEqual((await linesOf(stopped)).sort());
  // Killed or stopped after an answer, the run knows it.
  expect(await resume(checked, { ...options, checkpoint: { store: held, run: 'r' } }).result).toMatchObject({ status: 'completed', trace });
});

rule(
  'An answer to what does not wait is refused with `NOT_WAITING`, one that breaks the schema with `INVALID_ANSWER`, and both leave the run as it is',
  async () => {
    const { checked, sum, ran } = letters();
    const run = execute(checked, ['Ada'], { holdGates: true });
    const early = expect(run.answer(sum, 2)).rejects.toMatchObject({ code: 'NOT_WAITING', message: expect.stringContaining('has not been reached') });
    const told: (readonly [unknown, unknown])[] = [];
    for await (const event of run) {
      if (event.type !== 'node-waiting') continue;
      if (event.node === 'sum') {
        await expect(run.answer(sum, 'two' as never)).rejects.toMatchObject({ code: 'INVALID_ANSWER', message: expect.stringContaining('gate "sum"') });
        const [first, second] = await Promise.allSettled([run.answer(sum, 1), run.answer(sum, 2)]);
        told.push([first.status, second]);
        continue;
      }
      expect(run.openGates()).toEqual([{ node: 'all[0]/check', question: 'Send "Dear Ada"?', input: 'Dear Ada' }]);
      for (const [node, why] of [
        ['nowhere', 'has no such node'],
        ['all[7]/check', 'no run inside'],
        ['end', 'is no gate'],
        ['__proto__', 'has no such node'],
      ] as const) {
        await expect(run.answer(node, 1)).rejects.toMatchObject({
          code: 'NOT_WAITING',
          message: expect.stringContaining(why),
          remedy: 'These wait: "all[0]/check".',
        });
      }
      await run.answer('all[0]/check', 'send');
      await expect(run.answer('all[0]/check', 'send')).rejects.toMatchObject({ code: 'NOT_WAITING', message: expect.stringContaining('has been answered') });
    }
    await early;
    expect(told).toEqual([['fulfilled', expect.objectContaining({ reason: expect.objectContaining({ code: 'NOT_WAITING' }) })]]);
    expect(await run.result).toMatchObject({ status: 'completed', output: 'send Dear Ada: 1' });
    expect(ran).toEqual(['Ada']);
    await expect(run.answer(sum, 2)).rejects.toMatchObject({ code: 'NOT_WAITING' });
  },
);

test('without `holdGates` a gate is answered as long as something else is at work; then the run ends as waiting', async () => {
  const flow = workflow<string, string>('beside');
  let free = () => {};
  const slow = flow.node('slow', { run: () => new Promise<void>((resolve) => (free = resolve)) });
  const [one, two] = ['one', 'two'].map((id) => flow.wait<string, number>(id));
  if (one === undefined || two === undefined) throw new Error('unreachable');
  flow.after(flow.start, slow).connect(flow.start, one).connect(flow.start, two);
  const run = execute(flow.build(), 'in');
  for await (const event of run) {
    if (event.type !== 'node-waiting' || event.node !== 'two') continue;
    await run.answer(one, 1);
    free();
  }
  expect(await run.result).toMatchObject({ status: 'waiting', gates: [{ node: 'two', input: 'in' }] });
  expect([run.outcomeOf('one'), run.outputOf(one), run.outcomeOf('two')]).toEqual(['completed', 1, undefined]);
  await expect(run.answer(two, 1)).rejects.toMatchObject({ code: 'NOT_WAITING', message: expect.stringContaining('`holdGates` keeps one open') });
});

test('a held run is aborted like any other, and a gate that waits takes no place from others', async () => {
  const flow = workflow<string, string>('held');
  const gates = Array.from({ length: 3 }, (_, i) => flow.wait(`gate${i}`));
  const last = flow.node('last', { run: () => 1 });
  for (const gate of gates) flow.after(flow.start, gate);
  flow.after(flow.start, last);
  const stop = new AbortController();
  const run = execute(flow.build(), 'in', { holdGates: true, concurrency: 1, signal: stop.signal });
  for await (const event of run) {
    if (event.type === 'node-end' && event.node === 'last') {
      expect(run.openGates().map(({ node }) => node)).toEqual(['gate0', 'gate1', 'gate2']);
      stop.abort('enough');
    }
  }
  expect(await run.result).toMatchObject({ status: 'cancelled', reason: 'enough' });
  expect([run.outcomeOf('gate0'), run.openGates()]).toEqual(['cancelled', []]);
});
