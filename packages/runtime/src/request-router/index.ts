export { createRequestRouter, type RouterDeps } from './create-request-router.ts';
export { type RouteTable, routeFor } from './routes.ts';
