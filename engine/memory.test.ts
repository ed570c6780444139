// What each memory switch changes in a prompt: the requests of a planner, two parallel searchers and a writer, as the model sees them.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test as rule, test } from 'vitest';
import { agent, execute, type FunctionModelMessage, functionModel, jsonSchema, type MemoryOptions, merge, tool, workflow } from './index.ts';

const PAGE = `Title: Harbours\n${'It was a long page. '.repeat(40)}\nBerths: 47`;
const Text = jsonSchema<string>({ type: 'string' });

interface Asked {
  readonly system: string | undefined;
  readonly messages: readonly FunctionModelMessage[];
}

/** Plans two parts, looks each up with one call, and writes. @returns the requests, the output and what was held */
async function run(memory?: MemoryOptions, resultLimit = 100_000) {
  const asked: Asked[] = [];
  const model = functionModel(({ system, messages }) => {
    asked.push({ system, messages: [...messages] });
    const last = messages.at(-1);
    if (system === 'plan') return JSON.stringify(['north', 'south']);
    if (system === 'write') return 'Both are there.';
    return last?.role === 'tool' ? `${part(messages)}: 47` : { calls: [{ name: 'page', arguments: { of: part(messages) } }] };
  });
  const flow = workflow('harbours', { input: Text, output: Text, state: { found: merge.append(Text) } });
  const plan = flow.agent('plan', { system: 'plan', output: jsonSchema<string[]>({ type: 'array', items: { type: 'string' } }) });
  const page = tool({ name: 'page', description: 'A page.', input: { type: 'object', properties: { of: { type: 'string' } } }, resultLimit, run: () => PAGE });
  const find = flow.map('find', { node: agent({ system: 'find', tools: [page] }), writes: 'found' });
  const write = flow.agent('write', { system: 'write', reads: ['found'] });
  flow.connect(flow.start, plan).connect(plan, find).connect(flow.start, write).after(find, write).finish(write);
  const result = await execute(flow.build(), 'How many berths?', { model, ...(memory === undefined ? {} : { memory }) }).result;
  if (result.status !== 'completed') throw result.status === 'failed' ? result.error : new Error(result.status);
  const of = (system: string) => asked.filter((one) => one.system === system);
  return { asked, of, result, prompt: (system: string) => lastUser(of(system).at(-1)?.messages ?? []) };
}

function lastUser(messages: readonly FunctionModelMessage[]): string {
  return messages.findLast(({ role }) => role === 'user')?.text ?? '';
}

function part(messages: readonly FunctionModelMessage[]): string {
  return lastUser(messages).slice(0, 5);
}

rule('With all memory tiers a prompt holds its declared input and keys alone; nothing of an agent’s turns outlives it', async () => {
  const { asked, prompt, result } = await run({});
  expect(prompt('write')).toBe('How many berths?\n\nfound:\n["north: 47","south: 47"]');
  expect(result.memory).toMatchObject({ scratchKept: 0, connectorsKept: 0, transcriptKept: 0, stateKept: 25 });
  expect(result.memory?.scratchPeak).toBeGreaterThan(2 * PAGE.length);
  // The same requests as of a run that was given no memory at all.
  const plain = await run();
  expect(asked).toEqual(plain.asked);
  expect(plain.result.memory).toBeUndefined();
});

rule('Without scratch the turns of an agent stay in memory, and stand in the prompts of the agents behind it', async () => {
  const { of, prompt, result } = await run({ scratch: false });
  const digest = `page gave ${PAGE.length} characters: ${PAGE.replaceAll('\n', ' ').slice(0, 280)}…`;
  expect(prompt('write')).toBe(
    [
      'How many berths?\n\nfound:\n["north: 47","south: 47"]',
      ...['north', 'south'].map((of, at) => `\n\nearlier turns of find[${at}]:\ncalled page with {"of":"${of}"}\n${digest}`),
    ].join(''),
  );
  // Neither sibling follows the other.
  expect(of('find').map(({ messages }) => messages[0]?.text)).toEqual(expect.arrayContaining(['north', 'south']));
  expect(result.memory?.scratchKept).toBeGreaterThan(2 * PAGE.length);
});

rule('Without structured state agents pass free text along: no key, no type, no merge rule in what is read', async () => {
  const { prompt, result } = await run({ state: false });
  expect(prompt('write')).toBe('How many berths?\n\nnorth: 47\n\nsouth: 47');
  expect(result.state).toEqual({ found: 'north: 47\n\nsouth: 47' });
});

rule('Without connectors what tools gave goes uncut into the context, also of the agents behind', async () => {
  const { of, prompt, result } = await run({ connectors: false }, 100);
  expect(prompt('write')).toBe(
    `How many berths?\n\nfound:\n["north: 47","south: 47"]\n\nresults of find[0]:\nResult of page:\n${PAGE}\n\nresults of find[1]:\nResult of page:\n${PAGE}`,
  );
  expect(of('find').at(-1)?.messages.at(-1)).toMatchObject({ role: 'tool', text: PAGE });
  expect((await run({}, 100)).of('find').at(-1)?.messages.at(-1)?.text).toContain(`[cut: this is the beginning of ${PAGE.length} characters]`);
  expect(result.memory).toMatchObject({ scratchKept: 0, connectorsKept: 2 * PAGE.length });
});

rule('With a single tier all agents share one transcript, one after the other', async () => {
  const { asked, prompt, result } = await run('single-tier');
  expect(asked.map(({ system }) => system)).toEqual(['plan', 'find', 'find', 'find', 'find', 'write']);
  for (const [at, { messages }] of asked.slice(1).entries()) expect(messages.slice(0, asked[at]?.messages.length)).toEqual(asked[at]?.messages);
  expect(asked.at(-1)?.messages.map(({ role }) => role)).toEqual([
    ...['user', 'assistant'],
    ...['user', 'assistant', 'tool', 'assistant'],
    ...['user', 'assistant', 'tool', 'assistant'],
    'user',
  ]);
  expect(prompt('write')).toBe('How many berths?');
  expect(result.memory?.transcriptKept).toBeGreaterThan(2 * PAGE.length);
});

describe('a shared transcript', () => {
  test('is handed on by an agent that fails, and by one that is aborted while it waits', async () => {
    const model = functionModel(({ messages }) => {
      if (lastUser(messages) === 'bad') throw new Error('no');
      return 'fine';
    });
    const flow = workflow<string[], readonly string[]>('queue');
    const each = flow.map('each', { node: agent({ system: 's' }), onItemFailure: 'drop' });
    flow.connect(flow.start, each).finish(each);
    const result = await execute(flow.build(), ['bad', 'good', 'bad', 'good'], { model, memory: 'single-tier' }).result;
    expect(result).toMatchObject({ status: 'completed', output: ['fine', 'fine'] });

    const controller = new AbortController();
    const hanging = functionModel(() => new Promise<string>(() => {}));
    const stopped = execute(flow.build(), ['a', 'b'], { model: hanging, memory: 'single-tier', signal: controller.signal });
    setImmediate(() => controller.abort(new Error('stop')));
    expect(await stopped.result).toMatchObject({ status: 'cancelled' });
  });
});

describe('what the engine counts as kept', () => {
  test.each<[string, MemoryOptions]>([
    ['all tiers', {}],
    ['no scratch', { scratch: false }],
    ['no connectors', { connectors: false }],
    ['a single tier', 'single-tier'],
  ])('is what the heap holds after a forced collection: %s', (_, memory) => {
    const fixture = fileURLToPath(new URL('./fixtures/held-by-memory.ts', import.meta.url));
    const { stdout } = spawnSync(process.execPath, ['--expose-gc', fixture, JSON.stringify(memory)], { encoding: 'utf8' });
    const { heldBytes, countedBytes } = JSON.parse(stdout) as { heldBytes: number; countedBytes: number };
    // A run itself weighs a few kilobytes; forty pages of 100 kB weigh 4 MB.
    expect(heldBytes - countedBytes).toBeLessThan(1_000_000);
    expect(heldBytes).toBeGreaterThan(0.95 * countedBytes);
    expect(countedBytes > 0).toBe(Object.keys(memory).length > 0);
  });
});
