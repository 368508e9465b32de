import { FairleadError, systemClock } from '@fairlead/base';
import type { Command } from 'commander';
import { dump } from 'js-yaml';
import { findHome } from '../../home/index.ts';
import { plain } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { chooseRuntime } from '../runtime/choose.ts';

interface AddFlags extends GlobalOptions {
  readonly context?: string;
  readonly name?: string;
  readonly kubeconfig?: string;
  readonly labels?: string;
  readonly annotations?: string;
  readonly namespace: string;
  readonly leastRights?: boolean;
  readonly dryRun?: boolean;
}

export function addClusterAdd(cluster: Command): void {
  cluster
    .command('add [runtime]')
    .description('let a runtime deploy to the cluster of a context of your kubeconfig')
    .option('--context <name>', 'which context; asked for on a terminal')
    .option('--name <name>', 'what the cluster is called here (default: the name of the context)')
    .option('--kubeconfig <file>', "default: $KUBECONFIG or ~/.kube/config, and the laptop's own cluster")
    .option('--labels <pairs>', 'key=value,… of the cluster')
    .option('--annotations <pairs>', 'key=value,… of the cluster')
    .option('--namespace <name>', 'where the ServiceAccount is made', 'kube-system')
    .option('--least-rights', 'only what applications usually consist of: no roles, CRDs, nodes, webhooks')
    .option('--dry-run', 'only print what would be applied to the cluster')
    .addHelpText('after', '\nExample:\n  fairlead cluster add --context prod-eu --labels region=eu')
    .action(async (named: string | undefined, _flags, command: Command) => {
      await run(named, command.optsWithGlobals<AddFlags>());
    });
}

async function run(named: string | undefined, flags: AddFlags): Promise<void> {
  const { accessManifests, addCluster, chooseContext, parsePairs } = await import('../../managed-cluster/index.ts');
  const home = findHome(flags.home, process.env);
  const labels = parsePairs('--labels', flags.labels);
  const annotations = parsePairs('--annotations', flags.annotations);
  const context = await chooseContext({
    context: flags.context,
    file: flags.kubeconfig,
    env: process.env,
    extraFiles: [home.kubeconfigFile],
    terminal: { input: process.stdin, output: process.stderr as NodeJS.WriteStream },
  });
  const api = platformClient(flags);
  const runtime = await chooseRuntime(api, named, flags);
  const name = nameOf(flags.name, context.name);
  const access = { runtime, namespace: flags.namespace, leastRights: flags.leastRights ?? false };
  if (flags.dryRun) {
    const documents = accessManifests(access).map((manifest) => dump(manifest, { noRefs: true }));
    process.stdout.write(
      `# to ${context.connection.server} (context ${context.name}), as cluster ${name} of ${runtime}\n`,
    );
    process.stdout.write(documents.join('---\n'));
    return;
  }
  const row = await addCluster(api, {
    ...access,
    name,
    context,
    labels,
    annotations,
    clock: systemClock,
    signal: new AbortController().signal,
    say: (line) => process.stdout.write(`${plain(line)}\n`),
  });
  if (row.status === 'Failed') {
    throw new FairleadError(
      'cluster_unreachable',
      `cluster ${name} is registered, but does not answer: ${row.message ?? ''}`,
    );
  }
  process.stdout.write(`cluster ${name} is connected to ${runtime}: Kubernetes ${row.version ?? ''}\n`);
}

function nameOf(given: string | undefined, context: string): string {
  if (given !== undefined) return given;
  const name = context
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 53);
  if (name !== '') return name;
  throw new FairleadError('bad_usage', `--name: the context ${context} gives no name for the cluster; say one`);
}
