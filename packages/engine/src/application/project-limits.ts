// What a project allows of the objects that an application brings, hooks among them: their kinds, the namespaces they go
// to, and, in a project that is kept to the Applications of another one (a restricted Git Source), what these Applications
// may be. Such a project is what keeps people who can only commit from choosing a project with wider limits for themselves,
// or from changing Applications of others. Pure.
import { applicationsProjectAnnotation, argoGroup, entityOf } from '@fairlead/contracts';
import { type KubeObject, type ResourceRef, stringAt } from '@fairlead/kube';
import type { Cluster } from '../clusters/index.ts';
import { type Tracking, trackedBy } from '../live/index.ts';
import { permitsDestination, permitsKind } from '../project/index.ts';
import { isHook } from '../sync/index.ts';

export interface ProjectLimits {
  readonly project: KubeObject;
  /** Of the destination. */
  readonly cluster: { readonly server: string; readonly name: string };
  readonly tracking?: Tracking | undefined;
}

export const limitsOf = ({ project, cluster }: { project: KubeObject; cluster: Cluster }): ProjectLimits => ({
  project,
  cluster: { server: cluster.entry.server, name: cluster.entry.name },
  tracking: cluster.cache.tracking,
});

interface Wanted {
  readonly ref: ResourceRef;
  readonly target: KubeObject;
  readonly live?: KubeObject | undefined;
}

/** Why the application must not bring this; undefined when it may. */
export function limitProblem(limits: ProjectLimits, application: string, wanted: Wanted): string | undefined {
  const { project, cluster } = limits;
  const { group, kind, namespace } = wanted.ref;
  const { name } = project.metadata;
  if (!permitsKind(project, { group, kind, namespaced: namespace !== undefined }))
    return `resource ${group}:${kind} is not permitted in project ${name}`;
  if (namespace !== undefined && !permitsDestination(project, { ...cluster, namespace }))
    return `namespace ${namespace} is not permitted in project '${name}'`;
  const only = project.metadata.annotations?.[applicationsProjectAnnotation];
  const problem = only === undefined ? undefined : keptProblem(only, application, wanted, limits);
  return problem && `project ${name} is kept to Applications of project ${only}: ${problem}`;
}

function keptProblem(
  only: string,
  application: string,
  { ref, target, live }: Wanted,
  { tracking }: ProjectLimits,
): string | undefined {
  const what = `${ref.kind} ${ref.name}`;
  if (ref.group !== argoGroup || ref.kind !== 'Application') return `${what} is none`;
  if (isHook(target)) return `${what} is a hook`;
  const project = stringAt(target, 'spec', 'project') ?? '';
  if (project !== only) return `${what} names project ${JSON.stringify(project)}`;
  if (entityOf(target.metadata.labels)) return `${what} has the label of a Git Source or of configuration`;
  const owner = live && trackedBy(live, tracking);
  if (live && owner !== application) return `${what} is there already and belongs to ${owner ?? 'nobody'}`;
  return undefined;
}
