import type { Clock, Logger } from '@fairlead/base';
import type { RuntimeIdentity } from '@fairlead/contracts';
import type { KubeClient } from '@fairlead/kube';
import type { ArgoCdClient } from '../../argo-cd/index.ts';
import type { ComponentLogs } from '../../component-logs/index.ts';
import type { GitAccess, GitHosting, GitRights, GitTokens, Sealing } from '../../git-access/index.ts';
import type { ManagedClusters } from '../../managed-clusters/index.ts';
import type { ChangePlans } from '../../plan/index.ts';
import type { ConnectConfiguration, SharedConfig } from '../../shared-config/index.ts';
import type { SourceClient } from '../../source-server/index.ts';

/** What the handlers of all nouns share. */
export interface HandlerDeps {
  readonly engine: ArgoCdClient;
  /** The runtime's own cluster; throws `unavailable` while it cannot be reached yet. */
  readonly cluster: () => KubeClient;
  /** Repositories as the acting user may see and change them. */
  readonly git: GitAccess;
  readonly gitTokens: GitTokens;
  readonly gitRights: Pick<GitRights, 'readable'>;
  /** What the runtime's source server reads and renders. */
  readonly sources: SourceClient;
  readonly hosting: GitHosting;
  readonly sealing: Sealing;
  readonly clusters: ManagedClusters;
  readonly sharedConfig: SharedConfig;
  readonly connectConfiguration: ConnectConfiguration;
  readonly changePlans: ChangePlans;
  readonly componentLogs: ComponentLogs;
  /** Where the runtime's own secrets are. */
  readonly runtimeNamespace: string;
  /** Undefined until the runtime is registered. */
  readonly identity: () => RuntimeIdentity | undefined;
  /** Waits a little for the identity of a component that has just started. */
  readonly firstIdentity: () => Promise<RuntimeIdentity | undefined>;
  /** The same after a look at the cluster; bounded in how often it looks. */
  readonly refreshedIdentity: () => Promise<RuntimeIdentity | undefined>;
  readonly clock: Clock;
  readonly log: Logger;
}
