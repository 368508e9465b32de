import { defineConfig } from 'vitest/config';
import { LongestFirst } from './vitest.sequence.ts';

export default defineConfig({
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['packages/**/*.test.ts', 'packages/**/*.test.tsx', 'scripts/**/*.test.ts', 'conformance/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    setupFiles: ['./vitest.seed.ts'],
    testTimeout: 60_000, // for a machine that does much else besides
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } }, // conditions come when they come; vitest would give them a second
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    isolate: false, // no test replaces a module, so files may share them: loading them anew was a third of the suite's work
    maxWorkers: 3, // on two cores: rooms with real parts wait for much of their time
    maxConcurrency: 12, // scenarios mostly wait
  },
});
