import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { programFile } from './own-files.ts';

let packages: string;
const [earlier, later] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T00:00:01Z')];

beforeEach(() => {
  packages = mkdtempSync(join(tmpdir(), 'fairlead-program-'));
  mkdirSync(join(packages, 'cli/bin'), { recursive: true });
  cpSync(programFile, join(packages, 'cli/bin/fairlead.mjs'));
  write('cli/package.json', '{ "type": "module" }', earlier);
  write('cli/dist/index.js', "export const main = () => console.info('compiled');", earlier);
});
afterEach(() => rmSync(packages, { recursive: true, force: true }));

function write(path: string, text: string, at: Date): void {
  const file = join(packages, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  utimesSync(file, at, at);
}

const bundle = "export const main = () => console.info('bundled');";
const run = () => execFileSync(process.execPath, [join(packages, 'cli/bin/fairlead.mjs')], { encoding: 'utf8' }).trim();

it('runs the bundle where one was made', () => {
  write('cli/bundle/fairlead.js', bundle, later);
  write('engine/dist/.tsbuildinfo', '', earlier);
  expect(run()).toBe('bundled');
});

it('never runs a bundle that is older than what was compiled in any package', () => {
  write('cli/bundle/fairlead.js', bundle, earlier);
  write('engine/dist/.tsbuildinfo', '', later);
  expect(run()).toBe('compiled');
});

it('runs what was compiled where no bundle was made', () => {
  write('cli/dist/.tsbuildinfo', '', earlier);
  expect(run()).toBe('compiled');
});
