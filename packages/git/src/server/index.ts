export { GitServer } from './git-server.ts';
