// The three steps of the set-up, one after the other; each that is done already is passed over.
import { text } from 'node:stream/consumers';
import { FairleadError, sleep, systemClock } from '@fairlead/base';
import {
  type ApiClient,
  type GitProviderKind,
  gitProviders,
  repositoryAddress,
  type SetupState,
} from '@fairlead/contracts';
import type { Command } from 'commander';
import { assertUsername, gitProviderKinds, gitProviderOf, giveGitToken } from '../git-token.ts';
import { findHome, type Home, readApiKey, readEndpoints } from '../home/index.ts';
import { plain } from '../output/index.ts';
import { type GlobalOptions, platformClient } from '../platform-client.ts';
import { askSecret } from '../prompt.ts';

interface SetupFlags extends GlobalOptions {
  readonly gitProvider: string;
  readonly gitUrl?: string;
  readonly username?: string;
  readonly org?: string;
  readonly gitSource: string;
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly clusterName?: string;
}

const isConnectable = (kind: GitProviderKind) => kind !== 'other';

const installedWithinMs = 120_000;
const seenWithinMs = 60_000;

export function addSetup(program: Command): void {
  program
    .command('setup')
    .description('set up what is missing: a runtime, a Git provider with the configuration repository, a cluster')
    .option('--git-provider <kind>', gitProviderKinds.filter(isConnectable).join(', '), 'builtin')
    .option('--git-url <url>', 'where the provider is (default: the built-in git server, or the public service)')
    .option('--username <name>', 'Gerrit: the user name; Bitbucket: the Atlassian e-mail of an API token')
    .option('--org <name>', 'organisation for the two repositories (default: the first that the token may use)')
    .option('--git-source <name>', 'name of the first Git Source', 'default')
    .option('--context <name>', 'context of the kubeconfig (default on a laptop: its own cluster)')
    .option('--kubeconfig <file>', 'default: $KUBECONFIG or ~/.kube/config')
    .option('--cluster-name <name>', 'what the cluster is called here (default: the context, on a laptop: laptop)')
    .addHelpText('after', '\nThe token of the provider is asked for, or read from stdin; the built-in one needs none.')
    .action(async (_flags, command: Command) => run(command.optsWithGlobals<SetupFlags>()));
}

const say = (line: string) => void process.stdout.write(`${plain(line)}\n`);

async function run(flags: SetupFlags): Promise<void> {
  const home = findHome(flags.home, process.env);
  const provider = providerOf(flags); // before anything is installed
  const api = platformClient(flags);
  let state = await api.call('getSetup', {});
  state = await stepRuntime(api, state);
  const runtime = state.runtime.name ?? 'hosted';
  if (state.git.status === 'done') say(`2/3 Git: ${state.git.sharedConfigRepo ?? ''}`);
  else state = await stepGit(api, { runtime, home, flags, provider });
  if (state.cluster.status === 'done') say(`3/3 cluster: ${state.cluster.clusters.map(({ name }) => name).join(', ')}`);
  else state = await stepCluster(api, { runtime, home, flags });
  say('Set up. What is next: fairlead app create NAME --repo URL --path FOLDER --auto-sync, or -f FILE.');
}

async function stepRuntime(api: ApiClient, before: SetupState): Promise<SetupState> {
  if (before.runtime.status === 'done') {
    say(`1/3 runtime: ${before.runtime.name ?? ''}`);
    return before;
  }
  const { name } = await api.call('installHostedRuntime', { body: {} });
  say(`1/3 runtime: installing ${name}`);
  const told = new Set<string>();
  return until(api, installedWithinMs, `runtime ${name} is not installed`, (state) => {
    for (const { title, status } of state.runtime.install?.steps ?? []) {
      if (status === 'waiting' || told.has(title)) continue;
      told.add(title);
      say(`    ${title}`);
    }
    if (state.runtime.status === 'failed') {
      throw new FairleadError(
        'install_failed',
        state.runtime.install?.message ?? `runtime ${name} could not be installed`,
      );
    }
    return state.runtime.status === 'done';
  });
}

interface Step {
  readonly runtime: string;
  readonly home: Home;
  readonly flags: SetupFlags;
}

async function stepGit(
  api: ApiClient,
  { runtime, home, flags, provider }: Step & { readonly provider: GitProviderKind },
): Promise<SetupState> {
  const { username } = flags;
  const url = urlOf(provider, flags, home);
  const token = provider === 'builtin' ? readApiKey(home) : await askToken(url);
  const given = await giveGitToken(api, { runtime, url, provider, token, username });
  if (given.problem) say(`    the token: ${given.problem}`);
  const org = flags.org ?? (await firstOrganisation(api, runtime, url));
  const address = (name: string) => repositoryAddress({ provider, url, organisation: org, name });
  const sharedConfigRepo = address('shared-config');
  const gitSource = { name: flags.gitSource, repoURL: address('applications') };
  say(`2/3 Git: ${sharedConfigRepo} and ${gitSource.repoURL}`);
  const { created, commits } = await api.call('connectConfiguration', {
    params: { runtime },
    body: { sharedConfigRepo, gitSource },
  });
  for (const repository of created) say(`    made ${repository}`);
  for (const { sha, repoURL } of commits) say(`    commit ${sha.slice(0, 7)} in ${repoURL}`);
  return until(api, seenWithinMs, 'the runtime does not follow the repository', ({ git }) => git.status === 'done');
}

async function stepCluster(api: ApiClient, { runtime, home, flags }: Step): Promise<SetupState> {
  const { addCluster, chooseContext } = await import('../managed-cluster/index.ts');
  const isLaptop = flags.context === undefined && flags.kubeconfig === undefined;
  const context = await chooseContext({
    context: flags.context,
    file: isLaptop ? home.kubeconfigFile : flags.kubeconfig,
    env: process.env,
    extraFiles: [home.kubeconfigFile],
    terminal: { input: process.stdin, output: process.stderr as NodeJS.WriteStream },
  });
  const name = flags.clusterName ?? (isLaptop ? 'laptop' : context.name);
  say(`3/3 cluster: ${name} at ${context.connection.server}`);
  const row = await addCluster(api, {
    runtime,
    name,
    context,
    namespace: 'kube-system',
    leastRights: false,
    labels: undefined,
    annotations: undefined,
    clock: systemClock,
    signal: new AbortController().signal,
    say: (line) => say(`    ${line}`),
  });
  if (row.status === 'Failed') throw new FairleadError('cluster_unreachable', `cluster ${name}: ${row.message ?? ''}`);
  return until(api, seenWithinMs, `cluster ${name} is not connected`, ({ cluster }) => cluster.status === 'done');
}

function providerOf({ gitProvider: named, gitUrl, username }: SetupFlags): GitProviderKind {
  const kind = gitProviderOf('--git-provider', named);
  if (!isConnectable(kind))
    throw new FairleadError('bad_usage', `--git-provider ${named}: a plain git server cannot make repositories`);
  assertUsername(kind, username);
  const { label, url = gitUrl } = gitProviders[kind];
  if (url === undefined && kind !== 'builtin')
    throw new FairleadError('bad_usage', `${label} has no public address; give yours by --git-url`);
  return kind;
}

function urlOf(provider: GitProviderKind, { gitUrl }: SetupFlags, home: Home): string {
  return (gitUrl ?? gitProviders[provider].url ?? readEndpoints(home).git).replace(/\/+$/, '');
}

async function askToken(url: string): Promise<string> {
  const given = process.stdin.isTTY ? await askSecret(`Token for ${url}: `) : await text(process.stdin);
  if (given.trim() !== '') return given.trim();
  throw new FairleadError('bad_usage', `no token for ${url} was given; type it, or pipe it into the command`);
}

async function firstOrganisation(api: ApiClient, runtime: string, url: string): Promise<string> {
  const { host } = new URL(url);
  const { items } = await api.call('listGitOrganisations', { params: { runtime }, query: { host } });
  return items[0]?.name ?? 'fairlead';
}

async function until(
  api: ApiClient,
  withinMs: number,
  otherwise: string,
  isDone: (state: SetupState) => boolean,
): Promise<SetupState> {
  const deadline = systemClock.monotonic() + withinMs;
  for (;;) {
    const state = await api.call('getSetup', {});
    if (isDone(state)) return state;
    if (systemClock.monotonic() > deadline) {
      throw new FairleadError(
        'timeout',
        `${otherwise} after ${withinMs / 1000} s; see fairlead runtime get, and the logs`,
      );
    }
    await sleep(200);
  }
}
