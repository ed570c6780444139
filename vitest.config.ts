import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules', 'dist', 'runs'],
    testTimeout: 30_000,
    pool: 'forks',
  },
});
