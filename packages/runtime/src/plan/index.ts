export { ChangePlans } from './change-plans.ts';
