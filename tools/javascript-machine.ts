// Runs one JavaScript program in a QuickJS of its own: no host object, no network, no file but the texts handed in; memory, stack, output and time are bounded.
// Runs in a child process (javascript-child.ts), which the broker ends should anything here not hold.
import releaseSync from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import type { Clock } from '../base/clock.ts';
import type { CodeOutcome, CodeRequest } from './code-run.ts';
import { PRELUDE } from './javascript-prelude.ts';
import { boundMemory } from './wasm-memory.ts';

export interface MachineLimits {
  readonly timeMs: number;
  readonly memoryBytes: number;
  readonly stackBytes: number;
  readonly outputCharacters: number;
}

/** Which limit ended the program; nothing that the program does undoes it. */
type Stop = NonNullable<CodeOutcome['stopped']>;

export async function runJavaScript({ code, files }: CodeRequest, limits: MachineLimits, clock: Clock): Promise<CodeOutcome> {
  const refusedMemory = boundMemory(limits.memoryBytes);
  // A WebAssembly instance of its own: no memory of another program is ever in reach.
  const quickjs = await newQuickJSWASMModuleFromVariant(releaseSync as unknown as QuickJSSyncVariant);
  const runtime = quickjs.newRuntime();
  const context = runtime.newContext();
  const output: string[] = [];
  let characters = 0;
  let stopped: Stop | undefined;
  const endMs = clock.nowMs() + limits.timeMs;
  const shouldStop = () => {
    if (stopped === undefined && clock.nowMs() > endMs) stopped = 'time';
    return stopped !== undefined;
  };
  runtime.setMaxStackSize(limits.stackBytes);
  runtime.setInterruptHandler(shouldStop);

  const print = (text: string) => {
    const left = limits.outputCharacters - characters;
    if (text.length + 1 > left) stopped ??= 'output';
    if (left > 0) output.push(text.slice(0, left));
    characters += text.length + 1;
  };
  const ended = (rest: Partial<CodeOutcome>): CodeOutcome => ({ output: output.join('\n'), ...rest });
  try {
    const { show, nextTimer } = prepare(context, print, (name) => textOf(files, name));
    const outcome = finish(runtime, context, evaluate(context, code), { show, nextTimer, shouldStop });
    if (stopped !== undefined) return ended({ stopped });
    return ended(outcome.error !== undefined && refusedMemory() ? { stopped: 'memory' } : outcome);
  } catch {
    // The sandbox itself broke: too little memory or stack for its own work.
    return ended(stopped === undefined ? { stopped: 'memory' } : { stopped });
  }
}

function textOf(files: CodeRequest['files'], name: string): string {
  const file = files.find((candidate) => candidate.name === name);
  if (file?.text !== undefined) return file.text;
  const names = files.map((candidate) => candidate.name).join(', ') || 'none';
  throw new Error(
    file ? `${name} is not a text file: read it with the tool for its kind` : `there is no file ${JSON.stringify(name)}; the files are: ${names}`,
  );
}

interface Prelude {
  readonly show: QuickJSHandle;
  readonly nextTimer: QuickJSHandle;
}

function prepare(context: QuickJSContext, print: (text: string) => void, readText: (name: string) => string): Prelude {
  const printer = context.newFunction('print', (text) => print(context.getString(text)));
  const reader = context.newFunction('readText', (name) => context.newString(readText(context.getString(name))));
  const install = context.unwrapResult(context.evalCode(`(${PRELUDE})`, 'prelude.js'));
  const installed = context.unwrapResult(context.callFunction(install, context.undefined, printer, reader));
  return { show: context.getProp(installed, 'show'), nextTimer: context.getProp(installed, 'nextTimer') };
}

type Result = ReturnType<QuickJSContext['evalCode']>;

/** As a script, whose last expression is its value; a program that awaits at its top is run as a module, which has no value. */
function evaluate(context: QuickJSContext, code: string): Result & { readonly module?: boolean } {
  const script = context.evalCode(code, 'code.js');
  if (!script.error || !/\b(await|import|export)\b/.test(code) || nameOf(context, script.error) !== 'SyntaxError') return script;
  const module = context.evalCode(code, 'code.js', { type: 'module' });
  return Object.assign(module, { module: true });
}

function nameOf(context: QuickJSContext, error: QuickJSHandle): string {
  const name = context.getProp(error, 'name');
  return context.typeof(name) === 'string' ? context.getString(name) : '';
}

interface Surroundings extends Prelude {
  readonly shouldStop: () => boolean;
}

/** Runs what the program left to do, then says how it ended. */
function finish(
  runtime: QuickJSRuntime,
  context: QuickJSContext,
  result: Result & { readonly module?: boolean },
  { show, nextTimer, shouldStop }: Surroundings,
): Partial<CodeOutcome> {
  if (result.error) return { error: errorText(context, result.error) };
  for (;;) {
    const jobs = runtime.executePendingJobs(1_000);
    if (jobs.error) return { error: errorText(context, jobs.error) };
    if (shouldStop()) return {};
    if (runtime.hasPendingJob()) continue;
    const timer = context.callFunction(nextTimer, context.undefined);
    if (timer.error) return { error: errorText(context, timer.error) };
    if (context.dump(timer.value) !== true) break;
  }
  const state = context.getPromiseState(result.value);
  if (state.type === 'rejected') return { error: errorText(context, state.error) };
  if (state.type === 'pending') return { error: 'the program still awaits something that nothing will ever settle' };
  if (result.module || context.typeof(state.value) === 'undefined') return {};
  const shown = context.callFunction(show, context.undefined, state.value);
  return shown.error ? { error: errorText(context, shown.error) } : { value: context.getString(shown.value) };
}

/** `TypeError: x is not a function (code.js:3:5)`. Also of what is no Error at all. */
function errorText(context: QuickJSContext, error: QuickJSHandle): string {
  const dumped: unknown = context.dump(error);
  if (typeof dumped !== 'object' || dumped === null || !('message' in dumped)) return `thrown: ${JSON.stringify(dumped) ?? String(dumped)}`;
  const { name = 'Error', message, stack = '' } = dumped as { name?: unknown; message: unknown; stack?: unknown };
  const place = /\(?(code\.js:\d+(?::\d+)?)\)?/.exec(String(stack))?.[1];
  return `${String(name)}: ${String(message)}${place === undefined ? '' : ` (${place})`}`;
}
