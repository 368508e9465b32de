export { startStatefulSets } from './controller.ts';
