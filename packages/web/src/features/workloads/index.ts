export { Workloads } from './workloads.tsx';
