import type { ApplicationFacets } from '@fairlead/contracts';
import type { FacetName } from '../../api/index.ts';
import { healthByAttention } from '../../words/index.ts';

export const facetTitles: Record<FacetName, string> = {
  health: 'Health',
  sync: 'Sync',
  runtime: 'Runtime',
  cluster: 'Cluster',
  destinationNamespace: 'Namespace',
  project: 'Project',
  repo: 'Repository',
  label: 'Label',
  namespace: 'Argo CD namespace',
};

export interface FacetOption {
  readonly value: string;
  /** How many applications it would show; undefined when that is not known. */
  readonly count: number | undefined;
}

/** What the server counted, and what is chosen though nothing has it any more. */
export function facetOptions(
  facet: FacetName,
  facets: ApplicationFacets | undefined,
  chosen: readonly string[],
): readonly FacetOption[] {
  const counted: readonly FacetOption[] = facet === 'label' ? [] : (facets?.[facet].values ?? []);
  const known = new Set(counted.map(({ value }) => value));
  const gone = chosen.filter((value) => !known.has(value)).map((value) => ({ value, count: undefined }));
  const all = [...gone, ...counted];
  if (facet !== 'health') return all;
  const order: readonly string[] = healthByAttention;
  return all.sort((a, b) => order.indexOf(a.value) - order.indexOf(b.value));
}

/** What a chip says: "any", "eu-prod", "eu-prod, us-prod +2". */
export function chosenWords(chosen: readonly string[]): string {
  const shown = chosen.slice(0, 2).map(valueWords);
  const rest = chosen.length - shown.length;
  return chosen.length === 0 ? 'any' : `${shown.join(', ')}${rest > 0 ? ` +${rest}` : ''}`;
}

export const valueWords = (value: string): string => (value === 'OutOfSync' ? 'Out of sync' : value);
