import { createRegistry, defineRole, listen, systemClock } from '@fairlead/base';
import { AssertionVerifier, createAppProxy } from '../app-proxy/index.ts';
import { ArgoCdClient } from '../argo-cd/index.ts';
import { IdentityWatch } from '../identity/index.ts';
import { connectCluster } from './cluster-access.ts';
import { clusterSettings, engineSettings } from './settings.ts';

export const appProxyRole = defineRole({
  name: 'app-proxy',
  settings: {
    appProxyPort: { type: 'integer', help: 'port of the app-proxy; 0 picks a free one', default: 3017 },
    appProxyHost: { type: 'string', help: 'address to listen on', default: '127.0.0.1' },
    ...clusterSettings,
    ...engineSettings,
  },
  async start(config, { log, lifecycle }) {
    const { signal } = lifecycle;
    const clock = systemClock;
    const engine = new ArgoCdClient({ url: config.engineUrl, tokenFile: config.engineTokenFile, clock });
    lifecycle.onStop('engine client', () => engine.close());
    let identities: IdentityWatch | undefined;
    const watchIdentity = async () => {
      const client = await connectCluster({ kubeconfigFile: config.kubeconfigFile, log, clock, signal });
      identities = new IdentityWatch({ client, namespace: config.runtimeNamespace, log, clock });
      await identities.run({ signal });
      await client.close();
    };
    const server = createAppProxy({
      engine,
      verifier: new AssertionVerifier({ clock }),
      identity: () => identities?.current,
      registry: createRegistry('app-proxy'),
      log,
    });
    const { port, close } = await listen(server, { host: config.appProxyHost, port: config.appProxyPort });
    lifecycle.onStop('http server', () => close(5_000));
    lifecycle.background('identity', watchIdentity());
    return { url: `http://${config.appProxyHost}:${port}` };
  },
});
