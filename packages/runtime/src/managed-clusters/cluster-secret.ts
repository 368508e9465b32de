// Argo CD's Secret of a cluster, and what becomes of it when Git no longer names the cluster: the credentials are kept under
// another type, which no engine reads, so that a revert in Git brings the cluster back without anybody's kubeconfig.
import type { KubeObject } from '@fairlead/kube';
import { fieldsOf } from '../identity/index.ts';

export const typeLabel = 'argocd.argoproj.io/secret-type';

export const secretTypes = {
  linked: 'cluster',
  /** Unlinked by a commit that the engine may not have seen yet. */
  leaving: 'leaving-cluster',
  /** Git does not name it. */
  unlinked: 'unlinked-cluster',
} as const;
/** Selects the credentials that are only kept. */
export const unlinkedClusters = `${typeLabel} in (${secretTypes.leaving},${secretTypes.unlinked})`;
export type SecretType = (typeof secretTypes)[keyof typeof secretTypes];

/** Its Application was there beside it: from then on Git decides. */
export const inGitAnnotation = 'fairlead.io/cluster-in-git';
export const unlinkedAtAnnotation = 'fairlead.io/cluster-unlinked-at';
const ownAnnotations = ['managed-by', inGitAnnotation, unlinkedAtAnnotation];

export interface ManagedCluster {
  readonly name: string;
  readonly server: string;
  readonly secretName: string;
}

export function managedClusterOf(secret: KubeObject): ManagedCluster {
  const { name = '', server = '' } = fieldsOf(secret);
  return { name: name || server, server: server.replace(/\/+$/, ''), secretName: secret.metadata.name };
}

type Texts = Readonly<Record<string, string>>;

export interface Marks {
  readonly labels?: Texts | undefined;
  readonly annotations?: Texts | undefined;
}

/** What people see of a Secret's labels and annotations. */
export function marksOf({ metadata }: KubeObject): Required<Marks> {
  const without = (texts: Texts | undefined, own: readonly string[]) =>
    Object.fromEntries(Object.entries(texts ?? {}).filter(([key]) => !own.includes(key)));
  return { labels: without(metadata.labels, [typeLabel]), annotations: without(metadata.annotations, ownAnnotations) };
}

/** As a merge patch: each map that is given replaces what people set before; our own marks stay. */
export function marksPatch(secret: KubeObject, { labels, annotations }: Marks): object {
  const before = marksOf(secret);
  return {
    ...(labels ? { labels: replaced(before.labels ?? {}, labels) } : {}),
    ...(annotations ? { annotations: replaced(before.annotations ?? {}, annotations) } : {}),
  };
}

function replaced(before: Texts, after: Texts) {
  const gone = Object.keys(before).filter((key) => !(key in after));
  const own = new Set([typeLabel, ...ownAnnotations]); // nobody's commit may turn them
  const wanted = Object.entries(after).filter(([key]) => !own.has(key));
  return { ...Object.fromEntries(gone.map((key) => [key, null])), ...Object.fromEntries(wanted) };
}
