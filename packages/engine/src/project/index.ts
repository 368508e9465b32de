export { defaultProject } from './default-project.ts';
export { permitsDestination, permitsKind, permitsRepository } from './permission.ts';
