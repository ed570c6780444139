// The function that a framework calls for a tool: posts to the broker over one kept connection and gives back its text (method M2.2).
// It checks and repairs nothing: what a framework lets through is for the broker to see.
import http from 'node:http';
import { systemClock } from '../base/clock.ts';
import type { ToolSchema } from '../base/tool-schema.ts';
import type { ToolStub } from './adapter.ts';

/** One worker's way to the broker; its connections outlive the trials. */
export interface ToolClient {
  /** @param signal a call in flight when it is aborted rejects */
  ofTrial(trialId: number, schemas: readonly ToolSchema[], signal: AbortSignal): TrialTools;
}

/** What one trial has: a call that a framework makes after its trial's end is refused at that trial's address, and its time is no other trial's. */
export interface TrialTools {
  readonly stubs: readonly ToolStub[];
  /** Time inside its stubs so far, summed over calls; the host takes the broker's own time off (method M2.2). */
  wallMs(): number;
}

/** @param toolUrl `http://127.0.0.1:PORT/w/TOKEN` */
export function toolClient(toolUrl: string): ToolClient {
  const agent = new http.Agent({ keepAlive: true });
  return {
    ofTrial: (trialId, schemas, signal) => {
      let wallMs = 0;
      const call = async (name: string, args: unknown): Promise<string> => {
        const startMs = systemClock.nowMs();
        const { status, text } = await post(`${toolUrl}/t/${trialId}/tools/${encodeURIComponent(name)}`, JSON.stringify(args) ?? 'null', agent, signal);
        wallMs += systemClock.nowMs() - startMs;
        if (status >= 200 && status < 300) return text;
        throw new Error(text === '' ? `tool ${name} failed with status ${status}` : text);
      };
      return { stubs: schemas.map((schema) => ({ ...schema, run: (args) => call(schema.name, args) })), wallMs: () => wallMs };
    },
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
