export { healthOf, worstHealth } from './health.ts';
export { HealthJudge, type HealthOf, type HealthScript } from './judge.ts';
export { LuaRunner } from './lua.ts';
export type { Health } from './status.ts';
