export { FolderTree } from './folder-tree.ts';
export { isEmptyReadSet, joinPath, type ReadSet, stillHolds } from './read-set.ts';
export { cleanPath, GitTree, type SourceTree } from './source-tree.ts';
export { TouchedPaths } from './touched-paths.ts';
export { TracedTree } from './traced-tree.ts';
