// Charts for somebody who was given some repositories only: credentials are used for these, all others are read as anybody
// could. What one with more rights rendered is not given to one with fewer: a repository that does not answer without
// credentials counts as changed.
import type { ChartSource } from './chart-source.ts';

interface Limits {
  /** With credentials. */
  readonly charts: ChartSource;
  /** Without any. */
  readonly openCharts: ChartSource;
  readonly permits: (repository: string) => boolean;
}

export function limitedCharts({ charts, openCharts, permits }: Limits): ChartSource {
  const nothing = { version: '', digest: '' };
  return {
    resolve: (reference, options) =>
      permits(reference.repository)
        ? charts.resolve(reference, options)
        : openCharts.resolve(reference, options).catch(() => nothing), // fetching tells why
    fetch: (reference, options) => (permits(reference.repository) ? charts : openCharts).fetch(reference, options),
  };
}
