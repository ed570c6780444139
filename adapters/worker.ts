// The child process of one row: loads one adapter and runs its trials, one at a time, as the host says over file descriptor 3.
// Standard output belongs to the framework; so do the runtime's defaults: an unhandled rejection ends this process, and that is its code (method M5.3).
import { rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { basename } from 'node:path';
import { systemClock } from '../base/clock.ts';
import type { Shape } from './adapter.ts';
import { loadAdapter } from './load-adapter.ts';
import { decodeHostMessage, describeProblem, encodeMessage, type FrameProblem, frameReader } from './messages.ts';
import { type HostMessage, PROTOCOL_VERSION, type StartMessage, type TrialEndMessage, type TrialStartMessage, type WorkerMessage } from './protocol.ts';
import { runTrial } from './run-trial.ts';
import { type ToolClient, toolClient } from './tool-stubs.ts';

/** Exit code when host and worker do not understand each other (sysexits.h, EX_PROTOCOL). */
const EXIT_PROTOCOL = 76;

const channel = new Socket({ fd: 3, readable: true, writable: true });
let loaded: { readonly shape: Shape; readonly start: StartMessage; readonly tools: ToolClient } | undefined;
let running: { readonly trialId: number; readonly controller: AbortController } | undefined;

channel.on('data', frameReader(receive, refuse));
// Watches without changing anything: the runtime prints no word that tells a rejection nobody handled from an error nobody caught.
process.on('uncaughtExceptionMonitor', (_, origin) => process.stderr.write(`Uncaught by ${origin}\n`));
channel.on('end', leave);
channel.on('error', leave);

/** A lost channel: nobody is left to work for, nor to remove the folder that was made for this process (worker-process.ts). */
function leave(): never {
  const folder = process.cwd();
  if (folder === process.env.HOME && basename(folder).startsWith('agentgauge-worker-')) rmSync(folder, { recursive: true, force: true });
  process.exit();
}

function send(message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => channel.write(encodeMessage(message), () => resolve()));
}

function receive(line: string): void {
  const decoded = decodeHostMessage(line);
  if (decoded.kind === 'message') void obey(decoded.message);
  else if (decoded.kind === 'problem') refuse(decoded.problem);
}

function refuse(problem: FrameProblem): void {
  const message = describeProblem(problem);
  if (problem.type === 'trial-start' && problem.trialId !== undefined) {
    void send(notRun(problem.trialId, 'BAD_MESSAGE', message));
    return;
  }
  process.stderr.write(`worker: ${message}\n`);
  process.exit(EXIT_PROTOCOL);
}

async function obey(message: HostMessage): Promise<void> {
  switch (message.type) {
    case 'start':
      return start(message);
    case 'trial-start':
      return trial(message);
    case 'trial-cancel':
      if (running?.trialId === message.trialId) running.controller.abort();
      return;
    case 'clock-probe':
      return send({ type: 'clock-reading', probe: message.probe, atMs: systemClock.nowMs() });
    case 'stop':
      await send({ type: 'worker-stopped' });
      process.exit(0);
  }
}

async function start(message: StartMessage): Promise<void> {
  if (message.protocolVersion !== PROTOCOL_VERSION) {
    refuse({ field: 'protocolVersion', expected: String(PROTOCOL_VERSION), found: String(message.protocolVersion), type: 'start' });
    return;
  }
  const adapter = await loadAdapter(message);
  if ('type' in adapter) return send(adapter);
  loaded = { shape: adapter.shape, start: message, tools: toolClient(message.toolUrl) };
  return send({
    type: 'worker-ready',
    protocolVersion: PROTOCOL_VERSION,
    versions: adapter.versions,
    runtime: `node ${process.version}`,
    importMs: adapter.importMs,
    rssAfterImportBytes: process.memoryUsage.rss(),
  });
}

async function trial(message: TrialStartMessage): Promise<void> {
  if (loaded === undefined) return send(notRun(message.trialId, 'NOT_STARTED', 'trial-start came before a successful start'));
  if (running !== undefined) return send(notRun(message.trialId, 'TRIAL_RUNNING', `trial ${running.trialId} is still running`));
  const controller = new AbortController();
  running = { trialId: message.trialId, controller };
  const end = await runTrial({ ...loaded, message, controller });
  await flush(process.stdout);
  running = undefined;
  return send(end);
}

function notRun(trialId: number, code: string, message: string): TrialEndMessage {
  return { type: 'trial-end', trialId, setupMs: 0, error: { name: 'ProtocolError', message, phase: 'prepare', code } };
}

function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}
