export { ReportedWorkloads, RuntimeWorkloads } from './reported-workloads.tsx';
