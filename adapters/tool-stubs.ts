// The function that a framework calls for a tool: posts to the broker over one kept connection and gives back its text (method M2.2).
// It checks and repairs nothing: what a framework lets through is for the broker to see.
import http from 'node:http';
import { type Clock, systemClock } from '../base/clock.ts';
import type { ToolSchema } from '../base/tool-schema.ts';
import type { ToolStub } from './adapter.ts';

/** One worker's way to the broker; its connections outlive the trials. */
export interface ToolClient {
  /** The stubs of one trial; a call in flight when `signal` is aborted rejects. */
  stubs(schemas: readonly ToolSchema[], signal: AbortSignal): readonly ToolStub[];
  /** Time inside stubs since the last asking, beyond what the broker says of itself; undefined when it did not say. */
  takeStubMs(): number | undefined;
  close(): void;
}

/** @param toolUrl `http://127.0.0.1:PORT/w/TOKEN` */
export function toolClient(toolUrl: string, clock: Clock = systemClock): ToolClient {
  const agent = new http.Agent({ keepAlive: true });
  let stubMs: number | undefined = 0;
  const call = async (name: string, args: unknown, signal: AbortSignal): Promise<string> => {
    const startMs = clock.nowMs();
    const { status, text, brokerMs } = await post(`${toolUrl}/tools/${encodeURIComponent(name)}`, JSON.stringify(args) ?? 'null', agent, signal);
    if (brokerMs === undefined) stubMs = undefined;
    else if (stubMs !== undefined) stubMs += clock.nowMs() - startMs - brokerMs;
    if (status >= 200 && status < 300) return text;
    throw new Error(text === '' ? `tool ${name} failed with status ${status}` : text);
  };
  return {
    stubs: (schemas, signal) => schemas.map((schema) => ({ ...schema, run: (args) => call(schema.name, args, signal) })),
    takeStubMs: () => {
      const taken = stubMs;
      stubMs = 0;
      return taken;
    },
    close: () => agent.destroy(),
  };
}

interface Posted {
  readonly status: number;
  readonly text: string;
  /** The broker's own time, from `server-timing: broker;dur=MS`. */
  readonly brokerMs?: number;
}

function post(url: string, body: string, agent: http.Agent, signal: AbortSignal): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const request = http.request(url, { method: 'POST', agent, headers, signal }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const own = /broker;dur=([\d.]+)/.exec(String(response.headers['server-timing'] ?? ''))?.[1];
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, text, ...(own === undefined ? {} : { brokerMs: Number(own) }) });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
