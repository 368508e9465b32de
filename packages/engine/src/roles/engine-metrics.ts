import { createRegistry, Gauge, type Registry } from '@fairlead/base';

/** Numbers that parts of the engine keep by themselves, read when somebody asks. */
export interface EngineNumbers {
  readonly [metric: string]: { readonly help: string; readonly value: () => number };
}

export function engineRegistry(numbers: EngineNumbers): Registry {
  const registry = createRegistry('engine', { processMetrics: true });
  for (const [name, { help, value }] of Object.entries(numbers)) {
    const gauge: Gauge = new Gauge({
      name: `fairlead_engine_${name}`,
      help,
      registers: [registry],
      collect: () => gauge.set(value()),
    });
  }
  return registry;
}
