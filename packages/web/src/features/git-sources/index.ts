export { GitSourceLine, gitSourceColumns } from './git-source-line.tsx';
export { GitSourcesPage } from './git-sources-page.tsx';
