// Entry of a process for the bench `report`: reads one run and prints one JSON line with what that took. Arguments: what to do, and the run's directory.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPeakMemory } from '../adapters/peak-memory.ts';
import { systemClock } from '../base/clock.ts';
import { summarizeRun } from '../metrics/summaries.ts';
import { buildReport } from '../reports/build-report.ts';
import { loadRun } from '../reports/load-run.ts';
import { readRun } from '../reports/read-run.ts';
import { renderMarkdown } from '../reports/render/markdown.ts';

export interface ReadCost {
  readonly ms: number;
  readonly records: number;
  readonly peakRssBytes: number;
}

const [what = '', directory = ''] = process.argv.slice(2);
const startMs = systemClock.nowMs();
const records = await perform();
const cost: ReadCost = { ms: systemClock.nowMs() - startMs, records, peakRssBytes: readPeakMemory().peakRssBytes };
process.stdout.write(`${JSON.stringify(cost)}\n`);

async function perform(): Promise<number> {
  switch (what) {
    case 'summaries':
      return summarizeRun(await loadRun(directory)).recorded;
    case 'all': {
      let records = 0;
      const run = await readRun(directory);
      for await (const _ of run.trials()) records += 1;
      return records;
    }
    case 'transcript': {
      const folder = join(directory, 'transcripts');
      const [name = ''] = readdirSync(folder);
      JSON.parse(readFileSync(join(folder, name), 'utf8'));
      return 1;
    }
    case 'report': {
      const run = await loadRun(directory);
      renderMarkdown(buildReport(run));
      return run.trials.recorded;
    }
    default:
      throw new RangeError(`no such work: ${what}`);
  }
}
