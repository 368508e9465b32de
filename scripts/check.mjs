// `npm run check`: types, lint and format, boundaries, dead code, documents. Every part says what it looked at.
import { bin, checkNode, install, run } from './bootstrap.mjs';

checkNode();
await install();
const node = (script, ...args) => [process.execPath, [script, ...args]];
const parts = {
  types: node(bin('typescript', 'tsc'), '-b'),
  'lint and format': node(bin('@biomejs/biome', 'biome'), 'check', '--error-on-warnings', '.'),
  boundaries: node('scripts/check-boundaries.mjs'),
  'dead code and dependencies': node(bin('knip', 'knip')),
  documents: node('scripts/check-docs.mjs'),
};
let failed = 0;
for (const [name, [command, args]] of Object.entries(parts)) {
  try {
    console.info(`\n# ${name}`);
    await run(command, args);
  } catch (error) {
    failed++;
    console.error(`${name}: ${error.message}`);
  }
}
console.info(`\ncheck: ${Object.keys(parts).length - failed} of ${Object.keys(parts).length} parts are clean`);
process.exit(failed === 0 ? 0 : 1);
