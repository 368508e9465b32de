import type { ApplicationRow, RuntimeRow } from '@fairlead/contracts';
import type { FacetName } from '../../api/index.ts';
import { healthByAttention } from '../../words/index.ts';

export const facetTitles: Record<FacetName, string> = {
  health: 'Health',
  sync: 'Sync',
  runtime: 'Runtime',
  cluster: 'Cluster',
  namespace: 'Namespace',
  project: 'Project',
};

interface Known {
  readonly runtimes: readonly RuntimeRow[];
  readonly rows: readonly ApplicationRow[];
  /** What is chosen now; it stays on offer even when no row shows it. */
  readonly chosen: readonly string[];
}

/** Values to choose from: all of closed sets, and of open ones those seen so far; any other can be typed. */
export function facetOptions(facet: FacetName, { runtimes, rows, chosen }: Known): readonly string[] {
  switch (facet) {
    case 'health':
      return healthByAttention;
    case 'sync':
      return ['OutOfSync', 'Unknown', 'Synced'];
    case 'runtime':
      return sorted([...chosen, ...runtimes.map(({ name }) => name)]);
    case 'cluster': {
      const reported = runtimes.flatMap(({ report }) => report?.clusters.map(({ name }) => name) ?? []);
      return sorted([...chosen, ...reported, ...rows.map(({ destination }) => destination.cluster)]);
    }
    case 'namespace':
      return sorted([...chosen, ...rows.map(({ destination }) => destination.namespace)]);
    case 'project':
      return sorted([...chosen, ...rows.map(({ project }) => project)]);
  }
}

const sorted = (values: readonly string[]): readonly string[] =>
  [...new Set(values)].filter(Boolean).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));

/** What a chip says: "any", "eu-prod", "eu-prod, us-prod +2". */
export function chosenWords(chosen: readonly string[]): string {
  const shown = chosen.slice(0, 2).map((value) => (value === 'OutOfSync' ? 'Out of sync' : value));
  const rest = chosen.length - shown.length;
  return chosen.length === 0 ? 'any' : `${shown.join(', ')}${rest > 0 ? ` +${rest}` : ''}`;
}
