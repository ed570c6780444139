// A workflow, or a run of it, as a diagram: Mermaid for pages, DOT for Graphviz. A run is told by its events, live or read back from JSON.

import type { NodeOutcome, RunEvent } from './events.ts';
import { type CheckedWorkflow, type Plan, planOf } from './plan.ts';
import { printPredicate } from './predicate.ts';

export interface DiagramOptions {
  /** Events of a run: each node then shows how it ended, after how many attempts and how long. */
  readonly events?: Iterable<RunEvent>;
}

type AnyWorkflow = CheckedWorkflow<never, unknown, unknown>;

/** Mermaid flowchart text. Solid arrows carry data, dotted ones only order. */
export function toMermaid(workflow: AnyWorkflow, options: DiagramOptions = {}): string {
  const { title, nodes, edges } = drawing(planOf(workflow), options);
  const text = (label: string) => `"${label.replaceAll(/[^\p{L}\p{N} .,:;_()/+×-]/gu, (sign) => (sign === '\n' ? '<br/>' : `#${sign.codePointAt(0)};`))}"`;
  const lines = ['flowchart TD', `  %% ${title.replaceAll(/\s+/g, ' ')}`, '  start((start))'];
  for (const [i, { label, shape }] of nodes.entries()) lines.push(`  n${i}${MERMAID_SHAPES[shape][0]}${text(label)}${MERMAID_SHAPES[shape][1]}`);
  for (const { from, to, data, label } of edges) {
    lines.push(`  ${nameOf(from)} ${data ? '-->' : '-.->'}${label === undefined ? '' : `|${text(label)}|`} ${nameOf(to)}`);
  }
  const drawn = new Set<string>();
  for (const [i, { outcome }] of nodes.entries()) {
    if (outcome === undefined) continue;
    drawn.add(outcome);
    lines.push(`  class n${i} ${outcome}`);
  }
  for (const outcome of drawn) lines.push(`  classDef ${outcome} ${MERMAID_STYLE[outcome as NodeOutcome | 'unfinished']}`);
  return `${lines.join('\n')}\n`;
}

/** Graphviz DOT text. */
export function toDot(workflow: AnyWorkflow, options: DiagramOptions = {}): string {
  const { title, nodes, edges } = drawing(planOf(workflow), options);
  const text = (label: string) => `"${label.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
  const lines = [`digraph ${text(title)} {`, '  node [fontname="sans-serif", style=filled, fillcolor=white];', '  start [shape=circle];'];
  for (const [i, { label, shape, outcome }] of nodes.entries()) {
    lines.push(`  n${i} [label=${text(label)}, shape=${DOT_SHAPES[shape]}${outcome === undefined ? '' : `, fillcolor="${DOT_FILL[outcome]}"`}];`);
  }
  for (const { from, to, data, label } of edges) {
    const marks = [...(data ? [] : ['style=dotted']), ...(label === undefined ? [] : [`label=${text(label)}`])];
    lines.push(`  ${nameOf(from)} -> ${nameOf(to)}${marks.length === 0 ? '' : ` [${marks.join(', ')}]`};`);
  }
  return `${lines.join('\n')}\n}\n`;
}

type Form = 'plain' | 'agent' | 'tool' | 'control';
const MERMAID_SHAPES: Readonly<Record<Form, readonly [string, string]>> = { plain: ['[', ']'], agent: ['([', '])'], tool: ['[[', ']]'], control: ['{{', '}}'] };
const DOT_SHAPES: Readonly<Record<Form, string>> = { plain: 'box', agent: 'ellipse', tool: 'component', control: 'hexagon' };
const DOT_FILL: Readonly<Record<NodeOutcome | 'unfinished', string>> = {
  completed: '#c8e6c9',
  failed: '#ffcdd2',
  'skipped-by-branch': '#eeeeee',
  'skipped-after-failure': '#ffe0b2',
  cancelled: '#d1c4e9',
  unfinished: '#fff9c4',
};
const MERMAID_STYLE = Object.fromEntries(
  Object.entries(DOT_FILL).map(([outcome, fill]) => [outcome, `fill:${fill}${outcome.startsWith('skipped') ? ',stroke-dasharray:4' : ''}`]),
) as Readonly<Record<NodeOutcome | 'unfinished', string>>;

interface DrawnNode {
  readonly label: string;
  readonly shape: Form;
  readonly outcome: NodeOutcome | 'unfinished' | undefined;
}

interface DrawnEdge {
  readonly from: number;
  readonly to: number;
  readonly data: boolean;
  readonly label: string | undefined;
}

interface Drawing {
  readonly title: string;
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
}

function drawing(plan: Plan, { events }: DiagramOptions): Drawing {
  const told = events === undefined ? undefined : summarizeEvents(events);
  const nodes = Array.from(plan.declared, (number): DrawnNode => {
    const { id, kind, when } = plan.nodes[number] as Plan['nodes'][number];
    const shape = kind === 'function' ? 'plain' : kind === 'agent' || kind === 'tool' ? kind : 'control';
    const label = when === undefined ? id : `${id}\n${printPredicate(when)}`;
    if (told === undefined) return { label, shape, outcome: undefined };
    const ran = told.get(id);
    return {
      label: `${label}\n${ran === undefined ? 'not reached' : describe(ran)}`,
      shape,
      outcome: ran === undefined ? undefined : (ran.outcome ?? 'unfinished'),
    };
  });
  const edges: DrawnEdge[] = [];
  const places = new Map([...plan.declared].map((number, place) => [number, place]));
  for (const [to, number] of plan.declared.entries()) {
    const { inputs } = plan.nodes[number] as Plan['nodes'][number];
    for (const { from, port } of inputs) edges.push({ from: places.get(from) ?? -1, to, data: true, label: port });
    const sources = plan.sources.subarray(plan.sourceOffsets[number], plan.sourceOffsets[number + 1]);
    for (const from of sources)
      if (!inputs.some((input) => input.from === from)) edges.push({ from: places.get(from) ?? -1, to, data: false, label: undefined });
    if (sources.length === 0 && inputs.length === 0) edges.push({ from: -1, to, data: false, label: undefined });
  }
  return { title: plan.name, nodes, edges };
}

function nameOf(node: number): string {
  return node < 0 ? 'start' : `n${node}`;
}

function describe({ outcome, attempts, durationMs, code, restored }: NodeSummary): string {
  const parts: string[] = [outcome === undefined ? 'unfinished' : outcome.replaceAll('-', ' ')];
  if (code !== undefined) parts.push(code);
  if (restored) parts.push('from the checkpoint');
  if (attempts > 1) parts.push(`${attempts} attempts`);
  if (durationMs !== undefined && outcome !== 'skipped-by-branch')
    parts.push(durationMs < 1000 ? `${Number(durationMs.toPrecision(3))} ms` : `${(durationMs / 1000).toFixed(1)} s`);
  return parts.join(', ');
}

export interface NodeSummary {
  /** Absent while the node has not ended. */
  readonly outcome?: NodeOutcome;
  /** Attempts that were started; none for a node that never ran. */
  readonly attempts: number;
  /** From the first start to the end, waits between attempts included. Absent for a node that did not run, or has not ended. */
  readonly durationMs?: number;
  readonly code?: string;
  /** Whether a checkpoint already held its end. */
  readonly restored: boolean;
}

/** How each node fared, from the events of a run. Nodes that no event names are absent. */
export function summarizeEvents(events: Iterable<RunEvent>): Map<string, NodeSummary> {
  const told = new Map<string, NodeSummary & { startMs?: number }>();
  for (const event of events) {
    if (event.type === 'node-start') {
      const before = told.get(event.node);
      told.set(event.node, { startMs: before?.startMs ?? event.atMs, attempts: (before?.attempts ?? 0) + 1, restored: false });
    } else if (event.type === 'node-end') {
      const { startMs, attempts } = told.get(event.node) ?? { attempts: 0 };
      told.set(event.node, {
        attempts,
        outcome: event.outcome,
        restored: event.restored ?? false,
        ...(startMs === undefined ? {} : { durationMs: event.atMs - startMs }),
        ...(event.code === undefined ? {} : { code: event.code }),
      });
    }
  }
  return told;
}
