export { healthOf, worstHealth } from './health.ts';
export { HealthJudge, type HealthOf, type HealthReady, type HealthScript } from './judge.ts';
export { compareHealth, type Health } from './status.ts';
