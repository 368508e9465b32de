// What `/metrics` tells of this cluster: what was asked and how it was answered, how much is kept, and what its bounds cost.
import { Counter, createRegistry, Gauge, type Registry } from '@fairlead/base';
import type { Store } from '../storage/index.ts';
import type { WatchHub } from './watch-hub.ts';

export class ApiMetrics {
  readonly #registry: Registry = createRegistry('cluster');
  readonly #requests: Counter;

  constructor({ store, watches }: { readonly store: Store; readonly watches: WatchHub }) {
    const registers = [this.#registry];
    this.#requests = new Counter({
      name: 'fairlead_cluster_requests_total',
      help: 'Requests by method (watches apart) and status of the answer',
      labelNames: ['verb', 'status'],
      registers,
    });
    const gauge = (name: string, help: string, value: () => number) =>
      new Gauge({
        name: `fairlead_cluster_${name}`,
        help,
        registers,
        collect() {
          this.set(value());
        },
      });
    gauge('objects', 'Objects that are stored', () => store.counts.objects);
    gauge('revision', 'Number of the newest change', () => store.revision);
    gauge('log_bytes', 'Size of the log since the last snapshot', () => store.counts.logBytes);
    gauge('refused_writes', 'Writes that the disk did not take, since the start', () => store.counts.refusals);
    gauge('watches', 'Watches that are open', () => watches.size);
    gauge('watches_cut', 'Watches cut because their reader was too slow, since the start', () => watches.cutCount);
  }

  count(verb: string, status: number): void {
    this.#requests.inc({ verb, status });
  }

  async answer(): Promise<{ status: number; body: string; contentType: string }> {
    return { status: 200, body: await this.#registry.metrics(), contentType: this.#registry.contentType };
  }
}
