export { EmbeddedRuntimes } from './embedded-runtimes.ts';
export { planRuntime } from './environment.ts';
