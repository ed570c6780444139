// Entry of the gateway process: turns control messages of the host into calls on ModelGateway and answers each. Leaves when the host does.
import { systemClock } from '../base/clock.ts';
import { GaugeError, messageOf } from '../base/error.ts';
import type { ModelTraffic } from '../base/traffic.ts';
import { loadPlans } from '../tasks/task-set-files.ts';
import { recordingSource, replayingSource } from './cassette.ts';
import type { BackEnd, GatewayReply, GatewayRequest } from './control.ts';
import { loadTokenCounter, type TokenCounter } from './count-tokens.ts';
import { loadHeldOutFaults } from './held-out.ts';
import { localSource } from './local.ts';
import { type GatewaySettings, ModelGateway } from './model-gateway.ts';
import { Orphans } from './orphans.ts';
import { profileWith } from './rates.ts';
import type { ReplySource } from './reply-source.ts';
import { scriptedSource } from './scripted.ts';
import { createSimulatedModel } from './simulated.ts';
import { upstreamSource } from './upstream.ts';

const gateway = new ModelGateway({ clock: systemClock, onCapReached: (trialId) => tell({ type: 'cap-reached', trialId }) });

process.on('message', (request: GatewayRequest) => {
  perform(request).catch((thrown: unknown) => fail(request.type, thrown, 'trialId' in request ? request.trialId : undefined));
});
const orphans = new Orphans();
process.on('disconnect', () => {
  orphans.end();
  process.exit(0);
});
// Ctrl-C reaches the whole group; the host decides when to stop, and needs the traffic of the trials that it is closing.
process.on('SIGINT', () => {});

// The host may start its workers on this address while the tokenizer loads.
const loaded = gateway.listen().then(
  (port) => {
    tell({ type: 'ready', port });
    return loadTokenCounter();
  },
  (thrown: unknown) => {
    fail('start', thrown);
    throw thrown;
  },
);

// A gateway that cannot listen has said so; `configure` fails with the same reason.
loaded.catch(() => undefined);

async function perform(request: GatewayRequest): Promise<void> {
  switch (request.type) {
    case 'configure':
      gateway.configure(await settingsOf(request));
      return tell({ type: 'configured' });
    case 'worker-open':
      gateway.openWorker(request.token);
      return tell({ type: 'worker-opened', token: request.token });
    case 'worker-close':
      gateway.closeWorker(request.token);
      orphans.remove(request.token);
      return tell({ type: 'worker-closed', token: request.token });
    case 'worker-process':
      return orphans.add(request.token, request.pid, request.folder);
    case 'trial-open': {
      const { type: _, token, ...limits } = request;
      return tell({ type: 'trial-opened', trialId: request.trialId, ...gateway.openTrial(token, limits) });
    }
    case 'trial-status':
      return tell({ type: 'trial-status', trialId: request.trialId, intervals: gateway.intervals(request.token, request.trialId) });
    case 'trial-close':
      return tell(closed(request, await gateway.closeTrial(request.token, request.trialId)));
    case 'stop':
      await gateway.close();
      process.disconnect?.();
      return undefined;
    default:
      return request satisfies never;
  }
}

function closed({ trialId, spelled }: Extract<GatewayRequest, { type: 'trial-close' }>, traffic: ModelTraffic): GatewayReply {
  if (spelled !== true) return { type: 'trial-closed', trialId, traffic };
  const calls = traffic.calls.map(({ requestBody: _, replyBody: __, ...call }) => call);
  return {
    type: 'trial-closed',
    trialId,
    traffic: { ...traffic, calls, wire: {} },
    spelled: { calls: JSON.stringify(traffic.calls), wire: JSON.stringify(traffic.wire) },
  };
}

async function settingsOf({
  backEnd,
  replacements,
  record,
  recordRedacted,
  latency,
}: Extract<GatewayRequest, { type: 'configure' }>): Promise<GatewaySettings> {
  const tokens = await loaded;
  const source = await sourceOf(backEnd, tokens);
  const whole = recordRedacted === undefined ? source : recordingSource(source, recordRedacted.wholeFile);
  return {
    source: record === undefined ? source : recordingSource(whole, record, recordRedacted?.salt),
    tokens,
    replacements,
    ...(latency ? { latency } : {}),
  };
}

async function sourceOf(backEnd: BackEnd, tokens: TokenCounter): Promise<ReplySource> {
  switch (backEnd.kind) {
    case 'scripted':
      return scriptedSource();
    case 'simulated':
      return createSimulatedModel({
        plans: loadPlans(backEnd.taskSetDirectory),
        profile: profileWith(backEnd.profile, backEnd.rates ?? {}, backEnd.heldOut === undefined ? [] : await loadHeldOutFaults(backEnd.heldOut)),
        enforce: backEnd.enforce,
        policy: backEnd.policy ?? 'careful',
        tokens,
      });
    // A miss ends the study: what follows would not be the recorded run.
    case 'replay':
      return replayingSource(backEnd.file, (message) => fail('replay', new GaugeError('REPLAY_MISS', message)));
    case 'local':
      return localSource(backEnd);
    case 'upstream':
      return upstreamSource(backEnd.baseUrl, process.env[backEnd.keyVariable]);
    default:
      return backEnd satisfies never;
  }
}

function fail(request: string, thrown: unknown, trialId?: number): void {
  const code = thrown instanceof GaugeError ? thrown.code : 'GATEWAY_FAILED';
  tell({ type: 'failed', request, code, message: messageOf(thrown), ...(trialId === undefined ? {} : { trialId }) });
}

function tell(reply: GatewayReply): void {
  if (process.connected) process.send?.(reply);
}
