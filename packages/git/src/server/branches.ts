import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exec } from '@fairlead/base';
import { gitEnvironment } from '../mirror/index.ts';

/** Ordered by name, as JavaScript compares texts. */
export async function listBranches(gitDir: string): Promise<{ name: string; commit: string }[]> {
  const args = ['--git-dir', gitDir, 'for-each-ref', '--format=%(objectname) %(refname:strip=2)', 'refs/heads'];
  const { stdout } = await exec('git', args, { env: gitEnvironment(), timeoutMs: 30_000 });
  const lines = stdout.toString('utf8').split('\n').filter(Boolean);
  const branches = lines.map((line) => ({ name: line.slice(41), commit: line.slice(0, 40) }));
  return branches.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The branch HEAD names, whether or not it has a commit. */
export async function readDefaultBranch(gitDir: string): Promise<string> {
  const head = await readFile(join(gitDir, 'HEAD'), 'utf8');
  return /^ref: refs\/heads\/(\S+)/.exec(head)?.[1] ?? 'main';
}
