export { renderWithHelm } from './helm-program.ts';
export { renderWithKustomize } from './kustomize-program.ts';
export type { ProgramCall, ProgramSource } from './program-source.ts';
export { Programs } from './programs.ts';
