import { defineConfig } from 'vitest/config';

/** Long proofs: `npm run prove -- ROOM`. Their sampled forms run in the default suite. */
export default defineConfig({
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['packages/**/*.prove.ts', 'conformance/**/*.prove.ts', 'e2e/**/*.prove.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
  },
});
