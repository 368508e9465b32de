export { WorkloadWatches } from './workload-watches.ts';
