export * from './client/index.ts';
export * from './controller/index.ts';
export * from './object/index.ts';
export * from './patch/index.ts';
export * from './watch/index.ts';
