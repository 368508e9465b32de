import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, createRegistry, defineRole, type Logger, sha256Hex, systemClock } from '@fairlead/base';
import {
  type Application,
  argoApiVersion,
  defaultEngineNamespace,
  entityOf,
  type RuntimeIdentity,
} from '@fairlead/contracts';
import { GitMirrors } from '@fairlead/git';
import { checkConnectionPlace, Informer, type KubeClient, type KubeObject } from '@fairlead/kube';
import { RepositoryCredentials, RepositoryTrust } from '@fairlead/render';
import {
  ApplicationReporter,
  Outbox,
  PlatformConnection,
  Redactor,
  ReporterMetrics,
  RuntimeHeartbeat,
  Spool,
  takeEpoch,
} from '../application-reporter/index.ts';
import { ArgoCdClient } from '../argo-cd/index.ts';
import { configurationApplicationName, formatSharedConfigUrl, sharedConfigOf } from '../configuration/index.ts';
import { RuntimeTokens } from '../identity/index.ts';
import { AccessRulesLook } from '../shared-config/index.ts';
import { ensureSourceKey, SourceClient } from '../source-server/index.ts';
import { connectCluster, repositoryAccess } from './cluster-access.ts';
import { eachIdentity } from './each-identity.ts';
import { engineConnection } from './engine-access.ts';
import { accessRulesReporter, clustersReporter, gitSourcesReporter } from './entity-reporters.ts';
import { serveProbes } from './probes.ts';
import { clusterSettings, engineSettings } from './settings.ts';

export const applicationReporterRole = defineRole({
  name: 'application-reporter',
  settings: {
    ...clusterSettings,
    ...engineSettings,
    engineNamespace: {
      type: 'string',
      help: 'namespace of Applications; * watches all namespaces',
      default: defaultEngineNamespace,
    },
    reporterShards: { type: 'integer', help: 'how many reporters share the applications', default: 1 },
    reporterShard: { type: 'integer', help: 'which of them this is, from 0', default: 0 },
    reporterDir: {
      type: 'string',
      help: 'folder where reports that must be seen wait for the platform; without it they wait in memory',
      optional: true,
    },
    reporterSpoolMiB: { type: 'integer', help: 'how much may wait in that folder', default: 256 },
    reporterPort: { type: 'integer', help: 'port of probes and metrics; none without it', optional: true },
    announcingGitUrl: {
      type: 'string',
      help: 'git server that tells the engine of every push; configuration there is asked for seldom',
      optional: true,
    },
    sourceServerUrl: {
      type: 'string',
      help: 'source server: asked for commits that the engine does not tell of, and probed for the runtime report',
      optional: true,
    },
    embeddedCluster: {
      type: 'boolean',
      help: "the cluster is the runtime's own, and one of its components",
      default: false,
    },
    appProxyUrl: { type: 'string', help: 'app-proxy to probe for the runtime report', optional: true },
    routerUrl: { type: 'string', help: 'request router to probe for the runtime report', optional: true },
    tunnelClientUrl: { type: 'string', help: 'tunnel client to probe for the runtime report', optional: true },
    resourceReporterUrl: { type: 'string', help: 'resource reporter to probe for the runtime report', optional: true },
    changeRevisionUrl: { type: 'string', help: 'change revision to probe for the runtime report', optional: true },
  },
  async start(config, { log, lifecycle }) {
    checkConnectionPlace(config);
    const { signal } = lifecycle;
    const clock = systemClock;
    const registry = createRegistry('application-reporter');
    const metrics = new ReporterMetrics(registry);
    const engine = new ArgoCdClient(engineConnection(config, { log, clock, signal }));
    lifecycle.onStop('engine client', () => engine.close());
    const gitDir = await mirrorFolder(config.reporterDir);
    if (config.reporterDir === undefined) {
      lifecycle.onStop('mirrors', () => rm(gitDir, { recursive: true, force: true }));
    }
    let trust: RepositoryTrust | undefined;
    const mirrors = new GitMirrors({ dir: gitDir, log, clock, trust: () => trust?.current ?? {} });
    lifecycle.onStop('git', () => Promise.resolve(mirrors.stop()));
    let isReporting = false;
    const onReporting = (now: boolean) => {
      isReporting = now;
    };
    const run = async () => {
      const client = await connectCluster({ ...config, log, clock, signal });
      lifecycle.onStop('cluster client', () => client.close());
      trust = new RepositoryTrust(repositoryAccess({ client, engineNamespace: config.engineNamespace, log, clock }));
      lifecycle.background('host keys and certificates', trust.run({ signal }));
      const deps = { client, namespace: config.runtimeNamespace, lifecycle, log, clock };
      await eachIdentity(deps, async (identity, until) => {
        try {
          await report({ config, client, engine, mirrors, identity, metrics, log, clock, onReporting, signal: until });
        } finally {
          isReporting = false;
        }
      });
    };
    lifecycle.background('reporter', run());
    return serveProbes(config.reporterPort, {
      registry,
      lifecycle,
      waitsFor: () => (isReporting ? undefined : 'it has not seen all applications yet'),
    });
  },
});

interface Reporting {
  readonly config: {
    readonly runtimeNamespace: string;
    readonly engineNamespace: string;
    readonly reporterShards: number;
    readonly reporterShard: number;
    readonly reporterDir: string | undefined;
    readonly reporterSpoolMiB: number;
    readonly announcingGitUrl: string | undefined;
    readonly sourceServerUrl: string | undefined;
    readonly embeddedCluster: boolean;
    readonly appProxyUrl: string | undefined;
    readonly routerUrl: string | undefined;
    readonly tunnelClientUrl: string | undefined;
    readonly resourceReporterUrl: string | undefined;
    readonly changeRevisionUrl: string | undefined;
  };
  readonly client: KubeClient;
  readonly engine: ArgoCdClient;
  readonly mirrors: GitMirrors;
  readonly identity: RuntimeIdentity;
  readonly metrics: ReporterMetrics;
  readonly log: Logger;
  readonly clock: Clock;
  /** From when it has seen all applications. */
  readonly onReporting: (isReporting: boolean) => void;
  readonly signal: AbortSignal;
}

/** Everything that speaks for one identity, until it is replaced or the role stops. */
async function report(reporting: Reporting): Promise<void> {
  const { config, client, engine, mirrors, identity, metrics, log, clock, onReporting, signal } = reporting;
  const shard = { index: config.reporterShard, count: config.reporterShards };
  const name = `application-reporter-${shard.index}`;
  const epoch = await takeEpoch(client, { namespace: config.runtimeNamespace, reporter: name, signal });
  const platform = new PlatformConnection(identity.platformUrl, new RuntimeTokens(identity, { clock }));
  const spool = openSpool(config, { name, log });
  const outbox: Outbox = new Outbox({
    reporter: name,
    spool,
    send: (batch, options) => platform.report(batch, options),
    metrics,
    log,
    clock,
    onRecovered: () => {
      for (const each of [reporter, clusters, gitSources, accessRules]) each.oweDigest();
    },
  });
  const namespace = config.engineNamespace === '*' ? undefined : config.engineNamespace;
  const query = { apiVersion: argoApiVersion, kind: 'Application', namespace };
  const informer = new Informer({ client, query, log, clock, transform: withoutManagedFields });
  const exchangeDigest: PlatformConnection['exchangeDigest'] = (digest, options) =>
    platform.exchangeDigest(digest, options);
  const redactor = new Redactor(sha256Hex(`fairlead redaction ${identity.privateKey.d}`));
  const sources = sourcesOf(config, client);
  const deps = { informer, engine, sources, outbox, redactor, exchangeDigest, metrics, log, clock };
  const reporter = new ApplicationReporter(deps, { name, epoch, shard, engineNamespace: namespace });
  const applications = () => applicationsIn(informer);
  const credentials = new RepositoryCredentials(
    repositoryAccess({ client, engineNamespace: config.engineNamespace, log, clock }),
  );
  const rulesLook = new AccessRulesLook({
    mirrors,
    applications,
    credentials: (url) => credentials.for(url),
    runtime: identity.runtimeName,
    announcingGitUrl: config.announcingGitUrl,
  });
  const entities = { reporter: name, epoch, identity, redactor, engine, applications };
  const clusters = clustersReporter(deps, entities);
  const gitSources = gitSourcesReporter(deps, { ...entities, synced: (within) => informer.synced({ signal: within }) });
  const synced = (within: AbortSignal) =>
    Promise.all([informer, credentials].map((each) => each.synced({ signal: within })));
  const accessRules = accessRulesReporter(deps, { ...entities, look: rulesLook, synced });
  const heartbeat = new RuntimeHeartbeat({
    identity,
    client,
    engine,
    outbox,
    clock,
    epoch,
    components: componentUrls(config),
    embeddedCluster: config.embeddedCluster,
    sharedConfigRepo: () => sharedConfigRepoIn(applications(), identity.runtimeName),
  });
  informer.onChange(({ object }) => {
    if (entityOf(object.metadata.labels) === 'git-source') gitSources.wake();
    if (rulesLook.concerns(object.metadata.name)) accessRules.wake();
  });
  const own = shard.index === 0 ? [heartbeat, clusters, gitSources, accessRules, credentials] : [];
  try {
    await Promise.all([
      informer.run({ signal }),
      informer.synced({ signal }).then(
        () => onReporting(true),
        () => undefined, // aborted: the others end too
      ),
      outbox.run({ signal }),
      reporter.run({ signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      }),
      ...own.map((each) => each.run({ signal })),
    ]);
  } finally {
    spool?.close();
  }
}

const mirrorFolder = (reporterDir: string | undefined): Promise<string> =>
  reporterDir === undefined ? mkdtemp(join(tmpdir(), 'fairlead-reporter-')) : Promise.resolve(join(reporterDir, 'git'));

function openSpool(
  { reporterDir, reporterSpoolMiB }: Reporting['config'],
  { name, log }: { readonly name: string; readonly log: Logger },
): Spool | undefined {
  if (reporterDir === undefined) return undefined;
  return Spool.open({ dir: join(reporterDir, name), maxBytes: reporterSpoolMiB * 1024 * 1024, log });
}

/** The informer watches that kind; fields are read leniently. */
const applicationsIn = (informer: Informer) => informer.list() as unknown as Application[];

function sharedConfigRepoIn(applications: readonly Application[], runtime: string): string | undefined {
  const name = configurationApplicationName(runtime);
  const application = applications.find(({ metadata }) => metadata.name === name);
  const address = application && sharedConfigOf(application, runtime);
  return address && formatSharedConfigUrl(address);
}

function sourcesOf({ sourceServerUrl: url, runtimeNamespace: namespace }: Reporting['config'], client: KubeClient) {
  if (url === undefined) return undefined;
  return new SourceClient({ url, key: (call) => ensureSourceKey(client, { namespace, ...call }) });
}

const componentUrls = (config: Reporting['config']) => ({
  'source-server': config.sourceServerUrl,
  'app-proxy': config.appProxyUrl,
  'request-router': config.routerUrl,
  'tunnel-client': config.tunnelClientUrl,
  'resource-reporter': config.resourceReporterUrl,
  'change-revision': config.changeRevisionUrl,
});

function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
