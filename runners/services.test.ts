import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServices } from './services.ts';

test('a worker gets its address although gateway and broker cannot serve, and why they cannot is told with its own code', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'services-'));
  const services = startServices({
    backEnd: { kind: 'simulated', profile: 'clean', taskSetDirectory: join(folder, 'nowhere'), enforce: 'honoured' },
    replacements: [],
    cacheDirectory: folder,
    broker: 'strict',
    toolErrors: 'throw',
  });
  try {
    const address = await services.openWorker();
    expect(address.modelUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/w\/[0-9a-f]{32}\/v1$/);
    await expect(services.configured).rejects.toMatchObject({ code: 'TASK_SET_MISSING' });
  } finally {
    await services.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
