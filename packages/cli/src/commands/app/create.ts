import { FairleadError } from '@fairlead/base';
import type { ApiClient, GitSourceRow } from '@fairlead/contracts';
import type { Command } from 'commander';
import { dump } from 'js-yaml';
import { readInput } from '../../input.ts';
import { knownRuntime } from '../../known-runtime.ts';
import { plain } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { awaitApplication, isGreen, timeoutOf } from './await.ts';
import { assertOneWay, type ManifestFlags, manifestByFlags } from './manifest-by-flags.ts';
import { inLines, sayCommit, tellingProblems } from './problems.ts';

interface CreateFlags extends GlobalOptions, ManifestFlags {
  readonly file?: string;
  readonly gitSource?: string;
  readonly runtime?: string;
  readonly fileName?: string;
  readonly message?: string;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
  readonly timeout: string;
}

const examples = `
Examples:
  fairlead app create shop --repo https://github.com/team-a/shop.git --path deploy --dest-namespace shop --auto-sync --wait
  fairlead app create -f shop.yaml --dry-run`;

export function addAppCreate(app: Command): void {
  app
    .command('create [name]')
    .description('commit a new Application into the folder of a Git Source')
    .option('-f, --file <file>', 'the Application as YAML; - is stdin')
    .option('--repo <url>', 'in place of a file: the repository of its manifests')
    .option('--path <folder>', 'of the repository; default: its root')
    .option('--revision <revision>', 'branch, tag or commit; default: HEAD')
    .option('--dest-cluster <name>', 'where to, as fairlead cluster list names it; default: in-cluster')
    .option('--dest-namespace <name>', 'default: the name of the application')
    .option('--project <name>', 'default: default')
    .option('--auto-sync', 'follow Git by itself: sync, prune and heal')
    .option('--delete-resources', 'when it is deleted one day, what it deployed goes too')
    .option('--git-source <name>', 'where it shall live; needed when there are several')
    .option('--runtime <name>', 'of which runtime; needed when Git Sources of several have that name')
    .option('--file-name <path>', 'in the folder of the Git Source; default <name>.yaml')
    .option('-m, --message <text>', 'commit message')
    .option('--dry-run', 'check and render only; exit code 1 when it could not be committed')
    .option('--wait', 'until it is healthy and synced')
    .option('--timeout <seconds>', 'how long to wait', '300')
    .addHelpText('after', examples)
    .action(async (named: string | undefined, _flags, command: Command) => {
      const flags = command.optsWithGlobals<CreateFlags>();
      const timeoutMs = timeoutOf(flags.timeout);
      assertOneWay(named, flags.file, flags);
      if (flags.wait && named !== undefined && !flags.autoSync) {
        throw new FairleadError(
          'bad_usage',
          '--wait: nobody syncs it without --auto-sync; add that, or sync it afterwards',
        );
      }
      const given = flags.file === undefined ? undefined : await readInput(flags.file);
      const api = platformClient(flags);
      const { fileName, message } = flags;
      assertFileName(fileName);
      const { runtime, namespace, name } = await chooseGitSource(api, flags);
      const manifest = given ?? manifestByFlags(named ?? '', namespace, flags);
      const definition = { manifest, gitSource: { name, namespace }, ...(fileName ? { fileName } : {}) };
      const params = { runtime };
      if (flags.dryRun) {
        await preview(api, { params, body: definition });
        return;
      }
      const body = { ...definition, ...(message ? { message } : {}) };
      const { commit, application } = await tellingProblems(() => api.call('createApplication', { params, body }));
      process.stdout.write(sayCommit(commit));
      if (!flags.wait) return;
      await awaitApplication(api, { runtime, ...application }, { isDone: isGreen, timeoutMs });
      process.stdout.write(`${plain(application.name)} is Healthy and Synced\n`);
    });
}

async function preview(api: ApiClient, input: Parameters<typeof api.call<'previewApplication'>>[1]): Promise<void> {
  const { problems, manifests = [], file } = await api.call('previewApplication', input);
  process.stderr.write(inLines(problems));
  if (file) process.stderr.write(plain(`would be ${file.path} on ${file.branch} of ${file.repoURL}`).concat('\n'));
  process.stdout.write(
    manifests.map((manifest) => `---\n${dump(manifest, { noRefs: true, lineWidth: 120 })}`).join(''),
  );
  if (problems.some(({ severity }) => severity === 'error')) process.exitCode = 1;
}

function assertFileName(path: string | undefined): void {
  if (path === undefined || /^[A-Za-z0-9][A-Za-z0-9._/-]{0,200}\.ya?ml$/.test(path)) return;
  throw new FairleadError(
    'bad_usage',
    `--file-name ${path}: must be a path below the folder of the Git Source that ends with .yaml, e.g. team-a/shop.yaml`,
  );
}

async function chooseGitSource(
  api: ApiClient,
  { gitSource, runtime }: Pick<CreateFlags, 'gitSource' | 'runtime'>,
): Promise<GitSourceRow> {
  const query = runtime === undefined ? {} : { runtime: await knownRuntime(api, runtime) };
  const { items } = await api.call('listGitSources', { query });
  const found = gitSource === undefined ? items : items.filter(({ name }) => name === gitSource);
  const [only] = found;
  if (found.length === 1 && only) return only;
  const names = items.map(({ runtime: of, name }) => `${name} (${of})`).join(', ') || 'none';
  if (found.length === 0) {
    const which = gitSource === undefined ? 'there is no Git Source yet' : `there is no Git Source ${gitSource}`;
    throw new FairleadError(
      'git_source_missing',
      `${which}; there are: ${names}; fairlead git-source create makes one`,
    );
  }
  throw new FairleadError('bad_usage', `say which Git Source with --git-source and --runtime: ${names}`);
}
