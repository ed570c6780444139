// The broker's HTTP side: `POST /w/TOKEN/t/TRIAL/tools/NAME` runs a tool, `GET /w/TOKEN/t/TRIAL/tools` lists those of that trial, if it is the one that
// is open; without `t/TRIAL`, of whichever is. Raw node:http, since every microsecond here is part of each row's tool time. Statuses: method M2.2.
// Steering is not done here but over IPC (broker.ts).
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endResponse } from '../base/last-byte.ts';
import { givesOrders } from '../tasks/gaia/web/relay.ts';
import type { CallLedger } from './call-ledger.ts';
import type { ToolResult } from './toolbox.ts';
import type { TrialTools } from './trial-tools.ts';

/** More than any tool call needs; a body beyond it is refused unread. */
const MAX_BODY_BYTES = 1_000_000;

export interface BrokerServer {
  readonly port: number;
  /** `text`: refused arguments and dead back ends are sent as 200 (method M2.3). The ledger keeps the true status. */
  toolErrors: 'throw' | 'text';
  close(): Promise<void>;
}

export async function serveTools(ledger: CallLedger<TrialTools>): Promise<BrokerServer> {
  const settings: { toolErrors: 'throw' | 'text' } = { toolErrors: 'throw' };
  const server = createServer((request, response) => answer(ledger, settings, request, response));
  // A worker keeps its connection for its whole life, however long the model takes between two calls.
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  await listen(server);
  return {
    port: (server.address() as AddressInfo).port,
    get toolErrors() {
      return settings.toolErrors;
    },
    set toolErrors(value) {
      settings.toolErrors = value;
    },
    close: async () => {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function answer(ledger: CallLedger<TrialTools>, settings: { readonly toolErrors: 'throw' | 'text' }, request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? '').split('?', 1)[0]?.split('/') ?? [];
  const addressed = path[3] === 't' ? path.splice(3, 2)[1] : undefined;
  const [, prefix, token = '', tools, encodedName, ...rest] = path;
  if (prefix !== 'w' || tools !== 'tools' || rest.length > 0)
    return refuse(request, response, 404, 'The tools are at /w/TOKEN/t/TRIAL/tools and /w/TOKEN/t/TRIAL/tools/NAME.');
  if (!ledger.knows(token)) return refuse(request, response, 401, 'This token belongs to no worker.');
  const trial = ledger.trialOf(token, addressed);
  if (encodedName === undefined) {
    if (request.method !== 'GET') return refuse(request, response, 405, 'Use GET to list tools.');
    if (!trial) return refuse(request, response, 409, NO_TRIAL);
    return send(response, 200, JSON.stringify(trial.setting.schemas), 'application/json; charset=utf-8');
  }
  if (request.method !== 'POST') return refuse(request, response, 405, 'Use POST to call a tool.');
  const name = decodeName(encodedName);
  const call = ledger.begin(token, name, addressed);
  const finish = (result: ToolResult) => {
    const body = Buffer.from(result.text);
    const status = settings.toolErrors === 'text' && (result.status === 422 || result.status >= 500) ? 200 : result.status;
    const keep = trial?.setting.keepResults ? { result: result.text } : {};
    const { status: trueStatus, text: _text, ...facts } = result;
    sendHead(response, status, body);
    endResponse(response, body, ledger.clock, (_, endMs) => {
      const orders = givesOrders(result.text) ? { orders: true as const } : {};
      call.finish({ status: trueStatus, resultBytes: body.length, ...keep, ...facts, ...orders, endMs });
    });
  };
  readBody(request, (body) => {
    if (body === 'cut') return finish({ status: 400, text: `${name}: the request was cut` });
    if (body === 'too-large') return finish({ status: 413, text: `${name}: the arguments are larger than ${MAX_BODY_BYTES} bytes` });
    const received = parseArguments(body.toString());
    call.received(received);
    if (!trial) return finish({ status: 409, text: NO_TRIAL });
    trial.setting.run(name, received).then(finish);
  });
}

const NO_TRIAL = 'No trial is open at this address: the call came after its end.';

function sendHead(response: ServerResponse, status: number, body: string | Buffer, contentType = 'text/plain; charset=utf-8'): void {
  if (!response.destroyed) response.writeHead(status, ['Content-Type', contentType, 'Content-Length', String(Buffer.byteLength(body))]);
}

function send(response: ServerResponse, status: number, body: string, contentType?: string): void {
  sendHead(response, status, body, contentType);
  if (!response.destroyed) response.end(body);
}

/** For requests that are no call: nothing is recorded, and the body is let go so that the connection stays usable. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number, text: string): void {
  request.resume();
  send(response, status, text);
}

function readBody(request: IncomingMessage, done: (body: Buffer | 'too-large' | 'cut') => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  });
  request.on('close', () => {
    if (!request.complete) done('cut');
  });
  request.on('end', () => done(size > MAX_BODY_BYTES ? 'too-large' : Buffer.concat(chunks)));
}

/** JSON where it is JSON of a depth that can be recorded; else the text itself, which no tool accepts as arguments. */
function parseArguments(text: string): unknown {
  try {
    const received: unknown = text === '' ? {} : JSON.parse(text);
    return isShallow(received) ? received : text;
  } catch {
    return text;
  }
}

const MAX_DEPTH = 100;

function isShallow(received: unknown): boolean {
  let level: unknown[] = [received];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const inner: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'object' && value !== null)
        for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) inner.push(member);
    }
    if (inner.length === 0) return true;
    level = inner;
  }
  return false;
}

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
