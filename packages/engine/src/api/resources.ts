// What an application consists of: tree, desired and live manifests, single objects. Secrets leave masked.
import type { ManagedResource, ResourceNode } from '@fairlead/contracts';
import { equalJson, type KubeObject } from '@fairlead/kube';
import { manifestsOf } from '@fairlead/render';
import { type Context, Hono } from 'hono';
import { type ComparedResource, type Comparison, sourcesOf } from '../application/index.ts';
import type { Cluster } from '../clusters/index.ts';
import { maskSecrets } from '../diff/index.ts';
import type { HealthOf } from '../health/index.ts';
import { descendants, resourceTree } from '../live/index.ts';
import { isActive, permitsSync } from '../project/index.ts';
import { isHook } from '../sync/index.ts';
import { type ApiDeps, clusterOf } from './api-deps.ts';
import { ArgoError } from './argo-error.ts';
import { applicationFor } from './authorize.ts';

export function resourceRoutes(deps: ApiDeps): Hono {
  const api = new Hono();
  const find = (context: Context) => applicationFor(deps, context, 'get');
  const compared = (context: Context): Comparison => {
    const { name } = find(context).metadata;
    const comparison = deps.controller.comparisonOf(name);
    if (!comparison) throw new ArgoError('Unavailable', `application ${name} was not compared yet`);
    return comparison;
  };

  api.get('/:name/resource-tree', async (context) => {
    const cluster = clusterOf(deps, find(context));
    const comparison = compared(context);
    const roots = [...comparison.resources.flatMap(({ live }) => live ?? []), ...comparison.orphans];
    await deps.healthReady(descendants(cluster.cache, roots));
    return context.json(treeOf(cluster, comparison, deps.healthOf));
  });

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
    const application = find(context);
    const { namespace, server } = application.spec.destination;
    const asked = [...(context.req.queries('revisions') ?? []), ...(context.req.queries('revision') ?? [])].filter(
      Boolean,
    );
    const atHand = compared(context).loaded;
    const isOther = asked.length > 0 && !equalJson(asked, atHand?.revisions);
    const loaded = isOther ? await deps.controller.loadAt(application.metadata.name, asked, deps.signal) : atHand;
    if (!loaded)
      throw new ArgoError('FailedPrecondition', compared(context).conditions[0]?.message ?? 'source not loaded');
    const manifests = manifestsOf(loaded).map((manifest) => {
      const [masked] = maskSecrets([manifest as unknown as KubeObject]); // rendering has checked its identity
      return JSON.stringify(masked);
    });
    return context.json({
      manifests,
      namespace,
      server,
      ...(loaded.isMulti ? { revisions: loaded.revisions } : {}),
      revision: loaded.revisions[0],
      sourceType: loaded.parts[0]?.sourceType ?? '',
    });
  });

  api.get('/:name/syncwindows', (context) => {
    const windows = deps.controller.windowsOf(find(context).metadata.name);
    const nowMs = deps.clock.now();
    const canSync = permitsSync(windows, { nowMs, isManual: true });
    const active = windows.filter((window) => isActive(window, nowMs));
    return context.json({ assignedWindows: windows, activeWindows: active, canSync });
  });

  api.get('/:name/revisions/:revision/metadata', async (context) => {
    const sources = sourcesOf(find(context));
    const source = sources[Number(context.req.query('sourceIndex') ?? 0)];
    if (!source) throw new ArgoError('InvalidArgument', `sourceIndex: the application has ${sources.length} sources`);
    const revision = context.req.param('revision');
    return context.json(await deps.sources.revisionMetadata(source.repoURL, revision, deps.signal));
  });
  return api;
}

/** Managed objects that are not there show as nodes too, Missing. */
function treeOf({ cache }: Cluster, { resources, orphans }: Comparison, healthOf: HealthOf) {
  const roots = resources.flatMap((resource) => resource.live ?? []);
  const live = resourceTree(cache, roots, healthOf);
  const missing = resources
    .filter((resource) => !resource.live && resource.target)
    .map(({ ref: { group, version, kind, namespace = '', name } }): ResourceNode => {
      return { group, version, kind, namespace, name, health: { status: 'Missing' } };
    });
  return { nodes: [...live, ...missing], orphanedNodes: resourceTree(cache, orphans, healthOf) };
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
