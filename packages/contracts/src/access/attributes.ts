// What rules can speak of, of each entity. Platform and runtime take an application's attributes by the same function, the one
// from what was reported, the other from the Application in its cluster.
import type { AccessEntity } from '../api/access-rule.ts';
import type { RouteNeed } from '../api/route.ts';
import type { ApplicationDestination } from '../argo/application.ts';
import { inClusterServer } from '../argo/names.ts';

export interface ObjectAttributes {
  readonly runtime: string;
  readonly cluster: string;
  readonly namespace: string;
  readonly project: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Of an application, where its manifest lies (`manifestsPlace`); no rule speaks of it. */
  readonly manifests?: string | undefined;
}

/** Which repositories hold an application's manifest, in which runtime: '' for none. Equal for equal sets. */
export const manifestsPlace = (runtimeId: string, repositories: readonly string[] = []): string =>
  repositories.length === 0
    ? ''
    : [runtimeId, ...[...new Set(repositories.map((url) => url.replaceAll(' ', '%20')))].sort()].join(' ');

/** What `manifestsPlace` put together. */
export function repositoriesIn(place: string): { runtimeId: string; repositories: string[] } {
  const [runtimeId = '', ...repositories] = place.split(' ');
  return { runtimeId, repositories };
}

/** A runtime, which is named by `runtime` and `name` alike, or what a runtime has under a name. */
export interface NamedEntity {
  readonly entity: Exclude<AccessEntity, 'application'>;
  readonly runtime: string;
  readonly name: string;
}

export const namedObject = ({ entity, runtime, name }: NamedEntity): ObjectAttributes => ({
  runtime,
  name,
  cluster: entity === 'cluster' ? name : '',
  namespace: '',
  project: '',
  labels: {},
});

/** What is no application in the path of a route for every member: it must be seen. Administrators see everything. */
export function namedIn(
  needs: RouteNeed | undefined,
  params: Readonly<Record<string, string | undefined>>,
): NamedEntity[] {
  const { runtime, cluster, gitSource } = params;
  if (needs !== 'member' || runtime === undefined) return [];
  return [
    { entity: 'runtime', runtime, name: runtime },
    ...(cluster === undefined ? [] : [{ entity: 'cluster', runtime, name: cluster } as const]),
    ...(gitSource === undefined ? [] : [{ entity: 'gitSource', runtime, name: gitSource } as const]),
  ];
}

interface DescribedApplication {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: { readonly project: string; readonly destination: ApplicationDestination };
}

export const applicationObject = (runtime: string, { name, labels, spec }: DescribedApplication): ObjectAttributes => ({
  runtime,
  name,
  labels,
  cluster: destinationCluster(spec.destination),
  namespace: spec.destination.namespace ?? '',
  project: spec.project || 'default',
});

/** By its name; by its address where that is all that is said. */
export function destinationCluster({ name, server }: ApplicationDestination): string {
  if (name) return name;
  return server === undefined || server === inClusterServer ? 'in-cluster' : server;
}
