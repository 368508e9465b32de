// Limits of a restricted Git Source as people write them: `cluster/namespace`, `group/Kind`. The same in CLI and browser.
import type { GitSourceLimits } from './git-sources.ts';

export type RestrictedDestination = GitSourceLimits['destinations'][number];
export type RestrictedKind = NonNullable<GitSourceLimits['clusterResourceWhitelist']>[number];

/** The cluster by its name or by the address of its server; undefined when it is not `cluster/namespace`. */
export function destinationIn(text: string): RestrictedDestination | undefined {
  const slash = text.lastIndexOf('/');
  const cluster = text.slice(0, slash);
  const namespace = text.slice(slash + 1);
  if (slash < 1 || namespace === '' || cluster.endsWith('/')) return undefined;
  return cluster.includes('://') || cluster === '*' ? { server: cluster, namespace } : { name: cluster, namespace };
}

export const destinationWords = ({ server, name, namespace }: RestrictedDestination): string =>
  `${server ?? name ?? ''}/${namespace}`;

/** `apps/Deployment`; a kind of the core group has no group: `ConfigMap`. */
export function kindIn(text: string): RestrictedKind {
  const slash = text.lastIndexOf('/');
  return { group: slash < 0 ? '' : text.slice(0, slash), kind: text.slice(slash + 1) };
}

export const kindWords = ({ group, kind }: RestrictedKind): string => (group === '' ? kind : `${group}/${kind}`);
