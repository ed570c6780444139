// Writes a run's directory of any size for the bench `report`: invented records of the shape and weight of real ones, some of them faulty, and a transcript a trial if asked.

import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../base/random.ts';
import type { Manifest, ManifestPlan, TrialRecord } from '../metrics/record.ts';
import { manifest, planRow, trialRecord } from '../metrics/testing-records.ts';

export interface SyntheticRun {
  readonly rows: number;
  readonly tasks: number;
  readonly trials: number;
  readonly transcripts: boolean;
}

const TYPES = ['zero-tool', 'document', 'web'] as const;
const CODES = ['wrong-answer', 'unknown-tool', 'malformed-arguments', 'iteration-cap', 'framework-exception'] as const;

/** @returns bytes of trials.jsonl */
export async function writeSyntheticRun(directory: string, size: SyntheticRun): Promise<number> {
  const written = manifestOf(size);
  const { plan } = written;
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify(written));
  writeFileSync(join(directory, 'workers.jsonl'), '');
  writeFileSync(join(directory, 'wires.jsonl'), '');
  if (size.transcripts) mkdirSync(join(directory, 'transcripts'));
  const random = seededRandom('synthetic-run', size.rows, size.tasks, size.trials);
  const file = createWriteStream(join(directory, 'trials.jsonl'));
  let bytes = 0;
  let block = 0;
  for (let trialIndex = 0; trialIndex < size.trials; trialIndex++) {
    for (const row of plan.rows) {
      let lines = '';
      for (const task of plan.tasks) {
        const record = recordOf(row, task, trialIndex, block, () => random.next());
        lines += `${JSON.stringify(record)}\n`;
        if (size.transcripts) writeFileSync(join(directory, 'transcripts', transcriptName(record)), JSON.stringify(transcriptOf(record)));
      }
      block += 1;
      bytes += lines.length;
      if (!file.write(lines)) await once(file, 'drain');
    }
  }
  file.end();
  await once(file, 'close');
  return bytes;
}

export function transcriptName({ framework, shape, settings, taskId, trialIndex }: TrialRecord): string {
  return `${framework}.${shape}.${settings}.${taskId}.${trialIndex}.json`;
}

function manifestOf({ rows, tasks, trials }: SyntheticRun): Manifest {
  return manifest(
    Array.from({ length: rows }, (_, at) => (at === 0 ? planRow('fetch', { floor: true }) : planRow(`framework-${at}`))),
    Array.from({ length: tasks }, (_, at) => ({
      taskId: `synthetic-${String(at).padStart(3, '0')}`,
      taskType: TYPES[at % TYPES.length] ?? 'web',
      level: ([1, 2, 3] as const)[at % 3] ?? 1,
    })),
    { name: 'synthetic', trials, coldStarts: 0 },
    { latencyTable: { model: 'gpt-4o-mini', firstTokenMs: 600, perOutputTokenMs: 12, sigma: 0.4, source: 'assumed', dated: '2026-11-01' } },
  );
}

function recordOf(row: ManifestPlan['rows'][number], task: ManifestPlan['tasks'][number], trialIndex: number, block: number, next: () => number): TrialRecord {
  const steps = 1 + Math.floor(next() * 5);
  const ms = (most: number) => Math.round(next() * most * 1000) / 1000;
  const calls = Array.from({ length: steps + 1 }, (_, at) => [5 * at, 5 * at + ms(2), 800 + 300 * at, 20 + at, 200] as const);
  const toolCalls = Array.from({ length: steps }, (_, at) => ['web_search', 5 * at + 3, 5 * at + 3 + ms(1.5), 200] as const);
  const code = next() < 0.3 ? CODES[Math.floor(next() * CODES.length)] : undefined;
  const correct = code === undefined;
  const failed = code === 'framework-exception';
  const answer = String(Math.floor(next() * 100_000));
  return trialRecord({
    framework: row.framework,
    shape: row.shape,
    settings: row.settings,
    taskId: task.taskId,
    taskType: task.taskType,
    level: task.level,
    template: `template-${task.taskId.slice(-1)}`,
    trialIndex,
    block,
    outcome: failed ? 'failed' : code === 'iteration-cap' ? 'limit' : 'completed',
    ...(failed ? { failure: { code, message: 'TypeError: cannot read properties of undefined' } } : {}),
    output: `The number was looked up in the book and written down by hand.\nFINAL ANSWER: ${answer}`,
    answer,
    score: { rule: 'number', correct },
    ...(code === undefined ? {} : { code, handling: failed ? ('reported' as const) : ('concealed' as const) }),
    events: code === undefined ? [] : [{ code, source: failed ? 'framework' : 'model', step: 's1', ask: 0 }],
    usage: { modelCalls: calls.length, toolCalls: toolCalls.length, inputTokens: 1_500 * steps, outputTokens: 40 * steps },
    calls,
    toolCalls,
    wire: `wire-of-${row.framework}-${task.taskType}`.padEnd(64, '0'),
    undisturbed: correct,
    wallMs: 6 * steps + ms(3),
    overheadMs: ms(4),
    modelMs: ms(6),
    toolMs: ms(5),
    stubMs: ms(1),
    cpuMs: ms(9),
    setupMs: ms(1),
    peakRssBytes: 90_000_000 + Math.floor(next() * 1e6),
    baselineRssBytes: 80_000_000,
    rssMethod: 'vmhwm',
  });
}

/** As heavy as the transcript of a trial of three or four calls. */
function transcriptOf(record: TrialRecord): unknown {
  const { framework, shape, settings, taskId, trialIndex } = record;
  const modelCalls = record.calls.map(([startMs, endMs, inputTokens, outputTokens, status]) => ({
    startMs,
    endMs,
    inputTokens,
    outputTokens,
    status,
    requestBody: { model: record.model, messages: [{ role: 'user', content: 'What is written in the book? '.repeat(60) }] },
    replyBody: { choices: [{ index: 0, message: { role: 'assistant', content: record.output } }] },
  }));
  return { framework, shape, settings, taskId, trialIndex, modelCalls, toolCalls: record.toolCalls, noise: '' };
}
