import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export { Counter, Gauge, Histogram, Registry };

/** A registry of its own per role, so that two roles in one process do not share counters. */
export function createRegistry(role: string, options: { processMetrics?: boolean } = {}): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ role });
  if (options.processMetrics) collectDefaultMetrics({ register: registry });
  return registry;
}
