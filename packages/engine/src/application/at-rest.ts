// When may a poll end with asking the repositories? When the look before it had nothing to do, and nothing that it looked at
// can have changed unseen. Whatever changes is told (`touches`): the Application, its project, its cluster, settings, and live
// objects that name the application. What is not told of, an object that nobody tracks, keeps an application from resting.
import type { Application, ApplicationStatus } from '@fairlead/contracts';
import { equalJson, type KubeObject, valueAt } from '@fairlead/kube';
import type { Cluster, Clusters } from '../clusters/index.ts';
import { trackedBy } from '../live/index.ts';
import type { SyncWindow } from '../project/index.ts';
import type { Comparison } from './comparison.ts';

/** What the last look had before it. As long as all of it is the same, a look at the same sources would end the same. */
export interface AtRest {
  /** How often something was told of when the look began. */
  readonly touches: number;
  readonly version: string | undefined;
  readonly project: KubeObject;
  readonly cluster: Cluster;
  readonly serverVersion: string | undefined;
}

interface Look {
  /** What the look read. */
  readonly before: Application;
  readonly status: ApplicationStatus;
  readonly spec: {
    readonly project: KubeObject;
    readonly cluster: Cluster;
    readonly windows: readonly SyncWindow[];
  };
  readonly comparison: Comparison;
  readonly touches: number;
}

/** `after`: as it stands once the look has written. Undefined: the next look must be a whole one. */
export function atRestAfter(after: Application, look: Look): AtRest | undefined {
  const { spec, comparison, touches } = look;
  const { metadata } = after;
  if (!isOwnWork(after, look)) return undefined;
  const { project, cluster, windows } = spec;
  const { tracking } = cluster.cache;
  const isWatched = ({ live }: Comparison['resources'][number]) =>
    live !== undefined && trackedBy(live, tracking) === metadata.name;
  const seesOrphans = valueAt(project, 'spec', 'orphanedResources') !== undefined;
  if (!comparison.loaded || windows.length > 0 || seesOrphans || !comparison.resources.every(isWatched))
    return undefined;
  return { touches, version: metadata.resourceVersion, project, cluster, serverVersion: cluster.serverVersion };
}

/** A status is merged into what others may have written meanwhile; what they wrote nobody has looked at. */
function isOwnWork(after: Application, { before, status }: Pick<Look, 'before' | 'status'>): boolean {
  const read = (application: Application) => {
    const { resourceVersion: _version, generation: _generation, ...metadata } = application.metadata;
    return { ...application, metadata, status: { ...application.status, reconciledAt: undefined } };
  };
  return after === before || equalJson(read(after), read({ ...before, status }));
}

interface Now {
  readonly touches: number;
  readonly projectOf: (name: string) => KubeObject | undefined;
  readonly clusters: Pick<Clusters, 'find'>;
}

export function restsStill(application: Application, atRest: AtRest, { touches, projectOf, clusters }: Now): boolean {
  const { metadata, spec } = application;
  if (metadata.deletionTimestamp || touches !== atRest.touches || metadata.resourceVersion !== atRest.version)
    return false;
  const choice = clusters.find(spec.destination);
  if (!choice.ok || choice.cluster !== atRest.cluster || !choice.cluster.isReady) return false;
  return choice.cluster.serverVersion === atRest.serverVersion && projectOf(spec.project) === atRest.project;
}
