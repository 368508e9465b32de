export { healthOf, worstHealth } from './health.ts';
export type { Health } from './status.ts';
