export { applicationsIn, applicationsOf, type PlannedApplication } from './applications.ts';
export { type ObjectChange, type ObjectId, objectChanges } from './object-changes.ts';
export { type ApplicationPlan, type Plan, type PlanRequest, type PlanSide, plan } from './plan.ts';
