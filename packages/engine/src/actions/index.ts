export { type ActionView, listActions, runAction } from './actions.ts';
