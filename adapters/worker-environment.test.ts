import { expect, test } from 'vitest';
import { workerEnvironment } from './worker-environment.ts';

test('lets nothing of the host through but the path', () => {
  const host = {
    PATH: '/bin',
    OPENAI_API_KEY: 'secret',
    LANGSMITH_API_KEY: 'secret',
    HTTPS_PROXY: 'secret',
    NODE_OPTIONS: '--require secret',
    HOME: '/secret',
    LANG: 'secret',
  };
  const given = workerEnvironment(host, '/w');
  expect(JSON.stringify(given)).not.toContain('secret');
  expect(given['PATH']).toBe('/bin');
});

test('gives a Python worker one order of its sets, no proxy on loopback, and no variable that keeps packages from being compiled', () => {
  const given = workerEnvironment({ PYTHONPATH: 'secret', PYTHONDONTWRITEBYTECODE: '1', TIKTOKEN_CACHE_DIR: '/x' }, '/w', 'python');
  expect(given).toMatchObject({ PYTHONHASHSEED: '0', NO_PROXY: '127.0.0.1', CREWAI_DISABLE_TELEMETRY: 'true', CREWAI_STORAGE_DIR: '/w', HOME: '/w' });
  for (const name of ['PYTHONPATH', 'PYTHONDONTWRITEBYTECODE', 'TIKTOKEN_CACHE_DIR', 'NODE_ENV']) expect(given).not.toHaveProperty(name);
});

test('gives the worker a folder of its own, one time zone, one language, and no telemetry', () => {
  expect(workerEnvironment({}, '/w')).toMatchObject({
    HOME: '/w',
    TMPDIR: '/w',
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    NODE_ENV: 'production',
    LANGSMITH_TRACING: 'false',
    LANGCHAIN_TRACING_V2: 'false',
    OPENAI_AGENTS_DISABLE_TRACING: '1',
  });
  expect(workerEnvironment({}, '/w')).not.toHaveProperty('PATH');
});
