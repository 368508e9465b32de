export { ApplicationSetController } from './controller.ts';
export { applicationSetCrd } from './crd.ts';
