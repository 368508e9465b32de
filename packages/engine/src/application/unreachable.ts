import type { Cluster } from '../clusters/index.ts';
import type { Problem } from './conditions.ts';

/**
 * Without a live cache nothing can be compared; the cluster's next state brings the application back. Undefined when there is
 * one; no problems while the cluster is still being read.
 */
export function unreachable(cluster: Cluster): readonly Problem[] | undefined {
  if (cluster.isReady) return undefined;
  cluster.use().catch(() => undefined); // told by the cluster's state; only a stop rejects
  const { status, message } = cluster.state;
  const { name, server } = cluster.entry;
  if (status !== 'Failed') return [];
  const text = `Failed to load live state: cluster ${name} (${server}) cannot be reached: ${message}`;
  return [{ type: 'ComparisonError', message: text }];
}
