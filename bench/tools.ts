// The bench `tools`: each tool of the broker in processes of its own, on the files and pages of a fresh set, of which no reading is recorded.
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheDirectory } from '../runners/cache-directory.ts';
import { ensureTaskSet, loadTasks } from '../tasks/index.ts';
import type { Attachment } from '../tasks/task.ts';
import { TOOLS } from '../tools/registry.ts';
import { askOnce } from './measuring-child.ts';
import { medianOf } from './median.ts';
import type { ToolCalls, ToolCost } from './tools-child.ts';

interface ToolFigure {
  readonly tool: string;
  readonly openMs: number;
  readonly coldMs: number;
  /** Absent where the set has one such file only. */
  readonly warmMs?: number;
  readonly warmCalls: number;
  readonly againMs: number;
  readonly heldMb: number;
  readonly says: string;
}

interface ToolAbsent {
  readonly tool: string;
  readonly why: string;
}

const SEED = 2;
const MOST_CALLS = 6;
const DEADLINE_MS = 120_000;

/** Which files of the set a tool is called on. */
const FILES: Readonly<Record<string, RegExp>> = {
  read_pdf: /\.pdf$/,
  read_spreadsheet: /\.(?:xlsx|xls|ods)$/,
  read_document: /\.(?:docx|pptx|odt)$/,
  read_text: /\.(?:csv|json|txt|xml|py)$/,
  list_archive: /\.zip$/,
  describe_image: /\.(?:png|jpe?g)$/,
  transcribe_audio: /\.wav$/,
};

const NUMBERS = Array.from({ length: MOST_CALLS }, (_, i) => i + 1);

export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { quick: { type: 'boolean', default: false }, format: { type: 'string', default: 'text' } } });
  const rounds = values.quick ? 1 : 3;
  const [loadBefore = 0] = loadavg();
  process.stderr.write(`building open68 of seed ${SEED}, once …\n`);
  const setDirectory = await ensureTaskSet({ name: 'open68', seed: SEED, cacheDirectory: cacheDirectory() });
  const figures: ToolFigure[] = [];
  const absent: ToolAbsent[] = [];
  let failed = false;
  for (const { schema } of TOOLS) {
    const given = callsOf(schema.name, setDirectory);
    if (given.calls.length === 0) {
      absent.push({ tool: schema.name, why: 'the set has no such file' });
      continue;
    }
    process.stderr.write(`${schema.name} …\n`);
    const costs: ToolCost[] = [];
    for (let round = 0; round < rounds; round++) {
      const outcome = await askOnce<ToolCost>('bench/tools-child', [JSON.stringify(given)], { deadlineMs: DEADLINE_MS });
      const why = outcome.ok ? outcome.value.statuses.some((status) => status !== 200) && outcome.value.says : outcome.reason;
      if (!outcome.ok || why) {
        absent.push({ tool: schema.name, why: why || 'no outcome' });
        failed = true;
        break;
      }
      costs.push(outcome.value);
    }
    if (costs.length > 0) figures.push(figureOf(schema.name, costs));
  }
  const machine = { runtime: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: availableParallelism(), loadBefore, loadAfter: loadavg()[0] ?? 0 };
  const result = { machine, quick: values.quick, rounds, figures, absent };
  process.stdout.write(values.format === 'json' ? `${JSON.stringify(result)}\n` : textOf(result));
  return failed ? 1 : 0;
}

function callsOf(tool: string, setDirectory: string): ToolCalls {
  const files = FILES[tool];
  if (files === undefined) return { tool, setDirectory, attachments: [], calls: argumentsOf(tool, setDirectory) };
  const all = loadTasks(setDirectory).flatMap(({ attachments }) => attachments.filter(({ name }) => files.test(name)));
  // Neutral names repeat from task to task.
  const attachments = all.slice(0, MOST_CALLS).map(({ name, path }, i): Attachment => ({ name: `file-${i}${name.slice(name.lastIndexOf('.'))}`, path }));
  return { tool, setDirectory, attachments, calls: attachments.map(({ name }) => ({ file: name })) };
}

/** Different each time, so that no result is one that was kept. */
function argumentsOf(tool: string, setDirectory: string): Readonly<Record<string, unknown>>[] {
  switch (tool) {
    case 'calculator':
      return NUMBERS.map((n) => ({ expression: `(1 + 0.1 * ${n}) ^ 12 / 3` }));
    case 'run_python':
      return NUMBERS.map((n) => ({ code: `sum(i * ${n} for i in range(1000))` }));
    case 'run_javascript':
      return NUMBERS.map((n) => ({ code: `Array.from({ length: 1000 }, (_, i) => i * ${n}).reduce((a, b) => a + b)` }));
    case 'web_search':
      return pagesOf(setDirectory).map(({ title }) => ({ query: title }));
    case 'web_fetch':
      return pagesOf(setDirectory).map(({ url }) => ({ url }));
    default:
      return [];
  }
}

function pagesOf(setDirectory: string): { readonly title: string; readonly url: string }[] {
  const lines = readFileSync(join(setDirectory, 'web', 'pages.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  const pages = lines.map(
    (line) => JSON.parse(line) as { readonly title: string; readonly url: string; readonly status: number; readonly contentType: string },
  );
  const plain = pages.filter(({ status, contentType, title }) => status === 200 && contentType.startsWith('text/html') && title !== '');
  return NUMBERS.flatMap((n) => plain[Math.floor((plain.length * n) / (MOST_CALLS + 1))] ?? []);
}

function figureOf(tool: string, costs: readonly ToolCost[]): ToolFigure {
  const warm = costs.flatMap(({ warmMs }) => warmMs);
  return {
    tool,
    openMs: medianOf(costs.map(({ openMs }) => openMs)),
    coldMs: medianOf(costs.map(({ coldMs }) => coldMs)),
    ...(warm.length === 0 ? {} : { warmMs: medianOf(warm) }),
    warmCalls: warm.length,
    againMs: medianOf(costs.map(({ againMs }) => againMs)),
    heldMb: medianOf(costs.map(({ heldBytes }) => heldBytes)) / 1e6,
    says: costs[0]?.says ?? '',
  };
}

interface ToolsResult {
  readonly machine: { readonly runtime: string; readonly cpu: string; readonly cores: number; readonly loadBefore: number; readonly loadAfter: number };
  readonly quick: boolean;
  readonly rounds: number;
  readonly figures: readonly ToolFigure[];
  readonly absent: readonly ToolAbsent[];
}

function textOf({ machine, quick, rounds, figures, absent }: ToolsResult): string {
  const { runtime, cpu, cores, loadBefore, loadAfter } = machine;
  const cell = (ms: number | undefined) => (ms === undefined ? '' : ms.toFixed(ms < 10 ? 2 : 0)).padStart(9);
  return [
    `tools${quick ? ' (quick: too few rounds to quote)' : ''}, Node ${runtime} on ${cores} × ${cpu}, load ${loadBefore.toFixed(1)} to ${loadAfter.toFixed(1)}`,
    `open68 of seed ${SEED}, nothing kept, nothing recorded; medians of ${rounds} fresh processes; memory with children, over that of the process at its start`,
    '',
    `${'tool'.padEnd(18)}${'open ms'.padStart(9)}${'cold ms'.padStart(9)}${'warm ms'.padStart(9)}${'(n)'.padStart(6)}${'again ms'.padStart(10)}${'MB'.padStart(7)}`,
    ...figures.map(
      ({ tool, openMs, coldMs, warmMs, warmCalls, againMs, heldMb }) =>
        `${tool.padEnd(18)}${cell(openMs)}${cell(coldMs)}${cell(warmMs)}${`(${warmCalls})`.padStart(6)}${cell(againMs).padStart(10)}${heldMb.toFixed(0).padStart(7)}`,
    ),
    ...absent.map(({ tool, why }) => `${tool.padEnd(18)}  not measured: ${why}`),
    '',
  ].join('\n');
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
