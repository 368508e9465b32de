import { join } from 'node:path';
import { createRegistry, defineRole, listen, retry, systemClock } from '@fairlead/base';
import { defaultEngineNamespace } from '@fairlead/contracts';
import { GitMirrors } from '@fairlead/git';
import { checkConnectionPlace } from '@fairlead/kube';
import { RepositoryCredentials, RepositoryTrust } from '@fairlead/render';
import { createSourceServer, ensureSourceKey, Rendering, Sources } from '../source-server/index.ts';
import { connectCluster, repositoryAccess } from './cluster-access.ts';
import { clusterSettings } from './settings.ts';

type Key = Awaited<ReturnType<typeof ensureSourceKey>>;

export const sourceServerRole = defineRole({
  name: 'source-server',
  settings: {
    sourceServerPort: { type: 'integer', help: 'port of the source server; 0 picks a free one', default: 3018 },
    sourceServerHost: { type: 'string', help: 'address to listen on', default: '127.0.0.1' },
    sourceServerDir: { type: 'string', help: 'folder for mirrors, renders and charts; may be lost' },
    ...clusterSettings,
    engineNamespace: {
      type: 'string',
      help: 'namespace of repository Secrets; * means that of Argo CD',
      default: defaultEngineNamespace,
    },
  },
  async start(config, { log, lifecycle }) {
    checkConnectionPlace(config);
    const { signal } = lifecycle;
    const clock = systemClock;
    const { sourceServerDir: dir, runtimeNamespace } = config;
    const registry = createRegistry('source-server');
    let credentials: RepositoryCredentials | undefined;
    let trust: RepositoryTrust | undefined;
    const mirrors = new GitMirrors({ dir, log, clock, trust: () => trust?.current ?? {} });
    lifecycle.onStop('git', () => Promise.resolve(mirrors.stop()));
    let key: Key | undefined;
    let isReady = false;
    const rendering = new Rendering({
      dir: join(dir, 'rendering'),
      known: () => credentials?.chartRepositories() ?? [],
      authoritiesFor: (hostname) => trust?.authoritiesFor(hostname),
      clock,
    });
    lifecycle.onStop('renderers', () => rendering.stop());
    const run = async () => {
      const client = await connectCluster({ ...config, log, clock, signal });
      const access = repositoryAccess({ client, engineNamespace: config.engineNamespace, log, clock });
      credentials = new RepositoryCredentials(access);
      trust = new RepositoryTrust(access);
      const watching = Promise.all([credentials.run({ signal }), trust.run({ signal })]);
      await Promise.all([credentials.synced({ signal }), trust.synced({ signal })]);
      // The namespace comes with the registration.
      const again = { attempts: Number.POSITIVE_INFINITY, baseMs: 200, maxMs: 2_000, signal, clock };
      key = await retry(() => ensureSourceKey(client, { namespace: runtimeNamespace, signal }), again);
      isReady = true;
      await watching;
      await client.close();
    };
    const sources = new Sources({ mirrors, rendering, credentialsFor: (url) => credentials?.for(url) });
    const server = createSourceServer({ sources, key: () => key, isReady: () => isReady, registry, log });
    const { port, close } = await listen(server, { host: config.sourceServerHost, port: config.sourceServerPort });
    lifecycle.onStop('http server', () => close(5_000));
    lifecycle.background('repository secrets', run());
    return { url: `http://${config.sourceServerHost}:${port}` };
  },
});
