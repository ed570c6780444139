// Our own engine, as engine/README.md shows it.
// single: one agent node with all tools, its first example.
// dag: the shared prompts as a graph: planner, a map over the subtasks, synthesis that reads their findings from the state. No recovery stands in it.
// idiomatic: the same, with what the engine offers for when something is missing. A worker says in its output schema whether its report is complete, one that
// fails is dropped, and a branch sends an incomplete lot to an agent with all tools in place of the synthesis.
// Without tools there is nothing to divide: one agent node in every shape.
// default: what the quick start builds. hardened: a client time-out, which the engine otherwise leaves to `fetch`; the rest of what other rows
// must ask for (unknown tool, broken JSON, invalid arguments, tool error, empty last reply, cap) is what the engine does anyway.
import {
  agent,
  type CheckedWorkflow,
  execute,
  jsonSchema,
  type MemoryOptions,
  type MemoryUse,
  merge,
  openaiModel,
  type Tool,
  tool,
  workflow,
} from '../engine/index.ts';
import type { Adapter, Prepared, Terms } from './adapter.ts';
import { PLAN_SCHEMA, PLANNER, RECOVERY, synthesisSystem, WORKER, withSystem } from './prompts.ts';

export const engine: Adapter = { single, dag, idiomatic };

function single(terms: Terms): Prepared {
  const flow = workflow<string, string>('answer');
  const answer = flow.agent('answer', agent({ system: terms.systemText, tools: toolsOf(terms), iterations: capOf(terms) }));
  flow.connect(flow.start, answer).finish(answer);
  return prepared(terms, flow.build());
}

interface Subtasks {
  readonly subtasks: readonly string[];
}
const Subtasks = jsonSchema<Subtasks>(PLAN_SCHEMA);
const Text = jsonSchema<string>({ type: 'string' });

function dag(terms: Terms): Prepared {
  if (terms.tools.length === 0) return single(terms);
  const flow = workflow('divide', { input: Text, output: Text, state: { findings: merge.append(Text) } });
  const plan = flow.agent('plan', { system: PLANNER, output: Subtasks });
  const find = flow.map('find', {
    node: agent({ system: WORKER, tools: toolsOf(terms), iterations: capOf(terms) }),
    writes: 'findings',
  });
  const answer = flow.agent('answer', { system: synthesisSystem(terms), reads: ['findings'] });
  flow.connect(flow.start, plan).connect(plan, find, { transform: ({ subtasks }) => subtasks });
  flow.connect(flow.start, answer).after(find, answer).finish(answer);
  return prepared(terms, flow.build());
}

interface Finding {
  readonly report: string;
  readonly complete: boolean;
}
const Finding = jsonSchema<Finding>({
  type: 'object',
  properties: { report: { type: 'string' }, complete: { type: 'boolean' } },
  required: ['report', 'complete'],
  additionalProperties: false,
});
const Count = jsonSchema<number>({ type: 'integer' });

function idiomatic(terms: Terms): Prepared {
  if (terms.tools.length === 0) return single(terms);
  const tools = toolsOf(terms);
  const iterations = capOf(terms);
  const flow = workflow('divide-and-recover', { input: Text, output: Text, state: { plan: Subtasks, findings: merge.append(Finding), missing: Count } });
  const plan = flow.agent('plan', { system: PLANNER, output: Subtasks, writes: 'plan' });
  const find = flow.map('find', {
    node: agent<string, Finding>({ system: WORKER, tools, iterations, output: Finding }),
    writes: 'findings',
    onItemFailure: 'drop',
  });
  const count = flow.node('count', {
    reads: ['plan', 'findings'],
    writes: 'missing',
    run: (_: unknown, { get }) => (get('plan')?.subtasks.length ?? 0) - get('findings').filter(({ complete }) => complete).length,
  });
  const enough = flow.branch('enough', { cases: { yes: 'missing == 0' } });
  const answer = flow.agent('answer', { system: synthesisSystem(terms), reads: ['findings'] });
  const recover = flow.agent('recover', { system: withSystem(terms, RECOVERY), reads: ['findings'], tools, iterations });
  flow.connect(flow.start, plan).connect(plan, find, { transform: ({ subtasks }) => subtasks });
  flow.after(find, count).after(count, enough);
  flow.connect(flow.start, answer).after(enough.yes, answer);
  flow.connect(flow.start, recover).after(enough.otherwise, recover);
  flow.finish(answer, recover);
  return prepared(terms, flow.build());
}

function toolsOf(terms: Terms): Tool<never, unknown>[] {
  return terms.tools.map(({ name, description, parameters, run }) => tool({ name, description, input: parameters, run }));
}

function capOf(terms: Terms): number {
  return terms.capLiteral ?? terms.agentCap;
}

/** The five configurations of the memory ablation. Each prompts and keeps otherwise, and says what its tiers held. */
const MEMORY: Readonly<Record<string, MemoryOptions>> = {
  full: {},
  'without-scratch': { scratch: false },
  'without-structured-state': { state: false },
  'without-connectors': { connectors: false },
  'single-tier': 'single-tier',
};

function memoryOf({ configuration }: Terms): { readonly memory?: MemoryOptions } {
  if (configuration === undefined) return {};
  const memory = MEMORY[configuration];
  if (memory === undefined) throw new Error(`there is no configuration ${configuration}; there are: ${Object.keys(MEMORY).join(', ')}`);
  return { memory };
}

function prepared(terms: Terms, checked: CheckedWorkflow<string, string>): Prepared {
  const memory = memoryOf(terms);
  let held: MemoryUse | undefined;
  const { baseUrl, apiKey, name, temperature, maxTokens, timeoutMs } = terms.model;
  const model = openaiModel({ baseUrl, apiKey, model: name, temperature, maxTokens, ...(terms.settings === 'hardened' ? { timeoutMs } : {}) });
  return {
    run: async (signal) => {
      const result = await execute(checked, terms.userText, { model, signal, ...memory }).result;
      held = result.memory;
      if (result.status === 'completed') return result.output;
      if (result.status === 'cancelled') throw result.reason;
      // No gate stands in any of these workflows.
      throw result.status === 'failed' ? result.error : new Error(`the run ended ${result.status}`);
    },
    close: async () => {},
    tierBytes: () => (held === undefined ? undefined : { ...held }),
  };
}
