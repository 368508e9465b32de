export {
  activeContext,
  addContext,
  assertContextName,
  type Context,
  readContexts,
  removeContext,
  type Target,
  targetAt,
  targetOf,
  useContext,
} from './contexts.ts';
