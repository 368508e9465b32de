export type { SourceAnswer } from './answers.ts';
export { createSourceServer } from './create-source-server.ts';
export { Rendering } from './rendering.ts';
export { matchesGlob, permitsRepository } from './repository-rules.ts';
export { SourceClient, SourceRefusedError } from './source-client.ts';
export { ensureSourceKey } from './source-key.ts';
export { Sources } from './sources.ts';
