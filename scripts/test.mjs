// `npm test`: everything of the default suite, from a fresh clone. The last line counts.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bin, build, checkNode, install, root, run } from './bootstrap.mjs';

checkNode();
await install();
await build();

const results = join(root, 'test-results');
rmSync(results, { recursive: true, force: true });
const only = process.argv.slice(2);
const vitestJson = join(results, 'vitest.json');
const suites = [
  [bin('vitest', 'vitest'), 'run', '--reporter=default', '--reporter=json', `--outputFile=${vitestJson}`, ...only],
  ...(only.length > 0 ? [] : [[bin('@playwright/test', 'playwright'), 'test']]),
];
let failedSuites = 0;
for (const suite of suites) {
  await run(process.execPath, suite).catch((error) => {
    failedSuites++;
    console.error(error.message);
  });
}

const counts = { passed: 0, failed: 0, skipped: 0 };
const vitest = readReport(vitestJson);
if (vitest) {
  counts.passed += vitest.numPassedTests;
  counts.failed += vitest.numFailedTests;
  counts.skipped += vitest.numPendingTests + vitest.numTodoTests;
}
const playwright = only.length > 0 ? undefined : readReport(join(results, 'playwright.json'));
if (playwright) {
  counts.passed += playwright.stats.expected;
  counts.failed += playwright.stats.unexpected + playwright.stats.flaky;
  counts.skipped += playwright.stats.skipped;
}
// A suite that broke before it could count is a failure too.
if (failedSuites > 0 && counts.failed === 0) counts.failed = failedSuites;
console.info(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
