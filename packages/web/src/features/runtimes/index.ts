export { RuntimePage } from './runtime-page.tsx';
export { RuntimesPage } from './runtimes-page.tsx';
export { TopologyPage } from './topology-page.tsx';
