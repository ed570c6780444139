// A gateway process for benchmarks: started with one back end, asked over HTTP as a worker asks. Opens and closes trials as the host does.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { ModelScript } from '../base/script.ts';
import type { ModelTraffic } from '../base/traffic.ts';
import type { BackEnd, GatewayReply, GatewayRequest } from '../models/control.ts';
import { childEntry } from '../runners/child-entry.ts';
import { ServiceProcess } from '../runners/service-process.ts';

const CAP = 1_000_000;

export class BenchGateway {
  readonly #process: ServiceProcess<GatewayRequest, GatewayReply>;
  readonly #port: number;
  #trials = 0;

  private constructor(process: ServiceProcess<GatewayRequest, GatewayReply>, port: number) {
    this.#process = process;
    this.#port = port;
  }

  static async start(backEnd: BackEnd): Promise<BenchGateway> {
    const env = { PATH: process.env['PATH'] ?? '', TZ: 'UTC', LANG: 'C.UTF-8' };
    const child = new ServiceProcess<GatewayRequest, GatewayReply>({ name: 'model gateway', entry: childEntry('models/gateway'), env });
    const { port } = await child.expect('ready');
    await child.ask({ type: 'configure', backEnd, replacements: [] }, 'configured');
    return new BenchGateway(child, port);
  }

  /** Runs `work` inside one trial of a new worker. @returns what the gateway saw of it */
  async trial(work: (url: string) => Promise<void>, script?: ModelScript): Promise<ModelTraffic> {
    const trialId = ++this.#trials;
    const token = `bench-${trialId}`;
    await this.#process.ask({ type: 'worker-open', token }, 'worker-opened');
    const terms = { seed: 1, trialIndex: 0, instruction: '', cap: CAP, keepBodies: false, ...(script === undefined ? {} : { script }) };
    await this.#process.ask({ type: 'trial-open', token, trialId, ...terms }, 'trial-opened');
    await work(`http://127.0.0.1:${this.#port}/w/${token}/v1/chat/completions`);
    const { traffic } = await this.#process.ask({ type: 'trial-close', token, trialId }, 'trial-closed');
    await this.#process.ask({ type: 'worker-close', token }, 'worker-closed');
    return traffic;
  }

  /** Resident memory of the process; absent without procfs. */
  residentBytes(): number | undefined {
    try {
      const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.#process.pid}/status`, 'utf8'))?.[1];
      return kib === undefined ? undefined : Number(kib) * 1024;
    } catch {
      // No procfs here: unknown, so absent.
      return undefined;
    }
  }

  async stop(): Promise<void> {
    await this.#process.stop();
  }
}

/** One POST over a kept connection. @throws Error when the status is not 200 */
export function post(url: string, body: string, agent: http.Agent, onFirstByte: () => void = () => {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.once('data', onFirstByte);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`HTTP ${response.statusCode}: ${text.slice(0, 200)}`));
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
