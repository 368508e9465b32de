import { FairleadError } from '@fairlead/base';
import type { ApiClient, GitSourceSettings } from '@fairlead/contracts';
import type { Command } from 'commander';
import { knownRuntime } from '../../known-runtime.ts';
import { parseFormat, plain, render } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { confirm } from '../../prompt.ts';
import { chooseRuntime } from '../runtime/choose.ts';
import { changedLimits, type LimitFlags, newLimits, withLimits } from './limits.ts';

interface SourceFlags extends GlobalOptions, LimitFlags {
  readonly runtime?: string;
  readonly gitSrcRepo?: string;
  readonly branch?: string;
  readonly path?: string;
  readonly include?: string;
  readonly exclude?: string;
  readonly message?: string;
}

const runtimeOption = ['--runtime <name>', 'of which runtime; needed when there are several'] as const;

function withSettings(command: Command): Command {
  return command
    .option(...runtimeOption)
    .option('--git-src-repo <url>', 'HTTPS address of the repository')
    .option('--branch <name>', 'default: main')
    .option('--path <folder>', 'folder of the repository; default: its root')
    .option('--include <glob>', 'which files; default: *')
    .option('--exclude <glob>', 'which files not');
}

function settingsOf({ gitSrcRepo, branch, path, include, exclude }: SourceFlags) {
  const given = { repoURL: gitSrcRepo, branch, path, include, exclude };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<
    Omit<GitSourceSettings, 'name'>
  >; // absent members left out, the others as they are
}

function requiredRepo({ gitSrcRepo }: SourceFlags): string {
  if (gitSrcRepo) return gitSrcRepo;
  throw new FairleadError('bad_usage', '--git-src-repo: say which repository, e.g. https://github.com/team-a/apps.git');
}

export function addGitSourceCreate(gitSource: Command): void {
  withLimits(withSettings(gitSource.command('create <name>')))
    .description('have a runtime deploy the applications of a folder in Git')
    .option('--restricted', 'keep its applications within limits, which --allow… and --deny… give')
    .option('--create-repo', 'make the repository first')
    .option('--message <text>', 'of the commit')
    .action(async (name: string, _flags, command: Command) => {
      const flags = command.optsWithGlobals<SourceFlags & { createRepo?: boolean }>();
      const repoURL = requiredRepo(flags);
      const api = platformClient(flags);
      const runtime = await chooseRuntime(api, flags.runtime, flags);
      const { message, createRepo } = flags;
      const extra = { ...(message ? { message } : {}), ...(createRepo ? { createRepository: true } : {}) };
      const restricted = newLimits(flags, repoURL);
      const body = { ...settingsOf(flags), name, repoURL, ...extra, ...(restricted ? { restricted } : {}) };
      const { commit } = await api.call('createGitSource', { params: { runtime }, body });
      process.stdout.write(
        `Git Source ${name} of ${runtime}: commit ${commit.sha.slice(0, 7)}, ${plain(commit.path)}\n`,
      );
    });
}

export function addGitSourceEdit(gitSource: Command): void {
  withLimits(withSettings(gitSource.command('edit <name>')))
    .description('change where a Git Source takes its applications from')
    .option('--message <text>', 'of the commit')
    .action(async (name: string, _flags, command: Command) => {
      const flags = command.optsWithGlobals<SourceFlags>();
      const api = platformClient(flags);
      const limited = changedLimits(flags);
      const settings = settingsOf(flags);
      if (Object.keys(settings).length === 0 && !limited)
        throw new FairleadError('bad_usage', 'say what to change, e.g. --path apps');
      const runtime = await runtimeOf(api, name, flags.runtime);
      const { gitSource: known } = await api.call('getGitSource', { params: { runtime, gitSource: name } });
      const changes = limited ? { ...settings, restricted: limited(known) } : settings;
      const body = { ...changes, ...(flags.message ? { message: flags.message } : {}) };
      const { commit } = await api.call('updateGitSource', { params: { runtime, gitSource: name }, body });
      const what = commit.changed ? `commit ${commit.sha.slice(0, 7)}, ${plain(commit.path)}` : 'is like this already';
      process.stdout.write(`Git Source ${name} of ${runtime}: ${what}\n`);
    });
}

export function addGitSourceDelete(gitSource: Command): void {
  gitSource
    .command('delete <name>')
    .description('remove a Git Source; its applications go on, and nothing in Git manages them any more')
    .option(...runtimeOption)
    .option('--yes', 'do not ask')
    .action(async (name: string, _flags, command: Command) => {
      const flags = command.optsWithGlobals<SourceFlags & { yes?: boolean }>();
      const api = platformClient(flags);
      const runtime = await runtimeOf(api, name, flags.runtime);
      const isMeant =
        flags.yes ?? (process.stdin.isTTY ? await confirm(`Remove Git Source ${name} of ${runtime}?`) : false);
      if (!isMeant) throw new FairleadError('bad_usage', 'nothing was removed; --yes removes without a question');
      const { commit } = await api.call('deleteGitSource', { params: { runtime, gitSource: name } });
      process.stdout.write(`Git Source ${name} of ${runtime} is removed: commit ${commit.sha.slice(0, 7)}\n`);
    });
}

export function addGitSourcePreview(gitSource: Command): void {
  withSettings(gitSource.command('preview'))
    .description('which files a Git Source with these settings would take; nothing is changed')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (_flags, command: Command) => {
      const flags = command.optsWithGlobals<SourceFlags & { output: string }>();
      const format = parseFormat(flags.output);
      const query = { ...settingsOf(flags), repoURL: requiredRepo(flags) };
      const api = platformClient(flags);
      const runtime = await chooseRuntime(api, flags.runtime, flags);
      const answer = await api.call('previewGitSource', { params: { runtime }, query });
      const columns = [
        { title: 'FILE', value: (row: (typeof answer.files)[number]) => plain(row.path) },
        { title: 'TAKEN', value: (row: (typeof answer.files)[number]) => (row.included ? 'yes' : 'no') },
        {
          title: 'HOLDS',
          value: (row: (typeof answer.files)[number]) => plain(row.problem ?? row.holds?.join(', ') ?? ''),
        },
      ];
      process.stdout.write(render(format, answer, answer.files, columns));
    });
}

/** The runtime that was named, or the only one that has it. */
async function runtimeOf(api: ApiClient, name: string, named: string | undefined): Promise<string> {
  const query = named === undefined ? {} : { runtime: await knownRuntime(api, named) };
  const { items } = await api.call('listGitSources', { query });
  const runtimes = items.filter((row) => row.name === name).map((row) => row.runtime);
  const [only] = runtimes;
  if (only && runtimes.length === 1) return only;
  if (runtimes.length > 1) throw new FairleadError('bad_usage', `say which with --runtime: ${runtimes.join(', ')}`);
  const names = items.map((row) => row.name).join(', ') || 'none';
  throw new FairleadError('not_found', `there is no Git Source ${name}; there are: ${names}`);
}
