export { type Removal, removeRuntime } from './remove-runtime.ts';
