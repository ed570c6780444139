// `npm run check`: everything that can be said about the code without running it. The start step has built dist/ before. One line a step; a step that fails
// prints its own words, and the others still run.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../base/clock.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const inModules = (file: string) => join(root, 'node_modules', file);

interface Step {
  readonly name: string;
  readonly args: readonly string[];
}

const STEPS: readonly Step[] = [
  { name: 'types', args: [inModules('typescript/bin/tsc'), '--noEmit', '--pretty', 'false'] },
  { name: 'lint and format', args: [inModules('@biomejs/biome/bin/biome'), 'check', '--max-diagnostics=50', '--error-on-warnings', '.'] },
  { name: 'import arrows, clocks', args: [join(root, 'dist', 'scripts', 'check-arrows.js')] },
  { name: 'dead code', args: [inModules('knip/bin/knip.js'), '--no-progress'] },
];

interface Outcome {
  readonly code: number;
  readonly text: string;
}

function runStep(step: Step): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...step.args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    const keep = (chunk: Buffer): void => {
      text += chunk.toString();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, text }));
  });
}

let failures = 0;
for (const step of STEPS) {
  const startMs = systemClock.nowMs();
  const { code, text } = await runStep(step);
  const seconds = ((systemClock.nowMs() - startMs) / 1000).toFixed(1);
  if (code !== 0) {
    failures += 1;
    process.stdout.write(`${text.trimEnd()}\n`);
  }
  process.stdout.write(`${step.name}: ${code === 0 ? 'ok' : 'FAILED'} (${seconds} s)\n`);
}
process.exitCode = failures === 0 ? 0 : 1;
