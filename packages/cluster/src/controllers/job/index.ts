export { startJobs } from './controller.ts';
