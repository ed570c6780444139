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
  /** Time inside stubs since the last asking, summed over calls; the host takes the broker's own time off (method M2.2). */
  takeStubWallMs(): number;
  close(): void;
}

/** @param toolUrl `http://127.0.0.1:PORT/w/TOKEN` */
export function toolClient(toolUrl: string, clock: Clock = systemClock): ToolClient {
  const agent = new http.Agent({ keepAlive: true });
  let stubWallMs = 0;
  const call = async (name: string, args: unknown, signal: AbortSignal): Promise<string> => {
    const startMs = clock.nowMs();
    const { status, text } = await post(`${toolUrl}/tools/${encodeURIComponent(name)}`, JSON.stringify(args) ?? 'null', agent, signal);
    stubWallMs += clock.nowMs() - startMs;
    if (status >= 200 && status < 300) return text;
    throw new Error(text === '' ? `tool ${name} failed with status ${status}` : text);
  };
  return {
    stubs: (schemas, signal) => schemas.map((schema) => ({ ...schema, run: (args) => call(schema.name, args, signal) })),
    takeStubWallMs: () => {
      const taken = stubWallMs;
      stubWallMs = 0;
      return taken;
    },
    close: () => agent.destroy(),
  };
}

function post(url: string, body: string, agent: http.Agent, signal: AbortSignal): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const request = http.request(url, { method: 'POST', agent, headers, signal }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }));
    });
    request.on('error', reject);
    request.end(body);
  });
}
