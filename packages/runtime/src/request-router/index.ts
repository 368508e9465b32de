export { createRequestRouter } from './create-request-router.ts';
