// The only way a render gets charts from elsewhere: what is taken is written down.
import type { ChartReference, ChartSource, FetchedChart, UsedChart } from './chart-source.ts';

export class TracedCharts {
  readonly #charts: ChartSource;
  readonly #signal: AbortSignal | undefined;
  readonly #used = new Map<string, UsedChart>();

  constructor(charts: ChartSource, signal?: AbortSignal) {
    this.#charts = charts;
    this.#signal = signal;
  }

  async fetch(reference: ChartReference): Promise<FetchedChart> {
    const { repository, name, version } = reference;
    const fetched = await this.#charts.fetch({ repository, name, version }, { signal: this.#signal });
    const used = { repository, name, version, taken: fetched.version, digest: fetched.digest };
    this.#used.set(JSON.stringify([repository, name, version]), used);
    return fetched;
  }

  used(): readonly UsedChart[] {
    return [...this.#used.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, used]) => used);
  }
}

/** Whether a render that took `used` would take the same now. A repository that cannot be asked has not changed. */
export async function stillTakes(used: readonly UsedChart[], charts: ChartSource | undefined): Promise<boolean> {
  if (!charts) return used.length === 0;
  for (const { repository, name, version, taken, digest } of used) {
    const now = await charts.resolve({ repository, name, version }).catch(() => undefined);
    if (now && (now.version !== taken || (now.digest !== '' && now.digest !== digest))) return false;
  }
  return true;
}
