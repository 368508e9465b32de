export { EmbeddedRuntimes } from './embedded-runtimes.ts';
