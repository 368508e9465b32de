export { RuntimesPage } from './runtimes-page.tsx';
