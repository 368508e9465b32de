export { joinPath, type ReadSet, stillHolds } from './read-set.ts';
export { cleanPath, GitTree, type SourceTree } from './source-tree.ts';
export { TracedTree } from './traced-tree.ts';
