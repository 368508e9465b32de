import { createRegistry, defineRole, listen, systemClock } from '@fairlead/base';
import { IdentityWatch } from '../identity/index.ts';
import { keepTunnel } from '../tunnel-client/index.ts';
import { connectCluster } from './cluster-access.ts';
import { createMetricsServer } from './metrics-server.ts';
import { clusterSettings } from './settings.ts';

export const tunnelClientRole = defineRole({
  name: 'tunnel-client',
  settings: {
    ...clusterSettings,
    routerUrl: { type: 'string', help: 'base URL of the request router' },
    tunnelClientPort: { type: 'integer', help: 'port of probes and metrics; none without it', optional: true },
  },
  async start(config, { log, lifecycle }) {
    const { signal } = lifecycle;
    const clock = systemClock;
    const registry = createRegistry('tunnel-client');
    const run = async () => {
      const client = await connectCluster({ kubeconfigFile: config.kubeconfigFile, log, clock, signal });
      const identities = new IdentityWatch({ client, namespace: config.runtimeNamespace, log, clock });
      lifecycle.background('identity', identities.run({ signal }));
      await keepTunnel({ identities, routerUrl: config.routerUrl, registry, log, clock }, { signal });
      await client.close();
    };
    lifecycle.background('tunnel', run());
    if (config.tunnelClientPort === undefined) return {};
    const listening = await listen(createMetricsServer(registry), { port: config.tunnelClientPort });
    lifecycle.onStop('metrics server', () => listening.close(0));
    return { url: `http://127.0.0.1:${listening.port}` };
  },
});
