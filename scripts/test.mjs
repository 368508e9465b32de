// `npm test`: everything of the default suite, from a fresh clone. The last line counts.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
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
const failures = [];
const vitest = readReport(vitestJson);
counts.passed += vitest.numPassedTests;
counts.failed += vitest.numFailedTests;
counts.skipped += vitest.numPendingTests + vitest.numTodoTests;
for (const file of vitest.testResults) {
  for (const test of file.assertionResults.filter(({ status }) => status === 'failed')) {
    failures.push(`${relative(root, file.name)} > ${test.fullName}\n${excerpt(test.failureMessages.join('\n'))}`);
  }
  if (file.status === 'failed' && file.message) failures.push(`${relative(root, file.name)}\n${excerpt(file.message)}`);
}
if (only.length === 0) {
  const { stats } = readReport(join(results, 'playwright.json'));
  counts.passed += stats.expected;
  counts.failed += stats.unexpected + stats.flaky;
  counts.skipped += stats.skipped;
}
// A suite that broke outside its tests is a failure too.
if (failedSuites > 0 && counts.failed === 0) counts.failed = failedSuites;
// Again at the end: who reads only the last lines of a long log must learn what failed.
if (failures.length > 0) console.error(`\nUnit and room tests that failed:\n\n${failures.join('\n\n')}\n`);
console.info(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);

function excerpt(message) {
  return message
    .split('\n')
    .slice(0, 15)
    .map((line) => `    ${line}`)
    .join('\n');
}

/** A suite without a report did not run, and that is not a pass. */
function readReport(file) {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  console.error(`${file} is missing: the suite did not run to its end`);
  console.info('0 passed, 1 failed, 0 skipped');
  process.exit(1);
}
