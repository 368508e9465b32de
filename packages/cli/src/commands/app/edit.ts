import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FairleadError } from '@fairlead/base';
import { ApiError } from '@fairlead/contracts';
import type { Command } from 'commander';
import { assertCommit, readInput } from '../../input.ts';
import { diffText } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { findApplication } from './find.ts';
import { sayCommit, tellingProblems } from './problems.ts';

interface EditFlags extends GlobalOptions {
  readonly file?: string;
  readonly base?: string;
  readonly message?: string;
  readonly dryRun?: boolean;
}

export function addAppEdit(app: Command): void {
  app
    .command('edit <name>')
    .description('change the file in Git that defines an application, by a commit: in $EDITOR, or from a file')
    .option('-f, --file <file>', 'the whole new file; - is stdin')
    .option('--base <commit>', 'the commit that the change was made against; default: the branch as it is now')
    .option('-m, --message <text>', 'commit message')
    .option('--dry-run', 'only show the difference')
    .action(async (name: string, _flags, command: Command) => {
      const flags = command.optsWithGlobals<EditFlags>();
      assertCommit('--base', flags.base);
      const api = platformClient(flags);
      const params = await findApplication(api, name);
      const before = await api.call('getApplicationDefinition', { params });
      const text = flags.file === undefined ? await inEditor(before.text, before.path) : await readInput(flags.file);
      if (text === before.text) {
        process.stdout.write('nothing was changed\n');
        return;
      }
      process.stdout.write(diffText(before.text, text));
      if (flags.dryRun) return;
      const { message, base = before.commit } = flags;
      const body = { text, base, ...(message ? { message } : {}) };
      try {
        const { commit } = await tellingProblems(() => api.call('editApplicationDefinition', { params, body }));
        process.stdout.write(sayCommit(commit));
      } catch (error) {
        await keepMine(error, text);
        throw error;
      }
    });
}

async function inEditor(text: string, path: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new FairleadError('bad_usage', 'give the new file with -f; there is no terminal here');
  const file = join(await mkdtemp(join(tmpdir(), 'fairlead-edit-')), path.split('/').at(-1) ?? 'application.yaml');
  await writeFile(file, text);
  const [editor = 'vi', ...args] = (process.env['VISUAL'] || process.env['EDITOR'] || 'vi').split(' ');
  const { status, error } = spawnSync(editor, [...args, file], { stdio: 'inherit' });
  if (error || status !== 0) throw new FairleadError('bad_usage', `${editor} did not end well; nothing was changed`);
  return readFile(file, 'utf8');
}

/** What was written is not lost because somebody else was faster. */
async function keepMine(error: unknown, text: string): Promise<void> {
  if (!(error instanceof ApiError) || error.code !== 'conflict') return;
  const file = join(await mkdtemp(join(tmpdir(), 'fairlead-edit-')), 'yours.yaml');
  await writeFile(file, text);
  const theirs = error.body.details?.['theirs'];
  if (typeof theirs === 'string') process.stderr.write(`- in Git now, + yours\n${diffText(theirs, text)}`);
  process.stderr.write(`your version is kept in ${file}\n`);
}
