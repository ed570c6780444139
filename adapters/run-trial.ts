// One trial inside the worker: reset the peak, prepare, run, measure. Only `run` stands between the two clock readings.

import { systemClock } from '../base/clock.ts';
import type { Prepared, Shape, Terms } from './adapter.ts';
import { readPeakMemory, resetPeakMemory } from './peak-memory.ts';
import type { StartMessage, TrialEndMessage, TrialStartMessage } from './protocol.ts';
import type { ToolClient, TrialTools } from './tool-stubs.ts';

export interface TrialCall {
  readonly shape: Shape;
  readonly start: StartMessage;
  readonly tools: ToolClient;
  readonly message: TrialStartMessage;
  readonly controller: AbortController;
}

/** Never rejects: what an adapter throws is the trial's error. Resolves after `close`, so that no trial overlaps the next; its times are the run's own. */
export async function runTrial(call: TrialCall): Promise<TrialEndMessage> {
  const { message, controller } = call;
  resetPeakMemory();
  const setupStartMs = systemClock.nowMs();
  const tools = call.tools.ofTrial(message.trialId, message.tools, controller.signal);
  let prepared: Prepared;
  try {
    prepared = await call.shape(termsOf(call, tools));
  } catch (error) {
    const setupMs = systemClock.nowMs() - setupStartMs;
    return { type: 'trial-end', trialId: message.trialId, setupMs, error: errorOf(error, 'prepare') };
  }
  const setupMs = systemClock.nowMs() - setupStartMs;

  let outcome: Pick<TrialEndMessage, 'output' | 'error'>;
  const cpuBefore = process.cpuUsage();
  const startMs = systemClock.nowMs();
  let endMs: number;
  try {
    // Cancelled while it was set up: not every framework looks at a signal that was aborted before it listened.
    controller.signal.throwIfAborted();
    const output: unknown = await prepared.run(controller.signal);
    endMs = systemClock.nowMs();
    // The type asks for a string and nothing else would survive the border; anything else is the adapter's defect and stays visible as one.
    outcome = typeof output === 'string' ? { output } : { error: notText(output) };
  } catch (error) {
    endMs = systemClock.nowMs();
    outcome = { error: errorOf(error, 'run') };
  }
  const cpu = process.cpuUsage(cpuBefore);
  const tierBytes = prepared.tierBytes?.();
  const end: TrialEndMessage = {
    type: 'trial-end',
    trialId: message.trialId,
    ...outcome,
    startMs,
    endMs,
    setupMs,
    cpuMs: (cpu.user + cpu.system) / 1000,
    stubWallMs: tools.wallMs(),
    ...readPeakMemory(),
    ...(tierBytes === undefined ? {} : { tierBytes }),
  };
  await closeQuietly(prepared);
  return end;
}

function termsOf({ start, message }: TrialCall, { stubs }: TrialTools): Terms {
  return {
    settings: start.settings,
    ...(start.configuration === undefined ? {} : { configuration: start.configuration }),
    systemText: message.systemText,
    userText: message.userText,
    tools: stubs,
    model: { baseUrl: start.modelUrl, apiKey: keyOf(message.trialId), ...message.model },
    agentCap: message.agentCap,
    ...(message.capLiteral === undefined ? {} : { capLiteral: message.capLiteral }),
  };
}

/**
 * What a framework sends after the trial's end bears that trial's key, and is not taken for the next trial's. The address stays the same, as in anybody's
 * program: langchain-openai keeps one HTTP client for each address, for good.
 */
function keyOf(trialId: number): string {
  return `key-of-trial-${trialId}`;
}

async function closeQuietly(prepared: Prepared): Promise<void> {
  try {
    await prepared.close();
  } catch (error) {
    // The trial has its outcome already; what closing has to say is the framework's noise.
    process.stderr.write(`worker: close failed: ${String(error)}\n`);
  }
}

function notText(output: unknown): NonNullable<TrialEndMessage['error']> {
  return { name: 'TypeError', message: `run gave ${output === null ? 'null' : typeof output} instead of text`, phase: 'run', code: 'OUTPUT_NOT_TEXT' };
}

function errorOf(thrown: unknown, phase: 'prepare' | 'run'): NonNullable<TrialEndMessage['error']> {
  if (!(thrown instanceof Error)) return { name: typeof thrown, message: String(thrown), phase };
  const code = codeOf(thrown);
  return { name: thrown.name, message: withCauses(thrown), phase, ...(code === undefined ? {} : { code }) };
}

/** `code` as Node and most clients set it; LangChain has one of its own. */
function codeOf(error: Error): string | undefined {
  const { code, lc_error_code } = error as { code?: unknown; lc_error_code?: unknown };
  return [code, lc_error_code].find((one): one is string => typeof one === 'string');
}

/** A framework's wrapper often hides the reason in `cause`; the message carries it over the border, at most four deep. */
function withCauses(error: Error): string {
  const messages = [error.message];
  let { cause } = error;
  for (let depth = 0; depth < 4 && cause instanceof Error; depth++) {
    if (!messages.some((message) => message.includes((cause as Error).message))) messages.push(cause.message);
    cause = cause.cause;
  }
  return messages.join('; cause: ');
}
