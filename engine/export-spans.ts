// A run as OpenTelemetry spans, with the attribute names of its GenAI conventions (status "development", so they stand in one place).
// The package `@opentelemetry/api` is the caller's: it is handed in, typed here by what is used of it.
import { currentDate } from './clock.ts';
import type { RunEvent } from './events.ts';

export interface TelemetrySpan {
  setAttribute(name: string, value: string | number | boolean): unknown;
  addEvent(name: string, attributes: Record<string, string | number | boolean>, time: Date): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(time: Date): void;
}

/** The part of `import * as api from '@opentelemetry/api'` that is used. `Context` is opaque. */
export interface TelemetryApi<Context, Span extends TelemetrySpan> {
  readonly trace: {
    getTracer(name: string): {
      startSpan(name: string, options: { startTime: Date; attributes?: Record<string, string | number | boolean> }, context: Context): Span;
    };
    setSpan(context: Context, span: Span): Context;
  };
  readonly context: { active(): Context };
}

export interface SpanOptions {
  /** The point in time at which the run started; events count from it. @default the moment of this call */
  readonly startedAt?: Date;
}

const ERROR_STATUS = 2;

/**
 * Sends the events of a run, live or stored, as one span for the run and below it one for each attempt, model request, tool call and request to a connector;
 * items of a map and nodes of a subgraph stand below theirs.
 * Resolves when the events have ended. Spans that were open then (of nodes that were stopped) end with the run.
 */
export async function exportSpans<Context, Span extends TelemetrySpan>(
  events: AsyncIterable<RunEvent> | Iterable<RunEvent>,
  api: TelemetryApi<Context, Span>,
  options: SpanOptions = {},
): Promise<void> {
  const startedMs = (options.startedAt ?? currentDate()).getTime();
  const tracer = api.trace.getTracer('agentgauge/engine');
  const outside = api.context.active();
  const open = new Map<string, Span>();
  let lastMs = 0;

  const at = (atMs: number) => new Date(startedMs + atMs);
  const start = (key: string, parent: string | undefined, name: string, atMs: number, attributes: Record<string, string | number | boolean> = {}) => {
    const above = parent === undefined ? undefined : (open.get(parent) ?? open.get(RUN));
    const context = above === undefined ? outside : api.trace.setSpan(outside, above);
    open.get(key)?.end(at(atMs));
    open.set(key, tracer.startSpan(name, { startTime: at(atMs), attributes }, context));
  };
  /** The map or subgraph that a node stands in: `outer` for `outer[3]`, which is it for `outer[3]/inner`. */
  const around = (node: string): string => {
    for (let path = node; path !== ''; ) {
      path = path.slice(0, Math.max(0, path.lastIndexOf('/'), path.lastIndexOf('[')));
      if (open.has(`node ${path}`)) return `node ${path}`;
    }
    return RUN;
  };
  const end = (key: string, atMs: number, failure?: string) => {
    const span = open.get(key);
    if (span === undefined) return;
    if (failure !== undefined) span.setStatus({ code: ERROR_STATUS, message: failure });
    span.end(at(atMs));
    open.delete(key);
  };

  try {
    for await (const event of events) {
      lastMs = event.atMs;
      switch (event.type) {
        case 'run-start':
          start(RUN, undefined, `workflow ${event.workflow}`, event.atMs, { 'agentgauge.workflow': event.workflow, 'agentgauge.nodes': event.nodes });
          break;
        case 'node-start':
          start(`node ${event.node}`, around(event.node), `node ${event.node}`, event.atMs, {
            'agentgauge.node': event.node,
            'agentgauge.attempt': event.attempt,
          });
          break;
        case 'node-retry':
        case 'node-fallback':
          end(`node ${event.node}`, event.atMs, `${event.code}: ${event.message}`);
          break;
        case 'node-end':
          open.get(`node ${event.node}`)?.setAttribute('agentgauge.outcome', event.outcome);
          end(`node ${event.node}`, event.atMs, event.outcome === 'failed' ? `${event.code}: ${event.message}` : undefined);
          break;
        case 'model-start':
          start(`model ${event.node}`, `node ${event.node}`, 'chat', event.atMs, { 'gen_ai.operation.name': 'chat', 'agentgauge.iteration': event.iteration });
          break;
        case 'model-end': {
          const span = open.get(`model ${event.node}`);
          const { inputTokens, outputTokens } = event.usage ?? {};
          if (inputTokens !== undefined) span?.setAttribute('gen_ai.usage.input_tokens', inputTokens);
          if (outputTokens !== undefined) span?.setAttribute('gen_ai.usage.output_tokens', outputTokens);
          end(`model ${event.node}`, event.atMs);
          break;
        }
        case 'tool-start':
          start(`tool ${event.node} ${event.callId}`, `node ${event.node}`, `execute_tool ${event.tool}`, event.atMs, {
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': event.tool,
            'gen_ai.tool.call.id': event.callId,
          });
          break;
        case 'tool-end':
          end(`tool ${event.node} ${event.callId}`, event.atMs, event.ok ? undefined : 'the tool failed');
          break;
        case 'connector-start':
          start(`connector ${event.node} ${event.connector} ${event.request}`, `node ${event.node}`, `connector ${event.connector}`, event.atMs, {
            'agentgauge.connector': event.connector,
          });
          break;
        case 'connector-end': {
          const key = `connector ${event.node} ${event.connector} ${event.request}`;
          open.get(key)?.setAttribute('agentgauge.connector.from', event.from);
          end(key, event.atMs, event.ok ? undefined : `${event.code}: ${event.message}`);
          break;
        }
        case 'run-end':
          end(RUN, event.atMs, event.status === 'failed' ? 'the run failed' : undefined);
          break;
        default: {
          const { type, atMs, ...facts } = event;
          const node = 'node' in event ? open.get(`node ${event.node}`) : undefined;
          const told = Object.entries(facts).flatMap(([name, value]) =>
            typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[name, value] as const] : [],
          );
          (node ?? open.get(RUN))?.addEvent(type, Object.fromEntries(told), at(atMs));
        }
      }
    }
  } finally {
    // Children before their parents, as they were opened last.
    for (const key of [...open.keys()].reverse()) end(key, lastMs);
  }
}

const RUN = 'run';
