import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bootstrap.mjs';
import { checkBoundaries } from './boundaries.mjs';

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).split(
  '\n',
);
const files = listed
  .filter((path) => /^(packages|e2e|bench|conformance|scripts)\/.*\.(ts|tsx|mts|mjs)$/.test(path))
  .filter((path) => existsSync(join(root, path)) && !path.includes('testdata/'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
const { packages } = JSON.parse(readFileSync(join(root, 'boundaries.json'), 'utf8'));
const declared = Object.fromEntries(
  Object.keys(packages)
    .map((name) => [name, join(root, 'packages', name, 'package.json')])
    .filter(([, file]) => existsSync(file))
    .map(([name, file]) => [name, Object.keys(JSON.parse(readFileSync(file, 'utf8')).dependencies ?? {})]),
);
const result = checkBoundaries(files, packages, declared);
for (const violation of result.violations) console.error(violation);
console.info(
  `boundaries: checked ${result.files} files, ${result.imports} imports, ${result.violations.length} violations`,
);
if (result.files === 0 || result.imports === 0 || result.violations.length > 0) process.exit(1);
