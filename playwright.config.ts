import { defineConfig } from '@playwright/test';
import { findBrowser } from './scripts/browser.mjs';

const browser = await findBrowser();

const long = /(platform-away|restart|tunnel-faults|two-runtimes)\.spec\.ts$/;

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  outputDir: 'test-results/failures',
  timeout: 120_000,
  expect: { timeout: 30_000 },
  workers: 2, // each file has an installation of its own; more only wait for the two cores
  fullyParallel: false,
  // The longest first: they would run alone at the end.
  projects: [
    { name: 'long', testMatch: long },
    { name: 'others', testIgnore: long },
  ],
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  use: {
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure', // a trace would film every test to keep few: a fifth of the journeys' work
    launchOptions: {
      executablePath: browser.executablePath,
      args: browser.args,
      env: { ...(process.env as Record<string, string>), ...browser.env },
    },
  },
});
