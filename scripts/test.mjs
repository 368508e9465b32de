// `npm test`: everything of the default suite, from a fresh clone. The last line counts.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bin, build, checkNode, install, ownTemporaryFolder, root, run } from './bootstrap.mjs';

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
const env = ownTemporaryFolder();
let failedSuites = 0;
for (const suite of suites) {
  await run(process.execPath, suite, { env }).catch((error) => {
    failedSuites++;
    console.error(error.message);
  });
}

const counts = { passed: 0, failed: 0, skipped: 0 };
const vitest = readReport(vitestJson);
counts.passed += vitest.numPassedTests;
counts.failed += vitest.numFailedTests;
counts.skipped += vitest.numPendingTests + vitest.numTodoTests;
if (only.length === 0) {
  const { stats } = readReport(join(results, 'playwright.json'));
  counts.passed += stats.expected;
  counts.failed += stats.unexpected + stats.flaky;
  counts.skipped += stats.skipped;
}
// A suite that broke outside its tests is a failure too.
if (failedSuites > 0 && counts.failed === 0) counts.failed = failedSuites;
console.info(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);

/** A suite without a report did not run, and that is not a pass. */
function readReport(file) {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  console.error(`${file} is missing: the suite did not run to its end`);
  console.info('0 passed, 1 failed, 0 skipped');
  process.exit(1);
}
