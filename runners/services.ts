// Gateway and broker, started together and stopped together. Their processes outlive every worker; a token stands for a worker, what is open for it is its trial.
import { randomBytes } from 'node:crypto';
import type { BackEnd, GatewayReply, GatewayRequest, LatencyChoice, Replacement } from '../models/control.ts';
import type { SearchDials } from '../tasks/search-index.ts';
import type { BrokerReply, BrokerRequest } from '../tools/control.ts';
import { searchEnvironment } from '../tools/search-providers.ts';
import { visionEnvironment } from '../tools/vision-model.ts';
import { childEntry } from './child-entry.ts';
import { interpreterOf, SANDBOX_ENVIRONMENT } from './python-environments.ts';
import { ServiceProcess } from './service-process.ts';

export interface ServicesOptions {
  readonly backEnd: BackEnd;
  /** Cassette to which every exchange is appended. */
  readonly record?: string;
  /** Over protected questions: that cassette holds hashes with this salt, and the words lie whole in a file of their own. */
  readonly recordRedacted?: { readonly salt: string; readonly wholeFile: string };
  /** @default zero */
  readonly latency?: LatencyChoice;
  readonly replacements: readonly Replacement[];
  readonly taskSetDirectory?: string;
  readonly cacheDirectory: string;
  readonly broker: 'strict' | 'lenient';
  readonly toolErrors: 'throw' | 'text';
  /** @default all pages, no noise */
  readonly search?: SearchDials;
  /** @default on */
  readonly toolCache?: 'on' | 'off';
  /** Environment of the gateway beyond PATH: for an upstream, the variable that holds its key. */
  readonly gatewayEnv?: Readonly<Record<string, string>>;
  readonly onCapReached?: (trialId: number) => void;
  /** Told once when gateway or broker can serve no more. */
  readonly onDown?: (error: Error) => void;
}

export interface Services {
  readonly gateway: ServiceProcess<GatewayRequest, GatewayReply>;
  readonly broker: ServiceProcess<BrokerRequest, BrokerReply>;
  /**
   * Resolves when trials can be opened; workers may start before. `python`: which one runs programs of `run_python`; absent when none does.
   * Rejects with the GaugeError of the service that cannot serve.
   */
  readonly configured: Promise<{ readonly python?: string }>;
  /** Says where a new worker finds both. They are told before any trial of its can be opened. */
  openWorker(): Promise<WorkerAddress>;
  closeWorker(token: string): Promise<void>;
  stop(): Promise<void>;
}

export interface WorkerAddress {
  readonly token: string;
  /** `http://127.0.0.1:PORT/w/TOKEN/v1` */
  readonly modelUrl: string;
  /** `http://127.0.0.1:PORT/w/TOKEN` */
  readonly toolUrl: string;
  /** Tells which process the worker is, so that it does not outlive a host that is killed. */
  readonly hasProcess: (pid: number, folder: string) => void;
}

/** Both begin to start; the caller stops them, also when `configured` rejects. */
export function startServices(options: ServicesOptions): Services {
  const env = { PATH: process.env['PATH'] ?? '', TZ: 'UTC', LANG: 'C.UTF-8' };
  const gateway = new ServiceProcess<GatewayRequest, GatewayReply>({
    name: 'model gateway',
    entry: childEntry('models/gateway'),
    ...(options.onDown === undefined ? {} : { onEnd: options.onDown }),
    env: { ...env, ...options.gatewayEnv },
    onNotice: (message) => {
      if (message.type === 'cap-reached' && message.trialId !== undefined) options.onCapReached?.(message.trialId);
    },
  });
  const broker = new ServiceProcess<BrokerRequest, BrokerReply>({
    name: 'tool broker',
    entry: childEntry('tools/broker'),
    ...(options.onDown === undefined ? {} : { onEnd: options.onDown }),
    // The simulated model reads the words of OCR, and would see nothing in a description.
    env: { ...env, ...searchEnvironment(process.env), ...(options.backEnd.kind === 'simulated' ? {} : visionEnvironment(process.env)) },
  });
  const python = interpreterOf(SANDBOX_ENVIRONMENT.name);
  const ports = Promise.all([gateway.expect('ready'), broker.expect('ready')]);
  const configured = Promise.all([
    gateway.ask(
      {
        type: 'configure',
        backEnd: options.backEnd,
        replacements: options.replacements,
        ...(options.record === undefined ? {} : { record: options.record }),
        ...(options.recordRedacted === undefined ? {} : { recordRedacted: options.recordRedacted }),
        ...(options.latency === undefined ? {} : { latency: options.latency }),
      },
      'configured',
    ),
    broker.ask(
      {
        type: 'configure',
        ...(options.taskSetDirectory === undefined ? {} : { taskSetDirectory: options.taskSetDirectory }),
        arguments: options.broker,
        toolErrors: options.toolErrors,
        ...(options.search === undefined ? {} : { search: options.search }),
        cacheDirectory: options.cacheDirectory,
        ...(options.toolCache === undefined ? {} : { cache: options.toolCache }),
        ...(python === undefined ? {} : { pythonInterpreter: python }),
      },
      'configured',
    ),
  ]).then(([, { python: programs }]) => (programs === undefined ? {} : { python: programs }));
  // Who was to wait for these may have left already, for a reason of its own.
  for (const started of [ports, configured]) started.catch(() => undefined);
  return {
    gateway,
    broker,
    configured,
    openWorker: async () => {
      const [gatewayReady, brokerReady] = await ports;
      const token = randomBytes(16).toString('hex');
      // Told without waiting: a broker that reads a task set answers late, and the process can start meanwhile.
      gateway.tell({ type: 'worker-open', token });
      broker.tell({ type: 'worker-open', token });
      return {
        token,
        modelUrl: `http://127.0.0.1:${gatewayReady.port}/w/${token}/v1`,
        toolUrl: `http://127.0.0.1:${brokerReady.port}/w/${token}`,
        hasProcess: (pid, folder) => gateway.tell({ type: 'worker-process', token, pid, folder }),
      };
    },
    closeWorker: async (token) => {
      await Promise.all([gateway.ask({ type: 'worker-close', token }, 'worker-closed'), broker.ask({ type: 'worker-close', token }, 'worker-closed')]);
    },
    stop: async () => {
      await Promise.all([gateway.stop(), broker.stop()]);
    },
  };
}
