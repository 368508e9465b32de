export { GitFailure } from './git-failure.tsx';
