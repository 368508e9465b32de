export { defaultProject } from './default-project.ts';
export { matchesGlob } from './glob.ts';
export { durationMs } from './go-duration.ts';
export { permitsDestination, permitsKind, permitsRepository } from './permission.ts';
export { isActive, permitsSync, type SyncWindow, windowProblems, windowsFor } from './sync-windows.ts';
