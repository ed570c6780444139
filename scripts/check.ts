// `npm run check`: everything that can be said about the code without running it. The start step has built dist/ before. One line a step; a step that fails
// prints its own words, and the others still run.
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { DEV_ENVIRONMENT, interpreterOf } from '../runners/python-environments.ts';
import { cloneRoot, runChild } from './run-child.ts';

const inModules = (file: string) => join(cloneRoot, 'node_modules', file);

interface Step {
  readonly name: string;
  /** @default this Node */
  readonly command?: string;
  readonly cwd?: string;
  readonly args: readonly string[];
}

const STEPS: readonly Step[] = [
  { name: 'types', args: [inModules('typescript/bin/tsc'), '--noEmit', '--pretty', 'false'] },
  { name: 'lint and format', args: [inModules('@biomejs/biome/bin/biome'), 'check', '--max-diagnostics=50', '--error-on-warnings', '.'] },
  { name: 'import arrows, clocks', args: [join(cloneRoot, 'dist', 'scripts', 'check-arrows.js')] },
  { name: 'dead code', args: [inModules('knip/bin/knip.js'), '--no-progress'] },
];

/** Linter, formatter and type checker of the Python files, where they are set up. */
function pythonSteps(): Step[] {
  const command = interpreterOf(DEV_ENVIRONMENT.name);
  if (command === undefined) {
    process.stdout.write(`Python files: skipped, their checkers are not set up (agentgauge setup python ${DEV_ENVIRONMENT.name})\n`);
    return [];
  }
  const python = { command, cwd: join(cloneRoot, 'adapters', 'python') };
  const files = ['--config', 'pyproject.toml', '.', '../fixtures/python'];
  return [
    { ...python, name: 'Python lint', args: ['-m', 'ruff', 'check', '--no-cache', ...files] },
    { ...python, name: 'Python format', args: ['-m', 'ruff', 'format', '--no-cache', '--check', ...files] },
    { ...python, name: 'Python types', args: ['-m', 'mypy', 'worker.py', 'agentgauge', 'rows', '../fixtures/python'] },
  ];
}

let failures = 0;
for (const step of [...STEPS, ...pythonSteps()]) {
  const startMs = systemClock.nowMs();
  const { code, out, err } = await runChild(step.command ?? process.execPath, step.args, step.cwd === undefined ? {} : { cwd: step.cwd });
  const seconds = ((systemClock.nowMs() - startMs) / 1000).toFixed(1);
  if (code !== 0) {
    failures += 1;
    process.stdout.write(`${`${out}${err}`.trimEnd()}\n`);
  }
  process.stdout.write(`${step.name}: ${code === 0 ? 'ok' : 'FAILED'} (${seconds} s)\n`);
}
process.exitCode = failures === 0 ? 0 : 1;
