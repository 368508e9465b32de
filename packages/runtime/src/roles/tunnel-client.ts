import { createRegistry, defineRole, Gauge, systemClock } from '@fairlead/base';
import { checkConnectionPlace } from '@fairlead/kube';
import { IdentityWatch } from '../identity/index.ts';
import { keepTunnel, type TunnelStanding, unregistered } from '../tunnel-client/index.ts';
import { connectCluster } from './cluster-access.ts';
import { serveProbes } from './probes.ts';
import { clusterSettings } from './settings.ts';

export const tunnelClientRole = defineRole({
  name: 'tunnel-client',
  settings: {
    ...clusterSettings,
    routerUrl: { type: 'string', help: 'base URL of the request router' },
    tunnelClientPort: { type: 'integer', help: 'port of probes and metrics; none without it', optional: true },
  },
  async start(config, { log, lifecycle }) {
    checkConnectionPlace(config);
    const { signal } = lifecycle;
    const clock = systemClock;
    const registry = createRegistry('tunnel-client');
    let standing = unregistered;
    const onStanding = (now: TunnelStanding) => {
      standing = now;
    };
    // From the start on: an alarm on its absence would mean another thing.
    new Gauge({
      name: 'fairlead_tunnel_connected',
      help: '1 while the tunnel to the platform is open',
      registers: [registry],
      collect() {
        this.set(standing.isConnected ? 1 : 0);
      },
    });
    const run = async () => {
      const client = await connectCluster({ ...config, log, clock, signal });
      const identities = new IdentityWatch({ client, namespace: config.runtimeNamespace, log, clock });
      lifecycle.background('identity', identities.run({ signal }));
      await keepTunnel({ identities, routerUrl: config.routerUrl, log, clock, onStanding }, { signal });
      await client.close();
    };
    lifecycle.background('tunnel', run());
    return serveProbes(config.tunnelClientPort, {
      registry,
      lifecycle,
      waitsFor: () => (standing.isConnected || standing.isUnwanted ? undefined : standing.reason),
    });
  },
});
