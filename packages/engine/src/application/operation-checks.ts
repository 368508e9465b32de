// What may keep an operation from beginning: the project, kinds the cluster does not know, prunes that a person has to
// confirm. Deciding only; nothing here writes.
import type { Application, Operation } from '@fairlead/contracts';
import {
  equalJson,
  type GroupVersionKind,
  isRecord,
  jsonMergePatch,
  type KubeClient,
  type KubeObject,
  listAt,
  type ResourceRef,
  recordAt,
  stringAt,
  UnknownKindError,
  valueAt,
} from '@fairlead/kube';
import { resourceSyncOptions, type SyncOptions, type SyncPlan, type SyncTask, type TaskResult } from '../sync/index.ts';
import type { ComparedResource, Comparison } from './comparison.ts';
import { limitProblem, type ProjectLimits } from './project-limits.ts';

interface Asked {
  readonly application: Application;
  readonly operation: Operation;
  readonly options: SyncOptions;
}

/** Why the sync as a whole must not happen. */
export function refusalOf(
  { application, operation, options }: Asked,
  { resources, hooks, conditions }: Comparison,
  limits: ProjectLimits,
): string | undefined {
  const unsupported = unsupportedPart(operation);
  if (unsupported) return `operation.sync.${unsupported} is not supported yet`;
  for (const { ref, target, live } of [...resources, ...hooks.map((hook) => ({ ...hook, live: undefined }))]) {
    const problem = target && limitProblem(limits, application.metadata.name, { ref, target, live });
    if (problem) return problem;
  }
  const shared = conditions.find(({ type }) => type === 'SharedResourceWarning');
  if (options.failOnSharedResource && shared) return `Shared resource found: ${shared.message}`;
  const { initiatedBy, sync } = operation;
  const hasTargets = resources.some(({ target }) => target !== undefined);
  const allowEmpty = application.spec.syncPolicy?.automated?.allowEmpty === true;
  if (initiatedBy?.automated && !hasTargets && options.prune && !allowEmpty && !sync?.resources) {
    return 'the source renders to nothing, and allowEmpty is not set';
  }
  return undefined;
}

/** Parts of an operation that would change its outcome, and that this engine does not carry out. */
function unsupportedPart({ sync }: Operation): string | undefined {
  if (listAt(sync, 'manifests').length > 0) return 'manifests';
  if (listAt(sync, 'sources').length > 0) return 'sources';
  return valueAt(sync, 'source') === undefined ? undefined : 'source';
}

/** Prunes that wait for a person, who approves by an annotation on the Application. */
export function unconfirmedPrunes(
  { application, options }: Asked,
  plan: SyncPlan,
  { resources, startedAt }: { readonly resources: readonly ComparedResource[]; readonly startedAt: string },
): string | undefined {
  const prunes = plan.steps.flatMap(({ tasks }) => tasks.flatMap((task) => (task.action === 'prune' ? [task] : [])));
  const live = resources.filter((resource) => resource.live && resource.status).length;
  const isBraked = exceedsLimit(prunes, live, options);
  const asked = prunes.filter((task) => isBraked || task.needsConfirmation);
  if (asked.length === 0 || options.dryRun || isApproved(application, startedAt)) return undefined;
  const names = asked.map(({ ref: { group, kind, name } }) => `${group}/${kind}/${name}`);
  const more = names.length > 1 ? ` and ${names.length - 1} more resources` : '';
  const limit = isBraked ? ` (${prunes.length} of ${live} would go; PruneLimit=${options.pruneLimitPercent}%)` : '';
  return `waiting for pruning confirmation of ${names[0]}${more}${limit}`;
}

/** What holds the data of others: with a limit, deleting one is always asked about. */
const weightyKinds = ['Namespace', 'PersistentVolumeClaim', 'CustomResourceDefinition'];

function exceedsLimit(prunes: readonly SyncTask[], live: number, { pruneLimitPercent }: SyncOptions): boolean {
  if (pruneLimitPercent === undefined || prunes.length === 0) return false;
  return prunes.length * 100 > pruneLimitPercent * live || prunes.some(({ ref }) => weightyKinds.includes(ref.kind));
}

const approvalAnnotation = 'argocd.argoproj.io/deletion-approved';

/** An approval counts for what began before it. */
export function isApproved({ metadata }: Application, since: string): boolean {
  const approved = Date.parse(metadata.annotations?.[approvalAnnotation] ?? '');
  return approved >= Date.parse(since);
}

/** Nothing is begun when the cluster does not know a kind, unless its CRD comes along. */
export async function unknownKinds(
  plan: SyncPlan,
  options: SyncOptions,
  servedKind: (kind: GroupVersionKind) => Promise<GroupVersionKind | undefined>,
): Promise<TaskResult[]> {
  const found: TaskResult[] = [];
  const tasks = plan.steps.flatMap((step) => step.tasks);
  const coming = new Set(tasks.map((task) => (task.action === 'apply' ? kindMadeBy(task.target) : undefined)));
  for (const task of tasks) {
    if (task.action !== 'apply' && task.action !== 'hook') continue;
    const { group, version, kind, namespace = '', name } = task.ref;
    const isExcused = options.skipDryRunOnMissingResource || skipsMissing(task.target);
    if (isExcused || coming.has(`${group}/${kind}`)) continue;
    const served = await servedKind(task.ref);
    if (served?.group === group && served.version === version) continue;
    const message = notServed(task.ref, served);
    const base = { group, version, kind, namespace, name, syncPhase: task.phase };
    found.push({ ...base, status: 'SyncFailed', hookPhase: 'Failed', message });
  }
  return found;
}

/** Argo CD's words. */
function notServed(
  { group, version, kind, namespace = '', name }: SyncTask['ref'],
  served: GroupVersionKind | undefined,
): string {
  const resource = `for requested resource ${namespace}/${name}`;
  return served
    ? `The Kubernetes API could not find version "${version}" of ${group}/${kind} ${resource}. Version "${served.version}" of ${served.group}/${kind} is installed on the destination cluster.`
    : `The Kubernetes API could not find ${group}/${kind} ${resource}. Make sure the "${kind}" CRD is installed on the destination cluster.`;
}

/** An object whose name the API server would make up can be created, again and again, but not applied; hooks have a name by then. */
export function namelessObjects(plan: SyncPlan): TaskResult[] {
  return plan.steps.flatMap(({ tasks }) =>
    tasks.flatMap((task) => {
      const { generateName, name: own } = task.action === 'apply' && !task.replace ? task.target.metadata : {};
      if (own || !generateName) return [];
      const { group, version, kind, namespace = '', name } = task.ref;
      const base = { group, version, kind, namespace, name, syncPhase: task.phase };
      const message = `error when applying: from ${generateName}: cannot use generate name with apply`;
      return [{ ...base, status: 'SyncFailed', hookPhase: 'Failed', message } as const];
    }),
  );
}

const skipsMissing = (object: KubeObject) => resourceSyncOptions(object).includes('SkipDryRunOnMissingResource=true');

function kindMadeBy(object: KubeObject): string | undefined {
  if (object.kind !== 'CustomResourceDefinition') return undefined;
  return `${stringAt(object, 'spec', 'group')}/${stringAt(object, 'spec', 'names', 'kind')}`;
}

/** The destination's namespace when it is neither in the source nor live as `managedNamespaceMetadata` wants it. */
export function missingNamespace(
  application: Application,
  resources: readonly ComparedResource[],
  liveOf: (ref: Omit<ResourceRef, 'version'>) => KubeObject | undefined,
): KubeObject | undefined {
  const name = application.spec.destination.namespace;
  if (!name) return undefined;
  const isInSource = resources.some(({ ref, target }) => target && ref.kind === 'Namespace' && ref.name === name);
  if (isInSource) return undefined;
  const { labels, annotations } = recordAt(application.spec, 'syncPolicy', 'managedNamespaceMetadata');
  const wanted = { ...(isRecord(labels) ? { labels } : {}), ...(isRecord(annotations) ? { annotations } : {}) };
  const live = liveOf({ group: '', kind: 'Namespace', name });
  if (live && equalJson(jsonMergePatch(live.metadata, wanted), live.metadata)) return undefined;
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...wanted } as KubeObject['metadata'] }; // the API server checks them
}

/** The kind as the cluster has it now: in this version, in another one, or in another group. All kinds are asked for once at most. */
export function kindsServed(client: KubeClient, signal: AbortSignal) {
  let all: ReturnType<KubeClient['discovery']> | undefined;
  return async (wanted: GroupVersionKind): Promise<GroupVersionKind | undefined> => {
    try {
      await client.resourceFor(wanted, { signal });
      return wanted;
    } catch (error) {
      if (!(error instanceof UnknownKindError)) throw error;
    }
    all ??= client.discovery({ signal });
    const alike = (await all).resources.filter(({ kind }) => kind === wanted.kind);
    return alike.find(({ group }) => group === wanted.group) ?? alike[0];
  };
}
