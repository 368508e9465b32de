import { createRegistry, defineRole, systemClock } from '@fairlead/base';
import { IdentityWatch } from '../identity/index.ts';
import { keepTunnel } from '../tunnel-client/index.ts';
import { connectCluster } from './cluster-access.ts';
import { clusterSettings } from './settings.ts';

export const tunnelClientRole = defineRole({
  name: 'tunnel-client',
  settings: {
    ...clusterSettings,
    routerUrl: { type: 'string', help: 'base URL of the request router' },
  },
  start(config, { log, lifecycle }) {
    const { signal } = lifecycle;
    const clock = systemClock;
    const run = async () => {
      const client = await connectCluster({ kubeconfigFile: config.kubeconfigFile, log, clock, signal });
      const identities = new IdentityWatch({ client, namespace: config.runtimeNamespace, log, clock });
      lifecycle.background('identity', identities.run({ signal }));
      const registry = createRegistry('tunnel-client');
      await keepTunnel({ identities, routerUrl: config.routerUrl, registry, log, clock }, { signal });
      await client.close();
    };
    lifecycle.background('tunnel', run());
    return Promise.resolve({});
  },
});
