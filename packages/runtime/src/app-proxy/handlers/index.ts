import type { Handlers } from '../handler.ts';
import { accessRuleHandlers } from './access-rules.ts';
import { applicationHandlers } from './applications.ts';
import { clusterHandlers } from './clusters.ts';
import { componentHandlers } from './components.ts';
import { configurationHandlers } from './configuration.ts';
import { definitionHandlers } from './definitions.ts';
import type { HandlerDeps } from './deps.ts';
import { gitRightsHandlers } from './git-rights.ts';
import { gitSourceHandlers } from './git-sources.ts';
import { gitTokenHandlers } from './git-tokens.ts';
import { planHandlers } from './plans.ts';
import { repositoryHandlers } from './repositories.ts';
import { resourceHandlers } from './resources.ts';
import { rollbackHandlers } from './rollback.ts';

export type { HandlerDeps } from './deps.ts';

export const createHandlers = (deps: HandlerDeps): Handlers => ({
  ...applicationHandlers(deps),
  ...resourceHandlers(deps),
  ...gitTokenHandlers(deps),
  ...gitRightsHandlers(deps),
  ...definitionHandlers(deps),
  ...rollbackHandlers(deps),
  ...repositoryHandlers(deps),
  ...clusterHandlers(deps),
  ...gitSourceHandlers(deps),
  ...configurationHandlers(deps),
  ...accessRuleHandlers(deps),
  ...planHandlers(deps),
  ...componentHandlers(deps),
});
