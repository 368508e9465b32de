export {
  activeContext,
  addContext,
  type Context,
  readContexts,
  removeContext,
  type Target,
  targetOf,
  useContext,
} from './contexts.ts';
