export { connectableProviders, tokenProviders } from './git-providers.ts';
