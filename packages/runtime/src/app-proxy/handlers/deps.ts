import type { Logger } from '@fairlead/base';
import type { RuntimeIdentity } from '@fairlead/contracts';
import type { KubeClient } from '@fairlead/kube';
import type { ArgoCdClient } from '../../argo-cd/index.ts';
import type { GitAccess, GitTokens } from '../../git-access/index.ts';

/** What the handlers of all nouns share. */
export interface HandlerDeps {
  readonly engine: ArgoCdClient;
  /** The runtime's own cluster; throws `unavailable` while it cannot be reached yet. */
  readonly cluster: () => KubeClient;
  /** Repositories as the acting user may see and change them. */
  readonly git: GitAccess;
  readonly gitTokens: GitTokens;
  /** Undefined until the runtime is registered. */
  readonly identity: () => RuntimeIdentity | undefined;
  readonly log: Logger;
}
