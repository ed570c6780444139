// The whole report of a tiny run, and what must hold of any: denominators, blocks and ranks, absent cells, the exact part.
import { describe, expect, it } from 'vitest';
import type { TrialRecord } from '../metrics/record.ts';
import { buildReport } from './build-report.ts';
import { coldOf, ENGINE, FETCH, failed, LANGGRAPH, manifestOf, type RecordedRun, tinyRun, trialOf } from './fixtures/tiny-run.ts';
import { renderCsv } from './render/csv.ts';
import { renderJson } from './render/json.ts';
import { renderMarkdown } from './render/markdown.ts';
import { renderTerminal } from './render/terminal.ts';
import type { Cell, Report } from './report.ts';
import { reportFiles } from './write-report.ts';

const TASKS = ['zero-1', 'doc-1', 'doc-2', 'web-1'];

function cell(report: Report, table: string, framework: string, column: string, part: { taskType?: string; level?: number } = {}): Cell | undefined {
  const row = report.tables[table]?.rows.find(({ key }) => key.framework === framework && key.taskType === part.taskType && key.level === part.level);
  return row?.cells[column];
}

function everyText(report: Report): string {
  return [
    renderMarkdown(report),
    renderCsv(report),
    renderJson(report),
    renderTerminal(report, { columns: 100, colour: false }),
    ...Object.values(reportFiles(report)),
  ].join('\n');
}

/** The same run, with other times and memory and its lines in another order. */
function again(run: RecordedRun): RecordedRun {
  const slower = (trial: TrialRecord): TrialRecord => ({
    ...trial,
    wallMs: 99,
    overheadMs: 77,
    cpuMs: 55,
    setupMs: 33,
    calls: trial.calls.map(([start, end, input, output, status]) => [start + 5, end === null ? null : end + 5, input, output, status] as const),
    toolCalls: [],
  });
  return {
    ...run,
    manifest: { ...run.manifest, startedAt: '2031-01-01T00:00:00.000Z', host: 'h9', machine: { ...run.manifest.machine, cpu: 'another' } },
    trials: run.trials.map(slower).toReversed(),
    workers: run.workers.map((worker) => ({ ...worker, importMs: 1 })),
    wires: run.wires.toReversed(),
  };
}

describe('buildReport', () => {
  it('prints the tiny run', () => {
    expect(renderMarkdown(buildReport(tinyRun()))).toMatchInlineSnapshot(`
      "# Report

      Simulated model, profile gpt-4o-mini, seed 1: langgraph, the only ranked row in shape single, has 50.0 % of 4 planned trials right (Wilson interval over tasks 15.0 to 85.0).

      No other ranked row has a score; the floors stand at fetch default 75.0 %; engine, our own, stands apart at 75.0 %, unranked without the others' hardened settings beside it.

      What may not be concluded: this is a simulated model and says nothing about a real one; every ranked row stands in its default settings, and what its documented options against faults change was not part of this run; one run of one seed does not establish an order, overlapping intervals tell no rows apart, other dials (here tool errors throw, broker strict, enforcement honoured, instruction both) may turn rows round, and shapes are not ranked against each other.

      ## Table 1: Overall performance

      Simulated model gpt-4o-mini, profile gpt-4o-mini: simulated, so nothing here is a measurement of a real model. 1 run of seed 1 on tiny, 12 of 12 planned trials (3 rows × 4 tasks × 1). Denominator of a rate: all planned trials of the row, errors and time-outs included; times: undisturbed trials; memory: 2 fresh processes a row, on tasks of all types. Interval: 95 % Wilson over the tasks of one run of one seed, and nothing more. Interval of a median: 95 % order statistics, over blocks where there are six; none below n 6. Left out: 3 not usable in every row; 2 disturbed by a fault of the model; 1 undisturbed, and ended as limit. 1 trial ended at the cap of 24 model calls or in a forced answer. "paper": GraphBit: A Graph-based Agentic Framework for Non-Linear Agent Orchestration (figures as printed); other model and other tasks, so no verdict on the value.

      | rank | framework | n | accuracy % | accuracy %, paper | caused % | not repaired % | not repaired %, paper | caused % without cap | not repaired % without cap | overhead ms | overhead ms, paper | overhead + set-up ms | CPU ms | CPU % of a core | CPU % of a core, paper | task memory MB | peak memory MB | peak memory MB, paper |
      | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | 1 | langgraph | 4 | 50.0 [15.0, 85.0] |  | 25.0 [4.6, 69.9] | 50.0 [15.0, 85.0] |  | 0.0 [0.0, 49.0] | 25.0 [4.6, 69.9] | 20.0 (n 2) |  | 22.0 (n 2) | 15.0 (n 2) | 60.0 (n 2) |  | 25.0 (n 2) | 151.0 (n 2) |  |
      | apart | engine | 4 | 75.0 [30.1, 95.4] | 67.6 *claim* | 0.0 [0.0, 49.0] | 0.0 [0.0, 49.0] | 0.0 *claim* | 0.0 [0.0, 49.0] | 0.0 [0.0, 49.0] | 10.0 (n 2) | 11.9 *claim* | 12.0 (n 2) | 6.0 (n 2) | 40.0 (n 2) | 21.1 *claim* | 0.0 (n 2) | 75.0 (n 2) | 126.1 *claim* |
      | floor | fetch | 4 | 75.0 [30.1, 95.4] |  | 0.0 [0.0, 49.0] | 0.0 [0.0, 49.0] |  | 0.0 [0.0, 49.0] | 0.0 [0.0, 49.0] | 10.0 (n 2) |  | 12.0 (n 2) | 6.0 (n 2) | 40.0 (n 2) |  |  | 75.0 (n 2) |  |

      - Ranked by accuracy within shape single and one settings; equal values share a rank, and a rank says nothing where intervals overlap. Floors stand apart.
      - caused = concealed + lost + failures without any fault of the model; not repaired = caused + reported, nearest to the paper's "hallucination". Only the first may be called framework-induced. "Without cap" takes iteration-cap and forced-answer out of the numerator, never out of the denominator.
      - overhead = wall time of run minus the union of model calls, tool calls and waits that the harness imposed; the median over undisturbed trials. The second figure adds the set-up of each task. CPU is the time of the worker process; 100 % is one core.
      - Memory is read in fresh processes that ran one undisturbed task each: task memory = peak minus after-import minus the bare worker of the language; peak memory = the whole process. 1 MB is 10^6 bytes; no ratio holds across languages.
      - Asked for and not here: llamaindex (llamaindex not installed; npm install llamaindex@0.12.1).
      - engine is our own and stands apart: it is ranked only where every other row's hardened settings and a hardened floor are in the run.

      ## Table 2: Accuracy and fault rates by task type

      Simulated model gpt-4o-mini, profile gpt-4o-mini: simulated, so nothing here is a measurement of a real model. 1 run of seed 1 on tiny, 12 of 12 planned trials (3 rows × 4 tasks × 1). Denominator: all planned trials of the row and task type, errors and time-outs included. Interval: 95 % Wilson over the tasks of one run of one seed, and nothing more. Left out: nothing. 1 trial ended at the cap of 24 model calls or in a forced answer. "paper": GraphBit: A Graph-based Agentic Framework for Non-Linear Agent Orchestration (figures as printed); other model and other tasks, so no verdict on the value.

      | rank | framework | task type | n | accuracy % | accuracy %, paper | caused % | not repaired % | not repaired %, paper | caused % without cap | not repaired % without cap |
      | ---: | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | 1 | langgraph | zero-tool | 1 | 100.0 |  | 0.0 | 0.0 |  | 0.0 | 0.0 |
      | apart | engine | zero-tool | 1 | 100.0 | 57.1 *claim* | 0.0 | 0.0 | 0.0 *claim* | 0.0 | 0.0 |
      | floor | fetch | zero-tool | 1 | 100.0 |  | 0.0 | 0.0 |  | 0.0 | 0.0 |
      | 1 | langgraph | document | 2 | 50.0 [9.5, 90.5] |  | 0.0 [0.0, 65.8] | 50.0 [9.5, 90.5] |  | 0.0 [0.0, 65.8] | 50.0 [9.5, 90.5] |
      | apart | engine | document | 2 | 100.0 [34.2, 100.0] | 68.4 *claim* | 0.0 [0.0, 65.8] | 0.0 [0.0, 65.8] | 0.0 *claim* | 0.0 [0.0, 65.8] | 0.0 [0.0, 65.8] |
      | floor | fetch | document | 2 | 50.0 [9.5, 90.5] |  | 0.0 [0.0, 65.8] | 0.0 [0.0, 65.8] |  | 0.0 [0.0, 65.8] | 0.0 [0.0, 65.8] |
      | 1 | langgraph | web | 1 | 0.0 |  | 100.0 | 100.0 |  | 0.0 | 0.0 |
      | apart | engine | web | 1 | 0.0 | 69.0 *claim* | 0.0 | 0.0 | 0.0 *claim* | 0.0 | 0.0 |
      | floor | fetch | web | 1 | 100.0 |  | 0.0 | 0.0 |  | 0.0 | 0.0 |

      - Ranked by accuracy within a task type, shape single and one settings. zero-tool: one agent without tools; it stands in no comparison of shapes.
      - caused, not repaired, without cap: as under table 1; only caused may be called framework-induced.
      - engine is our own and stands apart: it is ranked only where every other row's hardened settings and a hardened floor are in the run.

      ## Table 3: Memory ablation

      The memory ablation was not part of this run.

      ## Table 4: Accuracy by level

      Simulated model gpt-4o-mini, profile gpt-4o-mini: simulated, so nothing here is a measurement of a real model. 1 run of seed 1 on tiny, 12 of 12 planned trials (3 rows × 4 tasks × 1). Denominator: all planned trials of the row and level, errors and time-outs included. Interval: 95 % Wilson over the tasks of one run of one seed, and nothing more. Left out: nothing. 1 trial ended at the cap of 24 model calls or in a forced answer. "paper": GraphBit: A Graph-based Agentic Framework for Non-Linear Agent Orchestration (figures as printed); other model and other tasks, so no verdict on the value.

      | rank | framework | level | n | accuracy % | accuracy %, paper |
      | ---: | --- | ---: | ---: | ---: | ---: |
      | 1 | langgraph | 1 | 2 | 100.0 [34.2, 100.0] |  |
      | apart | engine | 1 | 2 | 100.0 [34.2, 100.0] | 79.3 *claim* |
      | floor | fetch | 1 | 2 | 100.0 [34.2, 100.0] |  |
      | 1 | langgraph | 2 | 2 | 0.0 [0.0, 65.8] |  |
      | apart | engine | 2 | 2 | 50.0 [9.5, 90.5] | 63.9 *claim* |
      | floor | fetch | 2 | 2 | 50.0 [9.5, 90.5] |  |

      - Level is the number of plan steps: 1 up to 5, 2 from 6 to 10, 3 from 11. Ranked by accuracy within a level, shape single and one settings.
      - Pearson's r of level with correctness over the planned trials, a description without a test: fetch/single/default -0.58, langgraph/single/default -1.00, engine/single/default -0.58.
      - engine is our own and stands apart: it is ranked only where every other row's hardened settings and a hardened floor are in the run.

      ## Table 5: Fault rates by task type

      Simulated model gpt-4o-mini, profile gpt-4o-mini: simulated, so nothing here is a measurement of a real model. 1 run of seed 1 on tiny, 12 of 12 planned trials (3 rows × 4 tasks × 1). Denominator: all planned trials of the row and task type, not its failures. Interval: 95 % Wilson over the tasks of one run of one seed, and nothing more. Left out: nothing. 1 trial ended at the cap of 24 model calls or in a forced answer. "paper": GraphBit: A Graph-based Agentic Framework for Non-Linear Agent Orchestration (figures as printed); other model and other tasks, so no verdict on the value.

      | rank | framework | task type | n | caused % | not repaired % | not repaired %, paper | caused % without cap | not repaired % without cap |
      | ---: | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
      | 1 | langgraph | zero-tool | 1 | 0.0 | 0.0 |  | 0.0 | 0.0 |
      | apart | engine | zero-tool | 1 | 0.0 | 0.0 | 0.0 *claim* | 0.0 | 0.0 |
      | floor | fetch | zero-tool | 1 | 0.0 | 0.0 |  | 0.0 | 0.0 |
      | 1 | langgraph | document | 2 | 0.0 [0.0, 65.8] | 50.0 [9.5, 90.5] |  | 0.0 [0.0, 65.8] | 50.0 [9.5, 90.5] |
      | apart | engine | document | 2 | 0.0 [0.0, 65.8] | 0.0 [0.0, 65.8] | 0.0 *claim* | 0.0 [0.0, 65.8] | 0.0 [0.0, 65.8] |
      | floor | fetch | document | 2 | 0.0 [0.0, 65.8] | 0.0 [0.0, 65.8] |  | 0.0 [0.0, 65.8] | 0.0 [0.0, 65.8] |
      | 1 | langgraph | web | 1 | 100.0 | 100.0 |  | 0.0 | 0.0 |
      | apart | engine | web | 1 | 0.0 | 0.0 | 0.0 *claim* | 0.0 | 0.0 |
      | floor | fetch | web | 1 | 0.0 | 0.0 |  | 0.0 | 0.0 |
      | 1 | langgraph | overall | 4 | 25.0 [4.6, 69.9] | 50.0 [15.0, 85.0] |  | 0.0 [0.0, 49.0] | 25.0 [4.6, 69.9] |
      | apart | engine | overall | 4 | 0.0 [0.0, 49.0] | 0.0 [0.0, 49.0] | 0.0 *claim* | 0.0 [0.0, 49.0] | 0.0 [0.0, 49.0] |
      | floor | fetch | overall | 4 | 0.0 [0.0, 49.0] | 0.0 [0.0, 49.0] |  | 0.0 [0.0, 49.0] | 0.0 [0.0, 49.0] |

      - Ranked by the caused rate within a task type, shape single and one settings.
      - caused, not repaired, without cap: as under table 1; only caused may be called framework-induced.
      - engine is our own and stands apart: it is ranked only where every other row's hardened settings and a hardened floor are in the run.

      ## Table 6: Computational efficiency by task type

      Simulated model gpt-4o-mini, profile gpt-4o-mini: simulated, so nothing here is a measurement of a real model. 1 run of seed 1 on tiny, 12 of 12 planned trials (3 rows × 4 tasks × 1). n: undisturbed trials (no slip drawn at the first ask of any step) of tasks that are undisturbed in every row of shape single; memory: 2 fresh processes a row, on tasks of all types. Interval of a median: 95 % order statistics, over blocks where there are six; none below n 6. Interval of a mean: 95 % Student t over the trials of this run; none below n 2. Left out: 3 not usable in every row; 2 disturbed by a fault of the model; 1 undisturbed, and ended as limit. 1 trial ended at the cap of 24 model calls or in a forced answer. "paper": GraphBit: A Graph-based Agentic Framework for Non-Linear Agent Orchestration (figures as printed); other model and other tasks, so no verdict on the value.

      | rank | framework | task type | n | overhead ms | overhead ms, paper | overhead + set-up ms | over floor ms | CPU ms | CPU % of a core | CPU % of a core, paper | stub ms | tools ms | 60000/ms | 60000/ms, paper | trials/min | task memory MB | peak memory MB | peak memory MB, paper |
      | ---: | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | 1 | langgraph | zero-tool | 1 | 20.0 |  | 22.0 | 10.0 | 15.0 | 60.0 |  | 0.50 | 1.0 | 3000 |  | 2400 |  |  |  |
      | apart | engine | zero-tool | 1 | 10.0 | 6.0 *claim* | 12.0 | 0.0 | 6.0 | 40.0 | 15.2 *claim* | 0.50 | 1.0 | 6000 | 10000 *claim* | 4000 |  |  |  |
      | floor | fetch | zero-tool | 1 | 10.0 |  | 12.0 |  | 6.0 | 40.0 |  | 0.50 | 1.0 | 6000 |  | 4000 |  |  |  |
      | 1 | langgraph | document | 1 | 20.0 |  | 22.0 | 10.0 | 15.0 | 60.0 |  | 0.50 | 1.0 | 3000 |  | 2400 | 25.0 (n 2) | 151.0 (n 2) |  |
      | apart | engine | document | 1 | 10.0 | 10.8 *claim* | 12.0 | 0.0 | 6.0 | 40.0 | 24.7 *claim* | 0.50 | 1.0 | 6000 | 5543 *claim* | 4000 | 0.0 (n 2) | 75.0 (n 2) | 105.5 *claim* |
      | floor | fetch | document | 1 | 10.0 |  | 12.0 |  | 6.0 | 40.0 |  | 0.50 | 1.0 | 6000 |  | 4000 |  | 75.0 (n 2) |  |
      |  | langgraph | web |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |
      | apart | engine | web |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |
      | floor | fetch | web |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |  |

      - Ranked by overhead + set-up within a task type, shape single and one settings.
      - overhead, CPU and memory: as under table 1; tools = the time of the tools themselves, as the broker took it, which is in no overhead. 60000/ms restates the mean overhead as the paper does; trials/min is what was measured at concurrency 1.
      - over floor = this row minus the floor of its language, settings and shape, trial by trial on undisturbed trials, the median; over fetch = a Python row minus fetch in the same way, so that what the language adds is in it.
      - engine is our own and stands apart: it is ranked only where every other row's hardened settings and a hardened floor are in the run.

      ## Table 7: Cross-platform consistency

      The cross-platform study was not part of this run: one host stands in it.

      ## Table 8: Token consumption per task

      Simulated model gpt-4o-mini, profile gpt-4o-mini: simulated, so nothing here is a measurement of a real model. 1 run of seed 1 on tiny, 12 of 12 planned trials (3 rows × 4 tasks × 1). Means over the recorded trials of the row, whether right or wrong; tokens are counted by the gateway, never by the framework. Interval of a mean: 95 % Student t over the trials of this run; none below n 2. Left out: nothing. 1 trial ended at the cap of 24 model calls or in a forced answer. "paper": GraphBit: A Graph-based Agentic Framework for Non-Linear Agent Orchestration (figures as printed); other model and other tasks, so no verdict on the value.

      | framework | n | prompt tokens | prompt tokens, paper | completion tokens | completion tokens, paper | total tokens | total tokens, paper | model calls | tool calls | tokens over floor | tokens/s | tokens/s, paper |
      | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | langgraph | 4 | 900 [900, 900] |  | 60 [60, 60] |  | 960 [960, 960] |  | 2.0 [2.0, 2.0] | 1.0 [1.0, 1.0] | 375 (n 2) | 31.3 [31.3, 31.3] |  |
      | engine | 4 | 900 [900, 900] | 1735 *claim* | 60 [60, 60] | 181 *claim* | 960 [960, 960] | 1916 *claim* | 2.0 [2.0, 2.0] | 1.0 [1.0, 1.0] | 375 (n 2) | 31.3 [31.3, 31.3] | 12.9 *claim* |
      | fetch | 4 | 725 [168, 1282] |  | 48 [8, 87] |  | 773 [176, 1369] |  | 1.8 [1.0, 2.5] | 0.8 [0.0, 1.5] |  | 26.9 [13.1, 40.7] |  |

      - Not ranked: a trial that fails early spends little. Prompt and completion tokens add up to the total.
      - over floor = this row minus the floor of its language, settings and shape, trial by trial on undisturbed trials, the median; over fetch = a Python row minus fetch in the same way, so that what the language adds is in it.
      - tokens/s: output tokens a second of model time. COMPUTED, not measured: the run had zero model latency; the latency table for gpt-4o-mini (600 ms to the first token, 12 ms a token; assumed; 2026-11-01) was laid on the recorded critical path.
      - engine is our own and stands apart: it is ranked only where every other row's hardened settings and a hardened floor are in the run.

      ## Table 9: End-to-end time per task, computed

      Simulated model gpt-4o-mini, profile gpt-4o-mini: simulated, so nothing here is a measurement of a real model. 1 run of seed 1 on tiny, 12 of 12 planned trials (3 rows × 4 tasks × 1). Over the recorded trials of the row, whether right or wrong. Interval of a mean: 95 % Student t over the trials of this run; none below n 2. Interval of a median: 95 % order statistics, over blocks where there are six; none below n 6. Left out: nothing. 1 trial ended at the cap of 24 model calls or in a forced answer. "paper": GraphBit: A Graph-based Agentic Framework for Non-Linear Agent Orchestration (figures as printed); other model and other tasks, so no verdict on the value.

      | framework | n | mean s | mean s, paper | median s | median s, paper | p95 s | p95 s, paper | std s | std s, paper | max s | max s, paper | over floor s |
      | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | langgraph | 4 | 1.9 [1.9, 1.9] |  | 1.9 |  | 1.9 |  | 0.0058 |  | 1.9 |  | 0.61 (n 2) |
      | engine | 4 | 1.9 [1.9, 1.9] | 35.3 *claim* | 1.9 | 28.8 *claim* | 1.9 | 115.7 *claim* | 0.0 | 34.8 *claim* | 1.9 | 140.0 *claim* | 0.60 (n 2) |
      | fetch | 4 | 1.6 [0.68, 2.6] |  | 1.9 |  | 1.9 |  | 0.60 |  | 1.9 |  |  |

      - COMPUTED, not measured: the run had zero model latency; the latency table for gpt-4o-mini (600 ms to the first token, 12 ms a token; assumed; 2026-11-01) was laid on the recorded critical path.
      - Not ranked: a trial that fails early is soon over.
      - over floor = this row minus the floor of its language, settings and shape, trial by trial on undisturbed trials, the median; over fetch = a Python row minus fetch in the same way, so that what the language adds is in it.
      - engine is our own and stands apart: it is ranked only where every other row's hardened settings and a hardened floor are in the run.

      ## Table 10: Framework initialisation

      Simulated model gpt-4o-mini, profile gpt-4o-mini: simulated, so nothing here is a measurement of a real model. 1 run of seed 1 on tiny, 12 of 12 planned trials (3 rows × 4 tasks × 1). n: fresh processes of the row, one task each; planned: 2 fresh processes a row, on tasks of all types. Interval of a median: 95 % order statistics, over blocks where there are six; none below n 6. Left out: nothing. 1 trial ended at the cap of 24 model calls or in a forced answer. "paper": GraphBit: A Graph-based Agentic Framework for Non-Linear Agent Orchestration (figures as printed); other model and other tasks, so no verdict on the value.

      | rank | framework | n | import ms | import ms, paper | import over floor ms | set-up ms | set-up ms, paper | first run ms | import memory MB |
      | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | 1 | langgraph | 2 | 310.0 |  | 289.0 | 3.0 |  | 30.0 | 51.0 |
      | apart | engine | 2 | 15.5 | 2400.0 *claim* | \\-5.5 | 3.0 | 0.10 *claim* | 30.0 | 0.0 |
      | floor | fetch | 2 | 21.0 |  |  | 3.0 |  | 30.0 |  |

      - import = loading the framework and its adapter; set-up = building agent and tools for the first task; import over floor = minus the median of the floor of its language, import over fetch = of a Python row, minus that of fetch; import memory = after import minus the bare worker of the language. Ranked by import time within shape single and one settings.
      - engine is our own and stands apart: it is ranked only where every other row's hardened settings and a hardened floor are in the run.

      ## Failures by row and code

      Simulated model gpt-4o-mini, profile gpt-4o-mini: simulated, so nothing here is a measurement of a real model. 1 run of seed 1 on tiny, 12 of 12 planned trials (3 rows × 4 tasks × 1). n: planned trials of the row; a trial stands under its primary code only. Counts, so no interval. Left out: nothing. 1 trial ended at the cap of 24 model calls or in a forced answer.

      | framework | n | code | trials | repaired | reported | concealed | lost | no handling | example |
      | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |
      | fetch | 4 | wrong-answer | 1 | 0 | 0 | 0 | 0 | 1 | doc-2#0 |
      | langgraph | 4 | iteration-cap | 1 | 0 | 0 | 1 | 0 | 0 | web-1#0 |
      | langgraph | 4 | unknown-tool | 1 | 0 | 1 | 0 | 0 | 0 | doc-2#0 |
      | engine | 4 | malformed-arguments | 1 | 1 | 0 | 0 | 0 | 0 | doc-2#0 |
      | engine | 4 | wrong-answer | 1 | 0 | 0 | 0 | 0 | 1 | web-1#0 |

      - repaired: a later request asked for the step again and its evidence came in. reported: ended in time with an error. concealed: ended as a success with nothing behind it. lost: the process died, hung or lost what was delivered to it.

      ## Failures that were not repaired, one by one

      Simulated model gpt-4o-mini, profile gpt-4o-mini: simulated, so nothing here is a measurement of a real model. 1 run of seed 1 on tiny, 12 of 12 planned trials (3 rows × 4 tasks × 1). One line a trial: those that the rate "not repaired" counts, cap included. No figures, so no interval. Left out: nothing. 1 trial ended at the cap of 24 model calls or in a forced answer.

      | framework | trial | code | handling | counts as | what was met | how it ended |
      | --- | --- | --- | --- | --- | --- | --- |
      | langgraph | doc-2#0 | unknown-tool | reported | not repaired | unknown-tool at s1 | tool a\\|b is unknown |
      | langgraph | web-1#0 | iteration-cap | concealed | caused | iteration-cap | stopped at the cap |

      - what was met: events in the order of plan steps, each with its step and how often; "repaired" = that one was mended. how it ended: the error that the row gave, or that it ended as if it had an answer.

      ## Wire audit: where requests differ from the floor

      Simulated model gpt-4o-mini, profile gpt-4o-mini: simulated, so nothing here is a measurement of a real model. 1 run of seed 1 on tiny, 12 of 12 planned trials (3 rows × 4 tasks × 1). n: trials whose requests looked like this. Facts of the first request of each trial, so no interval. Left out: nothing. 1 trial ended at the cap of 24 model calls or in a forced answer.

      | framework | task type | n | held against | endpoint | streamed | sampling | added system text | instruction in | tools | tool choice | parallel calls | other keys | tool calls | tool schemas | requests | retried calls |
      | --- | --- | ---: | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | ---: | ---: |
      | fetch | document, zero-tool | 3 | itself | chat.completions | false | {"max\\_tokens":2000,"temperature":1} | none | ["system","user"] | read\\_text | absent | absent | absent | native |  | 7 (n 4) | 0 (n 7) |
      | fetch | web | 1 | itself | chat.completions | false | {"max\\_tokens":2000,"temperature":1} | none | ["system","user"] | none | absent | absent | absent | none |  |  |  |
      | langgraph | document, zero-tool | 3 | fetch/single/default | same | true (floor: false) | temperature 0.1 (floor: 1) | 30 characters: "You are a helpful \\| assistant." | same | read\\_text: parameters.additionalProperties absent (floor: false); read\\_text: strict true (floor: absent) | same | same | same | same | lossless | 8 (n 4) | 0 (n 8) |
      | langgraph | web | 1 | fetch/single/default | same | true (floor: false) | temperature 0.1 (floor: 1) | 30 characters: "You are a helpful \\| assistant." | same | read\\_text: added | same | same | same | native | lossless |  |  |
      | engine |  | 4 | fetch/single/default | same | same | same | same | same | same | same | same | same | same | lossless | 8 | 0 (n 8) |

      - tool calls: native where tools are offered in their field of the request, in the text where a row offers none and its floor does. tool schemas: lossy where a name, type, description or requirement of a parameter is said nowhere in the offer; how it is said otherwise stands under tools.
      - requests: model requests of the whole row, in n trials. retried calls: those that directly followed one with an error status; the gateway itself never retries. Both stand on the first line of a row.
      "
    `);
  });

  it('prints the exact part of the tiny run on a terminal of 100 columns', () => {
    expect(renderTerminal(buildReport(tinyRun(), { exact: true }), { columns: 100, colour: false })).toMatchInlineSnapshot(`
      "Table 1: Overall performance
      Simulated model gpt-4o-mini, profile gpt-4o-mini: simulated, so nothing here is a measurement of a
      real model. 1 run of seed 1 on tiny, 12 of 12 planned trials (3 rows × 4 tasks × 1). Denominator of
      a rate: all planned trials of the row, errors and time-outs included. Interval: 95 % Wilson over the
      tasks of one run of one seed, and nothing more. Left out: nothing. 1 trial ended at the cap of 24
      model calls or in a forced answer. "paper": GraphBit: A Graph-based Agentic Framework for Non-Linear
      Agent Orchestration (figures as printed); other model and other tasks, so no verdict on the value.

                                                                                                     not
                                                accuracy                                        repaired
       rank  framework  n         accuracy %    %, paper          caused %     not repaired %   %, paper
      --------------------------------------------------------------------------------------------------
          1  langgraph  4  50.0 [15.0, 85.0]              25.0 [4.6, 69.9]  50.0 [15.0, 85.0]
      apart  engine     4  75.0 [30.1, 95.4]  67.6 claim   0.0 [0.0, 49.0]    0.0 [0.0, 49.0]  0.0 claim
      floor  fetch      4  75.0 [30.1, 95.4]               0.0 [0.0, 49.0]    0.0 [0.0, 49.0]

                               caused %    not repaired %
       rank  framework      without cap       without cap
      ---------------------------------------------------
          1  langgraph  0.0 [0.0, 49.0]  25.0 [4.6, 69.9]
      apart  engine     0.0 [0.0, 49.0]   0.0 [0.0, 49.0]
      floor  fetch      0.0 [0.0, 49.0]   0.0 [0.0, 49.0]

      - Ranked by accuracy within shape single and one settings; equal values share a rank, and a rank
        says nothing where intervals overlap. Floors stand apart.
      - caused = concealed + lost + failures without any fault of the model; not repaired = caused +
        reported, nearest to the paper's "hallucination". Only the first may be called framework-induced.
        "Without cap" takes iteration-cap and forced-answer out of the numerator, never out of the
        denominator.
      - Asked for and not here: llamaindex (llamaindex not installed; npm install llamaindex@0.12.1).
      - engine is our own and stands apart: it is ranked only where every other row's hardened settings
        and a hardened floor are in the run.

      Table 2: Accuracy and fault rates by task type
      Simulated model gpt-4o-mini, profile gpt-4o-mini: simulated, so nothing here is a measurement of a
      real model. 1 run of seed 1 on tiny, 12 of 12 planned trials (3 rows × 4 tasks × 1). Denominator:
      all planned trials of the row and task type, errors and time-outs included. Interval: 95 % Wilson
      over the tasks of one run of one seed, and nothing more. Left out: nothing. 1 trial ended at the cap
      of 24 model calls or in a forced answer. "paper": GraphBit: A Graph-based Agentic Framework for
      Non-Linear Agent Orchestration (figures as printed); other model and other tasks, so no verdict on
      the value.

                                                             accuracy
       rank  framework  task type  n           accuracy %    %, paper         caused %
      --------------------------------------------------------------------------------
          1  langgraph  zero-tool  1                100.0                          0.0
      apart  engine     zero-tool  1                100.0  57.1 claim              0.0
      floor  fetch      zero-tool  1                100.0                          0.0
          1  langgraph  document   2     50.0 [9.5, 90.5]              0.0 [0.0, 65.8]
      apart  engine     document   2  100.0 [34.2, 100.0]  68.4 claim  0.0 [0.0, 65.8]
      floor  fetch      document   2     50.0 [9.5, 90.5]              0.0 [0.0, 65.8]
          1  langgraph  web        1                  0.0                        100.0
      apart  engine     web        1                  0.0  69.0 claim              0.0
      floor  fetch      web        1                100.0                          0.0

                                                           not
                                                      repaired         caused %    not repaired %
       rank  framework  task type    not repaired %   %, paper      without cap       without cap
      -------------------------------------------------------------------------------------------
          1  langgraph  zero-tool               0.0                         0.0               0.0
      apart  engine     zero-tool               0.0  0.0 claim              0.0               0.0
      floor  fetch      zero-tool               0.0                         0.0               0.0
          1  langgraph  document   50.0 [9.5, 90.5]             0.0 [0.0, 65.8]  50.0 [9.5, 90.5]
      apart  engine     document    0.0 [0.0, 65.8]  0.0 claim  0.0 [0.0, 65.8]   0.0 [0.0, 65.8]
      floor  fetch      document    0.0 [0.0, 65.8]             0.0 [0.0, 65.8]   0.0 [0.0, 65.8]
          1  langgraph  web                   100.0                         0.0               0.0
      apart  engine     web                     0.0  0.0 claim              0.0               0.0
      floor  fetch      web                     0.0                         0.0               0.0

      - Ranked by accuracy within a task type, shape single and one settings. zero-tool: one agent without
        tools; it stands in no comparison of shapes.
      - caused, not repaired, without cap: as under table 1; only caused may be called framework-induced.
      - engine is our own and stands apart: it is ranked only where every other row's hardened settings
        and a hardened floor are in the run.

      Table 4: Accuracy by level
      Simulated model gpt-4o-mini, profile gpt-4o-mini: simulated, so nothing here is a measurement of a
      real model. 1 run of seed 1 on tiny, 12 of 12 planned trials (3 rows × 4 tasks × 1). Denominator:
      all planned trials of the row and level, errors and time-outs included. Interval: 95 % Wilson over
      the tasks of one run of one seed, and nothing more. Left out: nothing. 1 trial ended at the cap of
      24 model calls or in a forced answer. "paper": GraphBit: A Graph-based Agentic Framework for
      Non-Linear Agent Orchestration (figures as printed); other model and other tasks, so no verdict on
      the value.

                                                         accuracy
       rank  framework  level  n           accuracy %    %, paper
      -----------------------------------------------------------
          1  langgraph      1  2  100.0 [34.2, 100.0]
      apart  engine         1  2  100.0 [34.2, 100.0]  79.3 claim
      floor  fetch          1  2  100.0 [34.2, 100.0]
          1  langgraph      2  2      0.0 [0.0, 65.8]
      apart  engine         2  2     50.0 [9.5, 90.5]  63.9 claim
      floor  fetch          2  2     50.0 [9.5, 90.5]

      - Level is the number of plan steps: 1 up to 5, 2 from 6 to 10, 3 from 11. Ranked by accuracy within
        a level, shape single and one settings.
      - Pearson's r of level with correctness over the planned trials, a description without a test:
        fetch/single/default -0.58, langgraph/single/default -1.00, engine/single/default -0.58.
      - engine is our own and stands apart: it is ranked only where every other row's hardened settings
        and a hardened floor are in the run.

      Table 5: Fault rates by task type
      Simulated model gpt-4o-mini, profile gpt-4o-mini: simulated, so nothing here is a measurement of a
      real model. 1 run of seed 1 on tiny, 12 of 12 planned trials (3 rows × 4 tasks × 1). Denominator:
      all planned trials of the row and task type, not its failures. Interval: 95 % Wilson over the tasks
      of one run of one seed, and nothing more. Left out: nothing. 1 trial ended at the cap of 24 model
      calls or in a forced answer. "paper": GraphBit: A Graph-based Agentic Framework for Non-Linear Agent
      Orchestration (figures as printed); other model and other tasks, so no verdict on the value.

                                                                                 not
                                                                            repaired         caused %
       rank  framework  task type  n          caused %     not repaired %   %, paper      without cap
      -----------------------------------------------------------------------------------------------
          1  langgraph  zero-tool  1               0.0                0.0                         0.0
      apart  engine     zero-tool  1               0.0                0.0  0.0 claim              0.0
      floor  fetch      zero-tool  1               0.0                0.0                         0.0
          1  langgraph  document   2   0.0 [0.0, 65.8]   50.0 [9.5, 90.5]             0.0 [0.0, 65.8]
      apart  engine     document   2   0.0 [0.0, 65.8]    0.0 [0.0, 65.8]  0.0 claim  0.0 [0.0, 65.8]
      floor  fetch      document   2   0.0 [0.0, 65.8]    0.0 [0.0, 65.8]             0.0 [0.0, 65.8]
          1  langgraph  web        1             100.0              100.0                         0.0
      apart  engine     web        1               0.0                0.0  0.0 claim              0.0
      floor  fetch      web        1               0.0                0.0                         0.0
          1  langgraph  overall    4  25.0 [4.6, 69.9]  50.0 [15.0, 85.0]             0.0 [0.0, 49.0]
      apart  engine     overall    4   0.0 [0.0, 49.0]    0.0 [0.0, 49.0]  0.0 claim  0.0 [0.0, 49.0]
      floor  fetch      overall    4   0.0 [0.0, 49.0]    0.0 [0.0, 49.0]             0.0 [0.0, 49.0]

                                     not repaired %
       rank  framework  task type       without cap
      ---------------------------------------------
          1  langgraph  zero-tool               0.0
      apart  engine     zero-tool               0.0
      floor  fetch      zero-tool               0.0
          1  langgraph  document   50.0 [9.5, 90.5]
      apart  engine     document    0.0 [0.0, 65.8]
      floor  fetch      document    0.0 [0.0, 65.8]
          1  langgraph  web                     0.0
      apart  engine     web                     0.0
      floor  fetch      web                     0.0
          1  langgraph  overall    25.0 [4.6, 69.9]
      apart  engine     overall     0.0 [0.0, 49.0]
      floor  fetch      overall     0.0 [0.0, 49.0]

      - Ranked by the caused rate within a task type, shape single and one settings.
      - caused, not repaired, without cap: as under table 1; only caused may be called framework-induced.
      - engine is our own and stands apart: it is ranked only where every other row's hardened settings
        and a hardened floor are in the run.

      Table 8: Token consumption per task
      Simulated model gpt-4o-mini, profile gpt-4o-mini: simulated, so nothing here is a measurement of a
      real model. 1 run of seed 1 on tiny, 12 of 12 planned trials (3 rows × 4 tasks × 1). Means over the
      recorded trials of the row, whether right or wrong; tokens are counted by the gateway, never by the
      framework. Interval of a mean: 95 % Student t over the trials of this run; none below n 2. Left out:
      nothing. 1 trial ended at the cap of 24 model calls or in a forced answer. "paper": GraphBit: A
      Graph-based Agentic Framework for Non-Linear Agent Orchestration (figures as printed); other model
      and other tasks, so no verdict on the value.

                                         prompt               completion                        total
                                        tokens,   completion     tokens,                      tokens,
      framework  n    prompt tokens       paper       tokens       paper     total tokens       paper
      -----------------------------------------------------------------------------------------------
      langgraph  4   900 [900, 900]              60 [60, 60]               960 [960, 960]
      engine     4   900 [900, 900]  1735 claim  60 [60, 60]   181 claim   960 [960, 960]  1916 claim
      fetch      4  725 [168, 1282]               48 [8, 87]              773 [176, 1369]

      framework     model calls      tool calls
      -----------------------------------------
      langgraph  2.0 [2.0, 2.0]  1.0 [1.0, 1.0]
      engine     2.0 [2.0, 2.0]  1.0 [1.0, 1.0]
      fetch      1.8 [1.0, 2.5]  0.8 [0.0, 1.5]

      - Not ranked: a trial that fails early spends little. Prompt and completion tokens add up to the
        total.
      - engine is our own and stands apart: it is ranked only where every other row's hardened settings
        and a hardened floor are in the run.

      Failures by row and code
      Simulated model gpt-4o-mini, profile gpt-4o-mini: simulated, so nothing here is a measurement of a
      real model. 1 run of seed 1 on tiny, 12 of 12 planned trials (3 rows × 4 tasks × 1). n: planned
      trials of the row; a trial stands under its primary code only. Counts, so no interval. Left out:
      nothing. 1 trial ended at the cap of 24 model calls or in a forced answer.

                                                                                            no
      framework  n  code                 trials  repaired  reported  concealed  lost  handling  example
      -------------------------------------------------------------------------------------------------
      fetch      4  wrong-answer              1         0         0          0     0         1  doc-2#0
      langgraph  4  iteration-cap             1         0         0          1     0         0  web-1#0
      langgraph  4  unknown-tool              1         0         1          0     0         0  doc-2#0
      engine     4  malformed-arguments       1         1         0          0     0         0  doc-2#0
      engine     4  wrong-answer              1         0         0          0     0         1  web-1#0

      - repaired: a later request asked for the step again and its evidence came in. reported: ended in
        time with an error. concealed: ended as a success with nothing behind it. lost: the process died,
        hung or lost what was delivered to it.

      Failures that were not repaired, one by one
      Simulated model gpt-4o-mini, profile gpt-4o-mini: simulated, so nothing here is a measurement of a
      real model. 1 run of seed 1 on tiny, 12 of 12 planned trials (3 rows × 4 tasks × 1). One line a
      trial: those that the rate "not repaired" counts, cap included. No figures, so no interval. Left
      out: nothing. 1 trial ended at the cap of 24 model calls or in a forced answer.

      framework  trial    code           handling   counts as     what was met
      ------------------------------------------------------------------------------
      langgraph  doc-2#0  unknown-tool   reported   not repaired  unknown-tool at s1
      langgraph  web-1#0  iteration-cap  concealed  caused        iteration-cap

      - what was met: events in the order of plan steps, each with its step and how often; "repaired" =
        that one was mended. how it ended: the error that the row gave, or that it ended as if it had an
        answer.

      Wire audit: where requests differ from the floor
      Simulated model gpt-4o-mini, profile gpt-4o-mini: simulated, so nothing here is a measurement of a
      real model. 1 run of seed 1 on tiny, 12 of 12 planned trials (3 rows × 4 tasks × 1). n: trials whose
      requests looked like this. Facts of the first request of each trial, so no interval. Left out:
      nothing. 1 trial ended at the cap of 24 model calls or in a forced answer.

      framework  task type            n  held against          endpoint          streamed
      ----------------------------------------------------------------------------------------------
      fetch      document, zero-tool  3  itself                chat.completions  false
      fetch      web                  1  itself                chat.completions  false
      langgraph  document, zero-tool  3  fetch/single/default  same              true (floor: false)
      langgraph  web                  1  fetch/single/default  same              true (floor: false)
      engine                          4  fetch/single/default  same              same

      framework  task type            sampling
      -------------------------------------------------------------------
      fetch      document, zero-tool  {"max_tokens":2000,"temperature":1}
      fetch      web                  {"max_tokens":2000,"temperature":1}
      langgraph  document, zero-tool  temperature 0.1 (floor: 1)
      langgraph  web                  temperature 0.1 (floor: 1)
      engine                          same

      framework  task type            added system text                    instruction in
      --------------------------------------------------------------------------------------
      fetch      document, zero-tool  none                                 ["system","user"]
      fetch      web                  none                                 ["system","user"]
      langgraph  document, zero-tool  30 characters: "You are a helpful |  same
                                      assistant."
      langgraph  web                  30 characters: "You are a helpful |  same
                                      assistant."
      engine                          same                                 same

                                                                                  tool    parallel
      framework  task type            tools                                       choice  calls
      --------------------------------------------------------------------------------------------
      fetch      document, zero-tool  read_text                                   absent  absent
      fetch      web                  none                                        absent  absent
      langgraph  document, zero-tool  read_text: parameters.additionalProperties  same    same
                                      absent (floor: false); read_text: strict …
      langgraph  web                  read_text: added                            same    same
      engine                          same                                        same    same

                                                              tool                retried
      framework  task type            other keys  tool calls  schemas   requests    calls
      -----------------------------------------------------------------------------------
      fetch      document, zero-tool  absent      native                 7 (n 4)  0 (n 7)
      fetch      web                  absent      none
      langgraph  document, zero-tool  same        same        lossless   8 (n 4)  0 (n 8)
      langgraph  web                  same        native      lossless
      engine                          same        same        lossless         8  0 (n 8)

      - tool calls: native where tools are offered in their field of the request, in the text where a row
        offers none and its floor does. tool schemas: lossy where a name, type, description or requirement
        of a parameter is said nowhere in the offer; how it is said otherwise stands under tools.
      - requests: model requests of the whole row, in n trials. retried calls: those that directly
        followed one with an error status; the gateway itself never retries. Both stand on the first line
        of a row.

      Simulated model, profile gpt-4o-mini, seed 1: langgraph, the only ranked row in shape single, has
      50.0 % of 4 planned trials right (Wilson interval over tasks 15.0 to 85.0).
      No other ranked row has a score; the floors stand at fetch default 75.0 %; engine, our own, stands
      apart at 75.0 %, unranked without the others' hardened settings beside it.
      What may not be concluded: this is a simulated model and says nothing about a real one; every ranked
      row stands in its default settings, and what its documented options against faults change was not
      part of this run; one run of one seed does not establish an order, overlapping intervals tell no
      rows apart, other dials (here tool errors throw, broker strict, enforcement honoured, instruction
      both) may turn rows round, and shapes are not ranked against each other.
      "
    `);
  });

  it('gives the same bytes twice, whatever the order of the records', () => {
    const run = tinyRun();
    const text = everyText(buildReport(run));
    expect(everyText(buildReport(tinyRun()))).toBe(text);
    expect(everyText(buildReport({ ...run, trials: run.trials.toReversed(), workers: run.workers.toReversed(), wires: run.wires.toReversed() }))).toBe(text);
  });

  it('gives equal exact reports for two runs that differ in times, memory, machine and moment only', () => {
    const exact = { exact: true };
    expect(everyText(buildReport(again(tinyRun()), exact))).toBe(everyText(buildReport(tinyRun(), exact)));
    expect(everyText(buildReport(again(tinyRun())))).not.toBe(everyText(buildReport(tinyRun())));
  });

  it('keeps errors, time-outs and trials without a record in the denominator', () => {
    const run = tinyRun();
    const report = buildReport({ ...run, trials: run.trials.filter(({ framework, taskId }) => !(framework === 'langgraph' && taskId === 'web-1')) });
    expect(cell(report, 'table1', 'langgraph', 'accuracyPercent')).toMatchObject({ value: 50, n: 4 });
    expect(report.tables.table1?.caption).toContain('11 of 12 planned trials');
    expect(report.tables.table1?.caption).toContain('UNFINISHED: 1 planned trial left no record');
  });

  it('gives no score to a row whose every trial died before its first model call, and keeps its denominators', () => {
    const dead = TASKS.map((taskId) =>
      failed(LANGGRAPH, taskId, {
        outcome: 'failed',
        failure: { code: 'worker-exit', message: 'exit 1' },
        code: 'worker-exit',
        handling: 'lost',
        calls: [],
        usage: { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0 },
        undisturbed: false,
      }),
    );
    const run = tinyRun();
    const report = buildReport({ ...run, trials: [...run.trials.filter(({ framework }) => framework !== 'langgraph'), ...dead] });
    expect(cell(report, 'table1', 'langgraph', 'accuracyPercent')).toBeUndefined();
    expect(cell(report, 'table1', 'langgraph', 'causedPercent')).toMatchObject({ value: 100, n: 4 });
    expect(cell(report, 'table2', 'langgraph', 'accuracyPercent', { taskType: 'web' })).toBeUndefined();
    expect(report.tables.table1?.rows.find(({ key }) => key.framework === 'langgraph')).not.toHaveProperty('rank');
    expect(report.tables.table1?.notes).toContain(
      'langgraph/single/default: none of its 4 planned trials reached the model (worker-exit 4), so it has no score.',
    );
  });

  it('prints a run without a single record, and one of one trial, without NaN, Infinity, undefined or null', () => {
    const empty = { ...tinyRun(), trials: [], workers: [], wires: [] };
    const one = {
      ...tinyRun(),
      manifest: manifestOf([ENGINE], { tasks: [{ taskId: 'web-1', taskType: 'web', level: 2 }] }),
      trials: [trialOf(ENGINE, 'web-1')],
      workers: [coldOf(ENGINE, 15)],
    };
    for (const run of [empty, one]) expect(everyText(buildReport(run))).not.toMatch(/NaN|Infinity|undefined|\bnull\b/);
    expect(buildReport(empty).headline[0]).toContain('no row has a score');
    expect(cell(buildReport(one), 'table10', 'engine', 'importMs')).toEqual({ value: 15, n: 1, published: 2400, publishedIsClaim: true });
  });

  it('says a tie as such and lets equal rows share a rank', () => {
    const crew: typeof LANGGRAPH = { ...LANGGRAPH, framework: 'crew' };
    const report = buildReport({
      ...tinyRun(),
      manifest: manifestOf([LANGGRAPH, crew]),
      trials: TASKS.flatMap((taskId) => [trialOf(LANGGRAPH, taskId), trialOf(crew, taskId)]),
    });
    expect(report.tables.table1?.rows.map(({ key, rank }) => [key.framework, rank])).toEqual([
      ['crew', 1],
      ['langgraph', 1],
    ]);
    expect(report.headline[0]).toContain('crew and langgraph tie');
  });

  it('says of an ablation that nobody leads, and nothing of settings', () => {
    const rows = ['full', 'single-tier'].map((configuration) => ({ ...ENGINE, shape: 'dag', configuration }));
    const run = {
      ...tinyRun(),
      manifest: manifestOf(rows),
      trials: rows.flatMap((row) => TASKS.map((taskId) => trialOf(row, taskId, { configuration: row.configuration }))),
    };
    const { headline } = buildReport(run);
    expect(headline).toHaveLength(2);
    expect(headline[0]).toContain('so nobody leads; table 3');
    expect(headline[1]).not.toContain('default settings');
  });

  it('never ranks a floor or another shape', () => {
    const dag = { ...LANGGRAPH, shape: 'dag' };
    const run = tinyRun();
    const report = buildReport({
      ...run,
      manifest: manifestOf([FETCH, LANGGRAPH, dag]),
      trials: [...run.trials, ...TASKS.map((taskId) => trialOf(dag, taskId))],
    });
    expect(report.tables.table1?.rows.map(({ key, section, rank }) => [key.framework, key.shape, section, rank])).toEqual([
      ['langgraph', 'single', 'ranked', 1],
      ['fetch', 'single', 'floor', undefined],
      ['langgraph', 'dag', 'by-name', undefined],
    ]);
  });

  it('ranks our own engine among defaults only where their hardened rows and a hardened floor stand beside it', () => {
    const hardened = (row: typeof LANGGRAPH): typeof LANGGRAPH => ({ ...row, settings: 'hardened' });
    const placeOf = (rows: readonly (typeof LANGGRAPH)[]) => {
      const report = buildReport({ ...tinyRun(), manifest: manifestOf(rows) });
      return report.tables.table1?.rows.find(({ key }) => key.framework === 'engine')?.section;
    };
    expect(placeOf([FETCH, LANGGRAPH, ENGINE])).toBe('apart');
    expect(placeOf([FETCH, hardened(FETCH), LANGGRAPH, ENGINE])).toBe('apart');
    expect(placeOf([FETCH, LANGGRAPH, hardened(LANGGRAPH), ENGINE])).toBe('apart');
    expect(placeOf([FETCH, hardened(FETCH), LANGGRAPH, hardened(LANGGRAPH), ENGINE])).toBe('ranked');
  });

  it('leaves usage and codes of a row with a cut trial out of the exact part', () => {
    const run = tinyRun();
    const cut = run.trials.map((trial): TrialRecord => (trial.framework === 'engine' && trial.taskId === 'web-1' ? { ...trial, cut: true } : trial));
    const exact = buildReport({ ...run, trials: cut }, { exact: true });
    expect(cell(exact, 'table1', 'engine', 'accuracyPercent')).toMatchObject({ value: 75 });
    expect(cell(exact, 'table1', 'engine', 'causedPercent')).toBeUndefined();
    expect(cell(exact, 'table8', 'engine', 'totalTokens')).toBeUndefined();
    expect(cell(exact, 'table8', 'langgraph', 'totalTokens')).toBeDefined();
  });

  it('says under the first table which records stand nowhere', () => {
    const report = buildReport({ ...tinyRun(), setAside: [{ why: 'half-written last lines', n: 1 }] });
    expect(report.tables.table1?.notes.at(-1)).toBe('Set aside: 1 half-written last lines.');
  });
});
