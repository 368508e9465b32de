export { startCronJobs } from './controller.ts';
