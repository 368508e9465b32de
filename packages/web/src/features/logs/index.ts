export { ComponentLog, ResourceLog } from './logs-of.tsx';
