import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  abortable,
  createRegistry,
  defineRole,
  FairleadError,
  type Logger,
  listen,
  systemClock,
  withDeadline,
} from '@fairlead/base';
import { defaultEngineNamespace } from '@fairlead/contracts';
import { GitMirrors } from '@fairlead/git';
import { checkConnectionPlace, type KubeClient } from '@fairlead/kube';
import { RepositoryCredentials as ReadingCredentials, RepositoryTrust } from '@fairlead/render';
import { AssertionVerifier, createAppProxy, GitJudgement, Judge } from '../app-proxy/index.ts';
import { ArgoCdClient } from '../argo-cd/index.ts';
import { ComponentLogs } from '../component-logs/index.ts';
import { GitAccess, GitHosting, GitRights, GitTokens, Sealing } from '../git-access/index.ts';
import { IdentityWatch } from '../identity/index.ts';
import { ClustersInGit, ManagedClusters } from '../managed-clusters/index.ts';
import { ChangePlans } from '../plan/index.ts';
import {
  ConnectConfiguration,
  FollowedAccessRules,
  RepositoryCredentials,
  SharedConfig,
} from '../shared-config/index.ts';
import { ensureSourceKey, SourceClient } from '../source-server/index.ts';
import { connectCluster, repositoryAccess } from './cluster-access.ts';
import { engineConnection } from './engine-access.ts';
import { clusterSettings, engineSettings, sourceSettings } from './settings.ts';

/** One that was started anew reads within moments who it is; a call meanwhile waits. */
const firstIdentityWithinMs = 5_000;

export const appProxyRole = defineRole({
  name: 'app-proxy',
  settings: {
    appProxyPort: { type: 'integer', help: 'port of the app-proxy; 0 picks a free one', default: 3017 },
    appProxyHost: { type: 'string', help: 'address to listen on', default: '127.0.0.1' },
    appProxyDir: {
      type: 'string',
      help: 'folder for mirrors of repositories; without it, a temporary one',
      optional: true,
    },
    componentLogsDir: {
      type: 'string',
      help: 'folder where the components of this runtime write their logs, one file each; without it, those of their pods are shown',
      optional: true,
    },
    ...clusterSettings,
    ...engineSettings,
    ...sourceSettings,
    engineNamespace: {
      type: 'string',
      help: 'namespace of Applications, repository and cluster Secrets',
      default: defaultEngineNamespace,
    },
  },
  async start(config, { log, lifecycle }) {
    checkConnectionPlace(config);
    const { signal } = lifecycle;
    const clock = systemClock;
    const engine = new ArgoCdClient(engineConnection(config, { log, clock, signal }));
    lifecycle.onStop('engine client', () => engine.close());
    let identities: IdentityWatch | undefined;
    let cluster: KubeClient | undefined;
    let isWatching: (watch: IdentityWatch) => void = () => undefined;
    const watched = new Promise<IdentityWatch>((resolve) => {
      isWatching = resolve;
    });
    let trust: RepositoryTrust | undefined;
    let reading: ReadingCredentials | undefined;
    const watchIdentity = async () => {
      const client = await connectCluster({ ...config, log, clock, signal });
      cluster = client;
      identities = new IdentityWatch({ client, namespace: config.runtimeNamespace, log, clock });
      isWatching(identities);
      const runtime = () => identities?.current?.runtimeName;
      const following = new ClustersInGit({ client, namespace: config.engineNamespace, runtime, clock, log });
      const access = repositoryAccess({ client, engineNamespace: config.engineNamespace, log, clock });
      trust = new RepositoryTrust(access);
      reading = new ReadingCredentials(access);
      await Promise.all([identities, following, trust, reading].map((each) => each.run({ signal })));
      await client.close();
    };
    const firstIdentity = () => {
      const until = withDeadline(signal, firstIdentityWithinMs);
      const first = watched.then((watch) => watch.next(undefined, { signal: until }));
      return abortable(first, until).catch(() => undefined); // only the abort rejects: there is none yet
    };
    const connected = () => {
      if (!cluster)
        throw new FairleadError('unavailable', 'the cluster of the runtime cannot be reached yet; try again');
      return cluster;
    };
    const gitTokens = new GitTokens({
      cluster: connected,
      namespace: config.runtimeNamespace,
      authoritiesFor: (hostname) => trust?.authoritiesFor(hostname),
      clock,
    });
    const dir = config.appProxyDir ?? (await mkdtemp(join(tmpdir(), 'fairlead-app-proxy-')));
    if (config.appProxyDir === undefined) lifecycle.onStop('mirrors', () => rm(dir, { recursive: true, force: true }));
    const mirrors = new GitMirrors({ dir, log, clock, trust: () => trust?.current ?? {} });
    lifecycle.onStop('git', () => Promise.resolve(mirrors.stop()));
    const git = new GitAccess({ mirrors, tokens: gitTokens });
    const namespace = config.runtimeNamespace;
    const key = async (call: { signal: AbortSignal }) => ensureSourceKey(connected(), { namespace, ...call });
    const sources = new SourceClient({ url: config.sourceServerUrl, key });
    const registry = createRegistry('app-proxy');
    const configuration = configurationParts({ cluster: connected, engine, git, gitTokens, sources, log, config });
    const rules = new FollowedAccessRules({
      sharedConfig: configuration.sharedConfig,
      mirrors,
      credentials: async (repoURL, call) => {
        if (!reading) throw new FairleadError('unavailable', 'the cluster of the runtime cannot be reached yet');
        await reading.synced(call);
        return reading.for(repoURL);
      },
      registry,
      clock,
      log,
    });
    const gitRights = new GitRights({ tokens: gitTokens, registry, clock, log });
    const gitJudgement = new GitJudgement({
      rights: gitRights,
      cluster: connected,
      engineNamespace: config.engineNamespace,
    });
    const server = createAppProxy({
      engine,
      cluster: connected,
      git,
      gitTokens,
      gitRights,
      sources,
      ...configuration,
      componentLogs: new ComponentLogs({ ...config, dir: config.componentLogsDir, cluster: connected, clock }),
      verifier: new AssertionVerifier({ clock }),
      judge: new Judge({ rules, git: gitJudgement, cluster: connected, registry, log }),
      identity: () => identities?.current,
      firstIdentity,
      refreshedIdentity: async () => identities?.refreshed({ signal: withDeadline(signal, 2_000) }),
      clock,
      registry,
      log,
    });
    const { port, close } = await listen(server, { host: config.appProxyHost, port: config.appProxyPort });
    lifecycle.onStop('http server', () => close(5_000));
    lifecycle.background('identity', watchIdentity());
    return { url: `http://${config.appProxyHost}:${port}` };
  },
});

interface ConfigurationDeps {
  readonly cluster: () => KubeClient;
  readonly engine: ArgoCdClient;
  readonly git: GitAccess;
  readonly gitTokens: GitTokens;
  readonly sources: SourceClient;
  readonly log: Logger;
  readonly config: { readonly runtimeNamespace: string; readonly engineNamespace: string };
}

/** Clusters, Git Sources and the repository that they are configured in. */
function configurationParts({ cluster, engine, git, gitTokens, sources, log, config }: ConfigurationDeps) {
  const { runtimeNamespace, engineNamespace: namespace } = config;
  const hosting = new GitHosting(gitTokens);
  const sharedConfig = new SharedConfig({ cluster, engine, git, namespace, log });
  const repositoryCredentials = new RepositoryCredentials({ cluster, namespace });
  return {
    runtimeNamespace,
    hosting,
    sealing: new Sealing({ cluster, namespace: runtimeNamespace }),
    clusters: new ManagedClusters({ cluster, namespace }),
    sharedConfig,
    changePlans: new ChangePlans({ engine, git, sources }),
    connectConfiguration: new ConnectConfiguration({ sharedConfig, git, hosting, repositoryCredentials }),
  };
}
