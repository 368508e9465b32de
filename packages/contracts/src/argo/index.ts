export * from './application.ts';
export { applicationCrd, appProjectCrd } from './crds.ts';
export * from './names.ts';
export * from './rest.ts';
