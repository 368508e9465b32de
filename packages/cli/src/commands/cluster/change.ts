// What is done with a cluster that is connected: new credentials, labels, and the end of it.
import { FairleadError, systemClock } from '@fairlead/base';
import type { ApiClient } from '@fairlead/contracts';
import type { Command } from 'commander';
import { findHome } from '../../home/index.ts';
import { knownRuntime } from '../../known-runtime.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';

interface RuntimeFlags extends GlobalOptions {
  readonly runtime?: string;
}

const runtimeOption = ['--runtime <name>', 'of which runtime; needed when several have such a cluster'] as const;

export function addClusterRemove(cluster: Command): void {
  cluster
    .command('remove <name>')
    .description('unlink a cluster from its runtime; what runs there stays as it is')
    .option(...runtimeOption)
    .action(async (name: string, _flags, command: Command) => {
      const flags = command.optsWithGlobals<RuntimeFlags>();
      const api = platformClient(flags);
      const { runtime } = await findCluster(api, name, flags.runtime);
      const { server, commit } = await api.call('removeCluster', { params: { runtime, cluster: name } });
      const how = commit ? `, commit ${commit.sha.slice(0, 7)}` : '';
      process.stdout.write(`cluster ${name} (${server}) is unlinked from ${runtime}${how}; what runs there stays\n`);
    });
}

export function addClusterLabel(cluster: Command): void {
  cluster
    .command('label <name>')
    .description('set the labels or annotations of a cluster by a commit; what is given replaces all that are there')
    .option(...runtimeOption)
    .option('--labels <pairs>', 'key=value,…; empty for none')
    .option('--annotations <pairs>', 'key=value,…; empty for none')
    .action(async (name: string, _flags, command: Command) => {
      const { parsePairs } = await import('../../managed-cluster/index.ts');
      const flags = command.optsWithGlobals<RuntimeFlags & { labels?: string; annotations?: string }>();
      const labels = parsePairs('--labels', flags.labels);
      const annotations = parsePairs('--annotations', flags.annotations);
      if (!labels && !annotations)
        throw new FairleadError('bad_usage', 'say what to change: --labels team=core, or --annotations …');
      const api = platformClient(flags);
      const { runtime } = await findCluster(api, name, flags.runtime);
      const body = { ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) };
      const { commit } = await api.call('updateCluster', { params: { runtime, cluster: name }, body });
      const how = commit ? ` by commit ${commit.sha.slice(0, 7)} in ${commit.path}` : '';
      process.stdout.write(`cluster ${name} of ${runtime} is labelled${how}\n`);
    });
}

interface RotateFlags extends RuntimeFlags {
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly namespace: string;
  readonly leastRights?: boolean;
}

export function addClusterRotate(cluster: Command): void {
  cluster
    .command('rotate <name>')
    .description('give the runtime a new token for a cluster; older ones end')
    .option(...runtimeOption)
    .option('--context <name>', 'which context of the kubeconfig; asked for on a terminal')
    .option('--kubeconfig <file>', "default: $KUBECONFIG or ~/.kube/config, and the laptop's own cluster")
    .option('--namespace <name>', 'of the ServiceAccount', 'kube-system')
    .option('--least-rights', 'only what applications usually consist of')
    .action(async (name: string, _flags, command: Command) => {
      const { chooseContext, grantAccess, sealCredentials } = await import('../../managed-cluster/index.ts');
      const flags = command.optsWithGlobals<RotateFlags>();
      const api = platformClient(flags);
      const { runtime, server } = await findCluster(api, name, flags.runtime);
      const context = await chooseContext({
        context: flags.context,
        file: flags.kubeconfig,
        env: process.env,
        extraFiles: [findHome(flags.home, process.env).kubeconfigFile],
        terminal: { input: process.stdin, output: process.stderr as NodeJS.WriteStream },
      });
      if (context.connection.server !== server) {
        throw new FairleadError(
          'bad_usage',
          `--context ${context.name}: is at ${context.connection.server}, but cluster ${name} is at ${server}; choose its context`,
        );
      }
      const granted = await grantAccess({
        runtime,
        namespace: flags.namespace,
        leastRights: flags.leastRights ?? false,
        connection: context.connection,
        context: context.name,
        renew: true,
        clock: systemClock,
        signal: new AbortController().signal,
      });
      const sealed = await sealCredentials(api, { runtime, server, credentials: granted.credentials });
      await api.call('rotateCluster', { params: { runtime, cluster: name }, body: { sealed } });
      await granted.dropOlder();
      process.stdout.write(`cluster ${name} of ${runtime} has a new token\n`);
    });
}

async function findCluster(api: ApiClient, name: string, runtime: string | undefined) {
  const query = runtime === undefined ? {} : { runtime: await knownRuntime(api, runtime) };
  const { items } = await api.call('listClusters', { query });
  const found = items.filter((row) => row.name === name);
  const [only] = found;
  if (only && found.length === 1) return only;
  if (!only) {
    const names = items.map((row) => row.name).join(', ') || 'none';
    throw new FairleadError('not_found', `there is no cluster ${name}; there are: ${names}`);
  }
  throw new FairleadError('bad_usage', `say which with --runtime: ${found.map((row) => row.runtime).join(', ')}`);
}
