import { type Clock, createRegistry, defineRole, Gauge, type Logger, sha256Hex, systemClock } from '@fairlead/base';
import { defaultEngineNamespace, type RuntimeIdentity, type WorkloadReport } from '@fairlead/contracts';
import { checkConnectionPlace, type KubeClient } from '@fairlead/kube';
import {
  EntityReporter,
  Outbox,
  PlatformConnection,
  Redactor,
  ReporterMetrics,
  takeEpoch,
} from '../application-reporter/index.ts';
import { RuntimeTokens } from '../identity/index.ts';
import { WorkloadWatches } from '../resource-reporter/index.ts';
import { connectCluster } from './cluster-access.ts';
import { eachIdentity } from './each-identity.ts';
import { serveProbes } from './probes.ts';
import { clusterSettings } from './settings.ts';

/** Everything is told by watches; this is for what a mistake would have missed. */
const lookEveryMs = 60_000;
const reporterName = 'resource-reporter-0';

export const resourceReporterRole = defineRole({
  name: 'resource-reporter',
  settings: {
    ...clusterSettings,
    engineNamespace: {
      type: 'string',
      help: 'namespace of cluster Secrets; * means that of Argo CD',
      default: defaultEngineNamespace,
    },
    resourceReporterMax: {
      type: 'integer',
      help: 'how many objects are reported at most, newest first',
      default: 5000,
    },
    resourceReporterPort: { type: 'integer', help: 'port of probes and metrics; none without it', optional: true },
  },
  async start(config, { log, lifecycle }) {
    checkConnectionPlace(config);
    const { signal } = lifecycle;
    const clock = systemClock;
    const registry = createRegistry('resource-reporter');
    const metrics = new ReporterMetrics(registry);
    let watches: WorkloadWatches | undefined;
    const gauge = (name: string, help: string, value: () => number) =>
      new Gauge({
        name: `fairlead_resource_reporter_${name}`,
        help,
        registers: [registry],
        collect() {
          this.set(value());
        },
      });
    gauge('clusters', 'Clusters that are watched', () => watches?.counts.clusters ?? 0);
    gauge('left_out', 'Objects beyond the bound, not reported', () => watches?.counts.leftOut ?? 0);
    const onWatching = (now: WorkloadWatches | undefined) => {
      watches = now;
    };
    const run = async () => {
      const client = await connectCluster({ ...config, log, clock, signal });
      lifecycle.onStop('cluster client', () => client.close());
      const deps = { client, namespace: config.runtimeNamespace, lifecycle, log, clock };
      await eachIdentity(deps, async (identity, until) => {
        try {
          await report({ config, client, identity, metrics, log, clock, onWatching, signal: until });
        } finally {
          onWatching(undefined);
        }
      });
    };
    lifecycle.background('reporter', run());
    return serveProbes(config.resourceReporterPort, {
      registry,
      lifecycle,
      waitsFor: () => (watches ? undefined : 'the runtime is not registered yet'),
    });
  },
});

interface Reporting {
  readonly config: {
    readonly runtimeNamespace: string;
    readonly engineNamespace: string;
    readonly resourceReporterMax: number;
  };
  readonly client: KubeClient;
  readonly identity: RuntimeIdentity;
  readonly metrics: ReporterMetrics;
  readonly log: Logger;
  readonly clock: Clock;
  readonly onWatching: (watches: WorkloadWatches) => void;
  readonly signal: AbortSignal;
}

/** Everything that speaks for one identity, until it is replaced or the role stops. */
async function report({ config, client, identity, metrics, log, clock, onWatching, signal }: Reporting): Promise<void> {
  const epoch = await takeEpoch(client, { namespace: config.runtimeNamespace, reporter: reporterName, signal });
  const platform = new PlatformConnection(identity.platformUrl, new RuntimeTokens(identity, { clock }));
  const outbox: Outbox = new Outbox({
    reporter: reporterName,
    send: (batch, options) => platform.report(batch, options),
    metrics,
    log,
    clock,
    onRecovered: () => reporter.oweDigest(),
  });
  const engineNamespace = config.engineNamespace === '*' ? defaultEngineNamespace : config.engineNamespace;
  const watches = new WorkloadWatches({
    client,
    engineNamespace,
    redactor: new Redactor(sha256Hex(`fairlead redaction ${identity.privateKey.d}`)),
    maxWorkloads: config.resourceReporterMax,
    onChange: () => reporter.wake(),
    log,
    clock,
  });
  const exchangeDigest: PlatformConnection['exchangeDigest'] = (digest, options) =>
    platform.exchangeDigest(digest, options);
  const reporter = new EntityReporter<WorkloadReport>(
    { outbox, exchangeDigest, log, clock },
    {
      reporter: reporterName,
      epoch,
      kind: 'workload',
      everyMs: () => lookEveryMs,
      look: () => Promise.resolve(watches.workloads()),
      canTell: (key) => watches.canTell(key),
      report: (workload, stamp) =>
        workload ? { kind: 'workload', workload, ...stamp } : { kind: 'workload', deleted: true, ...stamp },
    },
  );
  onWatching(watches);
  await Promise.all([watches.run({ signal }), outbox.run({ signal }), reporter.run({ signal })]);
}
