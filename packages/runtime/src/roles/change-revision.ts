import { join } from 'node:path';
import { ConfigError, Counter, createRegistry, defineRole, systemClock } from '@fairlead/base';
import { defaultEngineNamespace } from '@fairlead/contracts';
import { GitMirrors } from '@fairlead/git';
import { ChangeRevisionController, type ChangeRevisionWriting } from '../change-revision/index.ts';
import { Rendering, RepositorySecrets } from '../source-server/index.ts';
import { connectCluster } from './cluster-access.ts';
import { serveProbes } from './probes.ts';
import { clusterSettings } from './settings.ts';

const ways: readonly ChangeRevisionWriting[] = ['field', 'annotation', 'remove'];

export const changeRevisionRole = defineRole({
  name: 'change-revision',
  settings: {
    ...clusterSettings,
    engineNamespace: {
      type: 'string',
      help: 'namespace of Applications (* watches all) and of repository Secrets',
      default: defaultEngineNamespace,
    },
    changeRevisionDir: { type: 'string', help: 'folder for mirrors of repositories' },
    changeRevisionWriting: {
      type: 'string',
      help: 'where it is written: field (our engine), annotation (an Argo CD of others), remove (take the annotation away)',
      default: 'field',
    },
    changeRevisionPort: { type: 'integer', help: 'port of probes and metrics; none without it', optional: true },
  },
  async start(config, { log, lifecycle }) {
    const writing = ways.find((way) => way === config.changeRevisionWriting);
    if (!writing) {
      throw new ConfigError(`changeRevisionWriting is ${config.changeRevisionWriting}; it must be ${ways.join(', ')}`);
    }
    const { signal } = lifecycle;
    const clock = systemClock;
    const registry = createRegistry('change-revision');
    const found = new Counter({
      name: 'fairlead_change_revision_total',
      help: 'Synchronisations by outcome: found, none, failed',
      labelNames: ['outcome'],
      registers: [registry],
    });
    const mirrors = new GitMirrors({ dir: config.changeRevisionDir, log, clock });
    lifecycle.onStop('git', () => Promise.resolve(mirrors.stop()));
    const isAll = config.engineNamespace === '*';
    let isWatching = false;
    const run = async () => {
      const client = await connectCluster({ kubeconfigFile: config.kubeconfigFile, log, clock, signal });
      const namespace = isAll ? defaultEngineNamespace : config.engineNamespace;
      const secrets = new RepositorySecrets({ client, namespace, log, clock });
      const dir = join(config.changeRevisionDir, 'rendering');
      const rendering = new Rendering({ dir, known: () => secrets.chartRepositories(), clock });
      lifecycle.onStop('renderers', () => rendering.stop());
      const controller = new ChangeRevisionController(
        { client, mirrors, secrets, rendering, found, log, clock },
        {
          namespace: isAll ? undefined : config.engineNamespace,
          writing,
        },
      );
      const onWatching = () => {
        isWatching = true;
      };
      await controller.run({ signal, onWatching }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      await client.close();
    };
    lifecycle.background('change revision', run());
    return serveProbes(config.changeRevisionPort, { registry, lifecycle, isReady: () => isWatching });
  },
});
