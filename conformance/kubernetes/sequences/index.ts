export { applies } from './applies.ts';
export { badInput } from './bad-input.ts';
export { customResources } from './custom-resources.ts';
export { lists } from './lists.ts';
export { objects } from './objects.ts';
export { patches } from './patches.ts';
export { subresources } from './subresources.ts';
export { validation } from './validation.ts';
