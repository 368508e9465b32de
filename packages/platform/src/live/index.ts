export { LiveHub } from './hub.ts';
