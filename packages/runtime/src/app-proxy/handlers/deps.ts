import type { Logger } from '@fairlead/base';
import type { RuntimeIdentity } from '@fairlead/contracts';
import type { ArgoCdClient } from '../../argo-cd/index.ts';

/** What the handlers of all nouns share. */
export interface HandlerDeps {
  readonly engine: ArgoCdClient;
  /** Undefined until the runtime is registered. */
  readonly identity: () => RuntimeIdentity | undefined;
  readonly log: Logger;
}
