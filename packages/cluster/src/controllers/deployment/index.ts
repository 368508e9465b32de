export { startDeployments } from './controller.ts';
