import type { Handlers } from '../handler.ts';
import { applicationHandlers } from './applications.ts';
import type { HandlerDeps } from './deps.ts';
import { gitTokenHandlers } from './git-tokens.ts';
import { resourceHandlers } from './resources.ts';

export type { HandlerDeps } from './deps.ts';

export const createHandlers = (deps: HandlerDeps): Handlers => ({
  ...applicationHandlers(deps),
  ...resourceHandlers(deps),
  ...gitTokenHandlers(deps),
});
