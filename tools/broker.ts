// Entry of the broker process. The host forks it and steers it with the messages of control.ts over IPC; tools are called over loopback HTTP.
// It outlives no host: when the IPC channel closes, it leaves.
import os from 'node:os';
import path from 'node:path';
import { systemClock } from '../base/clock.ts';
import { GaugeError, messageOf } from '../base/error.ts';
import { type BrokerServer, serveTools } from './broker-server.ts';
import { CallLedger } from './call-ledger.ts';
import type { BrokerReply, BrokerRequest } from './control.ts';
import { createToolbox, type Toolbox } from './toolbox.ts';
import { openTrialTools, type TrialTools } from './trial-tools.ts';

interface Broker {
  readonly ledger: CallLedger<TrialTools>;
  readonly server: BrokerServer;
  toolbox: Toolbox;
  border: 'strict' | 'lenient';
}

async function answer(broker: Broker, request: BrokerRequest): Promise<BrokerReply | undefined> {
  const { ledger } = broker;
  switch (request.type) {
    case 'configure': {
      const { taskSetDirectory, cacheDirectory, cache, pythonInterpreter, search } = request;
      const toolbox = await createToolbox({
        cacheDirectory,
        arguments: request.arguments,
        ...(taskSetDirectory === undefined ? {} : { taskSetDirectory }),
        ...(cache === undefined ? {} : { cache }),
        ...(search === undefined ? {} : { search }),
        ...(pythonInterpreter === undefined ? {} : { pythonInterpreter }),
      });
      await broker.toolbox.close();
      Object.assign(broker, { toolbox, border: request.arguments });
      broker.server.toolErrors = request.toolErrors;
      const python = taskSetDirectory === undefined ? undefined : await toolbox.python();
      return { type: 'configured', ...(python === undefined ? {} : { python }) };
    }
    case 'worker-open':
      ledger.openWorker(request.token);
      return { type: 'worker-opened', token: request.token };
    case 'worker-close':
      ledger.closeWorker(request.token);
      return { type: 'worker-closed', token: request.token };
    case 'trial-open': {
      const stray = ledger.openTrial(request.token, request.trialId, openTrialTools(request, broker.toolbox, broker.border));
      return { type: 'trial-opened', trialId: request.trialId, ...stray };
    }
    case 'trial-status':
      return { type: 'trial-status', trialId: request.trialId, intervals: ledger.intervals(request.token, request.trialId) };
    case 'trial-close':
      return { type: 'trial-closed', trialId: request.trialId, calls: await ledger.closeTrial(request.token, request.trialId) };
    case 'stop':
      process.disconnect();
      return undefined;
    default:
      request satisfies never;
      throw new GaugeError('UNKNOWN_REQUEST', `the broker knows no request ${JSON.stringify(request).slice(0, 200)}`);
  }
}

function failure(request: { readonly type?: unknown; readonly trialId?: number }, thrown: unknown): BrokerReply {
  return {
    type: 'failed',
    request: String(request.type),
    code: thrown instanceof GaugeError ? thrown.code : 'BROKER_ERROR',
    message: thrown instanceof GaugeError && thrown.remedy !== undefined ? `${thrown.message}; ${thrown.remedy}` : messageOf(thrown),
    ...(request.trialId === undefined ? {} : { trialId: request.trialId }),
  };
}

function tell(reply: BrokerReply, then: () => void = () => {}): void {
  // The host may be gone already; `disconnect` then ends this process.
  if (process.connected) process.send?.(reply, undefined, {}, then);
}

async function main(): Promise<void> {
  // An interrupt reaches the whole process group; the host decides when its children stop.
  process.on('SIGINT', () => {});
  process.on('disconnect', () => process.exit(0));
  const ledger = new CallLedger<TrialTools>(systemClock);
  let server: BrokerServer;
  try {
    server = await serveTools(ledger);
  } catch (cause) {
    const message = `the tool broker cannot listen on 127.0.0.1: ${messageOf(cause)}`;
    tell({ type: 'failed', request: 'start', code: 'BROKER_BIND_FAILED', message }, () => process.disconnect());
    return;
  }
  // Until it is configured the broker has scripted tools and those that need no task set.
  const toolbox = await createToolbox({ cacheDirectory: path.join(os.tmpdir(), 'agentgauge-unconfigured') });
  const broker: Broker = { ledger, server, toolbox, border: 'strict' };
  process.on('message', (request: BrokerRequest) => {
    answer(broker, request).then(
      (reply) => reply && tell(reply),
      (thrown) => tell(failure(request, thrown)),
    );
  });
  tell({ type: 'ready', port: server.port });
}

if (process.send === undefined) {
  process.stderr.write('The tool broker is started by the host, over IPC.\n');
  process.exit(2);
}
await main();
