// The tool `run_python`: what a program prints and comes to. Which Python runs it: python.ts.
import { outcomeText } from './code-run.ts';
import { runProgram } from './run-program.ts';
import { windowText } from './text-window.ts';
import { integerOf, stringOf, type Tool, toolSchema } from './tool.ts';

const WORDS = {
  time: 'it ran for more than 15 s. Let it do less.',
  memory: 'it needed more than 1 GB of memory. Let it keep less at a time.',
  output: 'it printed more than 100,000 bytes. Print only what you need.',
};

export const runPython: Tool = {
  schema: toolSchema(
    'run_python',
    'Runs a Python program and returns what it prints and the value of its last expression. The files of this task lie in the working directory. The first line of the result says which libraries there are besides the standard library. No network, no other files, no processes or threads.',
    {
      code: { type: 'string', description: 'The program, for example: print(sum(len(line.split(";")) for line in open("attachment-1.csv")))' },
      part: { type: 'integer', description: 'Which part of a result that is too long for one answer, from 1' },
    },
    ['code'],
  ),
  run: async (given, context) => {
    const python = await context.python();
    context.ranBy?.(python.name);
    const outcome = await runProgram(
      { reader: `run_python-1 ${python.key}`, code: stringOf(given, 'code'), readsFiles: /./, run: (request) => python.run(request) },
      context,
    );
    return windowText(`${python.describe(outcome.version)}\n${outcomeText(outcome, WORDS)}`, 'part', integerOf(given, 'part'));
  },
};
