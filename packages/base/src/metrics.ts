import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export { Counter, Gauge, Histogram, Registry };

/** The lag of the event loop is measured by a timer; at the default of 10 ms it alone takes 0.3 % of a core at rest. */
const lagEveryMs = 100;

/** A registry of its own per role, so that two roles in one process do not share counters. */
export function createRegistry(role: string, options: { processMetrics?: boolean } = {}): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ role });
  if (options.processMetrics) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagEveryMs });
  return registry;
}
