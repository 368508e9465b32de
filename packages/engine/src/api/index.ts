export { createApi } from './api.ts';
export type { ApiDeps } from './api-deps.ts';
