export { attachRuntime } from './attach-runtime.ts';
