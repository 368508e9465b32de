import { systemClock } from '@fairlead/base';
import { defaultEngineNamespace, defaultRuntimeNamespace } from '@fairlead/contracts';
import { KubeClient } from '@fairlead/kube';
import type { Command } from 'commander';

interface DetachFlags {
  readonly kubeconfig: string;
  readonly context?: string;
  readonly namespace: string;
  readonly engineNamespace: string;
}

const withinMs = 120_000;
const say = (line: string) => void process.stdout.write(`${line}\n`);

export function addRuntimeDetach(runtime: Command): void {
  runtime
    .command('detach')
    .description(
      'take a runtime that has stopped out of a cluster with an Argo CD of its own, and leave that as it was',
    )
    .requiredOption('--kubeconfig <file>', 'of the cluster')
    .option('--context <name>', 'which context of it; default: its current one')
    .option('--namespace <name>', 'of the runtime', defaultRuntimeNamespace)
    .option('--engine-namespace <name>', 'of Argo CD', defaultEngineNamespace)
    .action(async ({ kubeconfig, context: named, namespace, engineNamespace }: DetachFlags) => {
      const { removeRuntime } = await import('@fairlead/runtime');
      const { chooseContext, explained } = await import('../../managed-cluster/index.ts');
      const terminal = { input: process.stdin, output: process.stderr as NodeJS.WriteStream };
      const place = { file: kubeconfig, env: {}, extraFiles: [], takesCurrent: true };
      const { name: context, connection } = await chooseContext({ context: named, ...place, terminal });
      const client = new KubeClient(connection, { clock: systemClock });
      try {
        const signal = AbortSignal.timeout(withinMs);
        const { removed, kept } = await removeRuntime({ client, runtimeNamespace: namespace, engineNamespace, signal });
        for (const each of removed) say(`removed ${each}`);
        for (const each of kept) say(`kept ${each}`);
        say(
          removed.length === 0 ? 'There was nothing to remove.' : 'Applications, and what they deploy, are untouched.',
        );
      } catch (error) {
        throw explained(error, { context, connection, namespace });
      } finally {
        await client.close();
      }
    });
}
