export { customResourceCheck } from './checks.ts';
