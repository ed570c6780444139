// The tool `run_javascript`: what a program prints and comes to. How it is shut in: javascript-pool.ts.
import type { CodePool } from './code-pool.ts';
import { outcomeText } from './code-run.ts';
import type { MachineLimits } from './javascript-machine.ts';
import { openJavaScriptPool } from './javascript-pool.ts';
import { runProgram } from './run-program.ts';
import { windowText } from './text-window.ts';
import { integerOf, stringOf, type Tool, toolSchema } from './tool.ts';

const LIMITS: MachineLimits = { timeMs: 5_000, memoryBytes: 128_000_000, stackBytes: 256_000, outputCharacters: 100_000 };

const WORDS = {
  time: 'it ran for more than 5 s. Let it do less.',
  memory: 'it needed more than 128 MB of memory, or nested too deeply. Let it keep less at a time.',
  output: 'it printed more than 100,000 characters. Print only what you need.',
};

export const runJavaScript: Tool = {
  schema: toolSchema(
    'run_javascript',
    'Runs a JavaScript program and returns what it prints with console.log and the value of its last expression. readText(name) gives the text of a file of this task. No network, no other files, no modules; the clock stands still and random numbers are the same each time.',
    {
      code: { type: 'string', description: 'The program, for example: console.log(readText("attachment-1.csv").split("\\n").length)' },
      part: { type: 'integer', description: 'Which part of a result that is too long for one answer, from 1' },
    },
    ['code'],
  ),
  run: async (given, context) => {
    const run = async (request: Parameters<CodePool['run']>[0]) => (await sharedPool()).run(request);
    const outcome = await runProgram({ reader: 'run_javascript-1', code: stringOf(given, 'code'), readsFiles: /\breadText\b/, run }, context);
    return windowText(outcomeText(outcome, WORDS), 'part', integerOf(given, 'part'));
  },
};

let pool: Promise<CodePool> | undefined;

function sharedPool(): Promise<CodePool> {
  pool ??= openJavaScriptPool(LIMITS);
  return pool;
}
