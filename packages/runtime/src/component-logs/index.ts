export { ComponentLogs } from './component-logs.ts';
