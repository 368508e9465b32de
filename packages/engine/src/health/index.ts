export { healthOf, worstHealth } from './health.ts';
export { compareHealth, type Health } from './status.ts';
