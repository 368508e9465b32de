// One object of an application, as the query names it. Only what the application manages or owns can be reached.
import type { Application } from '@fairlead/contracts';
import { isNotFound, type KubeObject, type ResourceRef, refKey, refOf } from '@fairlead/kube';
import type { Cluster } from '../clusters/index.ts';
import { descendants } from '../live/index.ts';
import { type ApiDeps, clusterOf } from './api-deps.ts';
import { ArgoError } from './argo-error.ts';

export interface ResourceQuery {
  readonly namespace?: string | undefined;
  readonly resourceName?: string | undefined;
  readonly version?: string | undefined;
  readonly group?: string | undefined;
  readonly kind?: string | undefined;
}

/** Everything an application consists of, live. */
export function partsOf(deps: ApiDeps, application: Application): KubeObject[] {
  const { name } = application.metadata;
  const comparison = deps.controller.comparisonOf(name);
  if (!comparison) throw new ArgoError('Unavailable', `application ${name} was not compared yet`);
  const roots = comparison.resources.flatMap(({ live }) => live ?? []);
  return descendants(clusterOf(deps, application).cache, roots);
}

export function findPart(
  deps: ApiDeps,
  application: Application,
  query: ResourceQuery,
): { readonly cluster: Cluster; readonly ref: ResourceRef; readonly object: KubeObject } {
  const { namespace = '', resourceName = '', version = 'v1', group = '', kind = '' } = query;
  const ref = { group, version, kind, name: resourceName, ...(namespace ? { namespace } : {}) };
  const object = partsOf(deps, application).find((candidate) => refKey(refOf(candidate)) === refKey(ref));
  if (!object) {
    const where = `${kind} ${group} ${resourceName}`;
    throw new ArgoError('InvalidArgument', `${where} not found as part of application ${application.metadata.name}`);
  }
  return { cluster: clusterOf(deps, application), ref, object };
}

export async function readLive({ client }: Cluster, ref: ResourceRef, signal: AbortSignal): Promise<KubeObject> {
  try {
    return await client.get(ref, { signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new ArgoError('NotFound', `${ref.kind} ${ref.name} is gone`);
  }
}
