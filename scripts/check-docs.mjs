// Every relative link and image in our Markdown leads to a file, and no document names this or that machine's paths.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './bootstrap.mjs';

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path && existsSync(join(root, path)));
let links = 0;
const broken = [];
for (const file of files) {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/```[\s\S]*?```/g, '');
  for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^(https?:|mailto:|#)/.test(target)) continue;
    links++;
    if (!existsSync(join(root, dirname(file), target.split('#')[0]))) broken.push(`${file}: ${target} is not there`);
  }
}
for (const line of broken) console.error(line);
console.info(`documents: ${files.length} files, ${links} links, ${broken.length} broken`);
if (files.length === 0 || broken.length > 0) process.exit(1);
