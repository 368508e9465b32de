// What an application consists of: tree, desired and live manifests, single objects. Secrets leave masked.
import type { ManagedResource, ResourceNode } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';
import { type Context, Hono } from 'hono';
import type { ComparedResource, Comparison } from '../application/index.ts';
import type { Cluster } from '../clusters/index.ts';
import { maskSecrets } from '../diff/index.ts';
import { resourceTree } from '../live/index.ts';
import { isHook } from '../sync/index.ts';
import { type ApiDeps, applicationOf, clusterOf } from './api-deps.ts';
import { ArgoError } from './argo-error.ts';

export function resourceRoutes(deps: ApiDeps): Hono {
  const api = new Hono();
  const find = (context: Context) => applicationOf(deps, context.req.param('name') ?? '', context.req.query('project'));
  const compared = (context: Context): Comparison => {
    const { name } = find(context).metadata;
    const comparison = deps.controller.comparisonOf(name);
    if (!comparison) throw new ArgoError('Unavailable', `application ${name} was not compared yet`);
    return comparison;
  };

  api.get('/:name/resource-tree', (context) =>
    context.json({ nodes: treeOf(clusterOf(deps, find(context)), compared(context)), orphanedNodes: [] }),
  );

  api.get('/:name/managed-resources', (context) => {
    const { kind, name, namespace, group } = context.req.query();
    const items = compared(context)
      .resources.filter(({ ref }) => !kind || ref.kind === kind)
      .filter(({ ref }) => !name || ref.name === name)
      .filter(({ ref }) => !namespace || ref.namespace === namespace)
      .filter(({ ref }) => !group || ref.group === group)
      .map(managedResource);
    return context.json({ items });
  });

  api.get('/:name/manifests', async (context) => {
    const { source, destination } = find(context).spec;
    const revision = context.req.query('revision');
    const atHand = compared(context).loaded;
    const isOther = revision && revision !== atHand?.revision;
    const loaded = isOther && source ? await deps.sources.load(source, { revision, signal: deps.signal }) : atHand;
    if (!loaded)
      throw new ArgoError('FailedPrecondition', compared(context).conditions[0]?.message ?? 'source not loaded');
    const manifests = loaded.rendered.manifests.map((manifest) => {
      const [masked] = maskSecrets([manifest as unknown as KubeObject]); // rendering has checked its identity
      return JSON.stringify(masked);
    });
    const { namespace, server } = destination;
    return context.json({
      manifests,
      namespace,
      server,
      revision: loaded.revision,
      sourceType: loaded.rendered.sourceType,
    });
  });

  api.get('/:name/revisions/:revision/metadata', async (context) => {
    const { source } = find(context).spec;
    if (!source) throw new ArgoError('InvalidArgument', 'application has no source');
    const revision = context.req.param('revision');
    return context.json(await deps.sources.revisionMetadata(source.repoURL, revision, deps.signal));
  });
  return api;
}

/** Managed objects that are not there show as nodes too, Missing. */
function treeOf({ cache }: Cluster, { resources }: Comparison): ResourceNode[] {
  const live = resourceTree(
    cache,
    resources.flatMap((resource) => resource.live ?? []),
  );
  const missing = resources
    .filter((resource) => !resource.live && resource.target)
    .map(({ ref: { group, version, kind, namespace = '', name } }): ResourceNode => {
      return { group, version, kind, namespace, name, health: { status: 'Missing' } };
    });
  return [...live, ...missing];
}

function managedResource({ ref, target, live, diff, isOutOfSync }: ComparedResource): ManagedResource {
  const versions = [target, live, diff?.normalizedLive, diff?.predictedLive];
  const [targetState, liveState, normalizedLiveState, predictedLiveState] = maskSecrets(versions).map((version) =>
    version ? JSON.stringify(version) : 'null',
  );
  const { group, kind, namespace, name } = ref;
  const resourceVersion = live?.metadata.resourceVersion;
  return {
    group,
    kind,
    namespace: namespace ?? '',
    name,
    targetState: targetState ?? 'null',
    liveState: liveState ?? 'null',
    normalizedLiveState: normalizedLiveState ?? 'null',
    predictedLiveState: predictedLiveState ?? targetState ?? 'null',
    ...(!target && live && isHook(live) ? { hook: true } : {}),
    ...(resourceVersion ? { resourceVersion } : {}),
    modified: isOutOfSync,
  };
}
