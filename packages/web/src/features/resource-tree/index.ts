export { ResourceTree } from './resource-tree.tsx';
