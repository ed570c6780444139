import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildTaskSet, loadTasks } from '../tasks/task-set.ts';
import { createToolbox } from './toolbox.ts';

const scratch = mkdtempSync(join(tmpdir(), 'readings-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('recorded readings', () => {
  // When this fails because pictures of open68 were meant to change: node tools/record-readings.ts
  it('cover every picture of the default set, and say what made them and how often it errs', async () => {
    const directory = join(scratch, 'set');
    await buildTaskSet({ name: 'open68', seed: 1, directory });
    const toolbox = await createToolbox({ taskSetDirectory: directory, cacheDirectory: join(scratch, 'cache') });
    let pictures = 0;
    for (const { attachments } of loadTasks(directory)) {
      for (const { name } of attachments) {
        const tool = { png: 'describe_image', jpg: 'describe_image', pdf: 'read_pdf' }[name.split('.').at(-1) as string];
        if (tool === undefined) continue;
        const { text } = await toolbox.run(tool, { file: name }, { attachments });
        if (!text.includes('OCR')) continue;
        pictures += 1;
        expect(text).toMatch(/Tesseract 5 LSTM, English, core [\d.]+ without relaxed SIMD; recorded \d{4}-\d\d-\d\d, character error rate [\d.]+ %/);
      }
    }
    await toolbox.close();
    expect(pictures).toBeGreaterThanOrEqual(3);
  }, 30_000);
});
