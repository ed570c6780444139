import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildTaskSet, loadTasks } from '../tasks/task-set.ts';
import { OCR_MISSING } from './ocr.ts';
import { createToolbox } from './toolbox.ts';

const scratch = mkdtempSync(join(tmpdir(), 'readings-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('recorded readings', () => {
  // When this fails because pictures of open68 were meant to change: node tools/record-readings.ts
  it('cover every picture of the default set, and say what made them and how often it errs', async () => {
    const directory = join(scratch, 'set');
    await buildTaskSet({ name: 'open68', seed: 1, directory });
    // No page is needed here, and indexing them takes longest.
    rmSync(join(directory, 'web'), { recursive: true });
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
  }, 120_000);

  it('are asked for before a generated set starts whose pictures nothing here can read', async () => {
    const directory = join(scratch, 'fresh');
    mkdirSync(join(directory, 'files'), { recursive: true });
    writeFileSync(join(directory, 'plans.json'), '[]');
    writeFileSync(join(directory, 'tasks.json'), JSON.stringify([{ attachments: [{ name: 'attachment-1.txt', path: 'files/seen' }] }]));
    // What the reader of pictures says when the recogniser is not installed.
    writeFileSync(join(directory, 'files', 'seen'), OCR_MISSING);
    await expect(createToolbox({ taskSetDirectory: directory, cacheDirectory: join(scratch, 'cache') })).rejects.toMatchObject({
      code: 'MISSING_PACKAGE',
      message: '1 pictures of this task set have no recorded reading (files/seen), and no recogniser is installed',
      remedy: expect.stringMatching(/^npm install tesseract\.js-core@[\d.]+ @tesseract\.js-data\/eng@[\d.]+$/),
    });
  });
});
