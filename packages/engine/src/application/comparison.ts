// Desired against live for one application: pairs, their differences and health, and what follows for the application
// as a whole. The deciding is pure; the rim (reading another API version, a dry run where the comparison is unsure) is
// given as functions.
import type { ApplicationCondition, ResourceStatus, SyncCode } from '@fairlead/contracts';
import { gvkOf, type KubeObject, type ResourceRef, refKey, refOf } from '@fairlead/kube';
import { type LoadedSources, manifestsOf } from '@fairlead/render';
import {
  diffObject,
  type IgnoreRule,
  ignoredExpressions,
  ignoredManagers,
  isUnchangedBy,
  JqError,
  type ObjectDiff,
  withoutManagedBy,
} from '../diff/index.ts';
import { type Health, type HealthOf, type HealthReady, worstHealth } from '../health/index.ts';
import { type ClusterCache, descendants, externalUrlsOf, imagesOf, trackedBy } from '../live/index.ts';
import { hookTypesOf, isHook, isSkipped, type SyncHook, type SyncPair, waveOf } from '../sync/index.ts';
import { orphanConditions, orphansOf } from './orphans.ts';
import { prepareTargets, type Target, type Targets } from './targets.ts';

export interface ComparedResource extends SyncPair {
  readonly namespaced: boolean;
  /** Absent for hooks: they do not count. */
  readonly status?: SyncCode | undefined;
  readonly requiresPruning: boolean;
  readonly diff?: ObjectDiff | undefined;
  readonly health?: Health | undefined;
}

export interface Comparison {
  /** Undefined when the source could not be loaded, or not compared: then nothing may be synced or pruned. */
  readonly loaded: LoadedSources | undefined;
  readonly resources: readonly ComparedResource[];
  /** Hooks of the source, whether live or not; those that are live stand among the resources too. */
  readonly hooks: readonly SyncHook[];
  readonly sync: SyncCode;
  readonly health: Health;
  readonly images: readonly string[];
  /** Addresses of what is live that a person can open. */
  readonly externalUrls: readonly string[];
  /** Objects beside it that belong to nobody, when the project wants to know. */
  readonly orphans: readonly KubeObject[];
  readonly conditions: readonly Pick<ApplicationCondition, 'type' | 'message'>[];
}

/** What an application's last comparison can spare the next one: targets of the same render, verdicts on same pairs. */
export class ComparisonMemory {
  #diffs = new Map<string, { target: KubeObject; live: KubeObject; diff: ObjectDiff }>();
  #targets: { readonly key: readonly unknown[]; readonly prepared: Targets } | undefined;

  diff(target: KubeObject, live: KubeObject): ObjectDiff | undefined {
    const known = this.#diffs.get(refKey(refOf(live)));
    const isSame = known?.target === target && known.live.metadata.resourceVersion === live.metadata.resourceVersion;
    return isSame ? known.diff : undefined;
  }

  keepDiff(target: KubeObject, live: KubeObject, diff: ObjectDiff): void {
    this.#diffs.set(refKey(refOf(live)), { target, live, diff });
  }

  /** `key`: everything the targets depend on, compared by identity. Other targets make the old verdicts worthless. */
  targets(key: readonly unknown[], prepare: () => Targets): Targets {
    const known = this.#targets;
    if (known?.key.length === key.length && known.key.every((part, index) => part === key[index]))
      return known.prepared;
    this.#diffs = new Map();
    this.#targets = { key, prepared: prepare() };
    return this.#targets.prepared;
  }
}

export interface CompareInput {
  readonly application: string;
  readonly namespace: string;
  readonly source: LoadedSources | { readonly error: string };
  readonly ignoreRules: readonly IgnoreRule[];
  readonly project: KubeObject;
  /** Every object is compared by a dry run of the API server. */
  readonly serverSideDiff: boolean;
  readonly memory: ComparisonMemory;
}

export interface CompareDeps {
  readonly cache: Pick<
    ClusterCache,
    'get' | 'managedBy' | 'children' | 'isNamespaced' | 'counts' | 'tracking' | 'ownerless'
  >;
  readonly healthOf: HealthOf;
  readonly healthReady: HealthReady;
  /** The live object in the version the target asks for. */
  readonly readVersion: (ref: ResourceRef) => Promise<KubeObject | undefined>;
  /** Rejects with a JqError when one is no jq. */
  readonly checkExpressions: (expressions: readonly string[]) => Promise<void>;
  /** The object without what jq expressions select. */
  readonly withoutSelected: (object: KubeObject, expressions: readonly string[]) => Promise<KubeObject>;
  /** What the API server would make of the target; undefined when it refuses. */
  readonly dryRun: (target: KubeObject, live: KubeObject) => Promise<KubeObject | undefined>;
}

const compareOptions = 'argocd.argoproj.io/compare-options';
const ignoreHealth = 'argocd.argoproj.io/ignore-healthcheck';

export async function compareApplication(input: CompareInput, deps: CompareDeps): Promise<Comparison> {
  await deps.healthReady(deps.cache.managedBy(input.application));
  const { source } = input;
  if ('error' in source) return uncompared(input, `Failed to load target state: ${source.error}`, deps);
  try {
    await deps.checkExpressions(input.ignoreRules.flatMap(({ jqPathExpressions = [] }) => jqPathExpressions));
  } catch (error) {
    if (!(error instanceof JqError)) throw error;
    return uncompared(input, `Failed to compare desired state to live state: ${error.message}`, deps);
  }
  return compareLoaded(source, input, deps);
}

async function compareLoaded(loaded: LoadedSources, input: CompareInput, deps: CompareDeps): Promise<Comparison> {
  const manifests = manifestsOf(loaded);
  const { cache } = deps;
  const isNamespaced = (kind: { group: string; kind: string }) => cache.isNamespaced(kind);
  const rules = JSON.stringify(input.ignoreRules); // made anew with every look at the spec
  const { tracking } = cache;
  const dependencies = [...loaded.parts, input.namespace, rules, cache.counts.kinds, tracking];
  const prepare = () => prepareTargets({ ...input, manifests, isNamespaced, tracking });
  const { targets, repeated } = input.memory.targets(dependencies, prepare);
  await deps.healthReady([...targets.values()].flatMap(({ ref }) => cache.get(ref) ?? []));
  const resources: ComparedResource[] = [];
  const hooks: SyncHook[] = [];
  for (const target of targets.values()) {
    if (!isHook(target.object)) resources.push(await comparePair(target, input, deps));
    else if (hookTypesOf(target.object).length > 0) hooks.push({ ref: target.ref, target: target.object });
  }
  for (const live of cache.managedBy(input.application)) {
    if (isHook(live)) resources.push(liveHook(live, deps));
    else if (!targets.has(refKey(refOf(live)))) resources.push(extraResource(live, deps));
  }
  const orphans = orphansOf(input.project, input.namespace, cache);
  const conditions = [
    ...repeated.map((message) => ({ type: 'RepeatedResourceWarning', message })),
    ...sharedResources(input.application, resources, deps),
    ...orphanConditions(input.project, orphans),
  ];
  const isOut = resources.some((resource) => resource.status === 'OutOfSync' && !isExtraneous(resource));
  const sync: SyncCode = isOut ? 'OutOfSync' : 'Synced';
  return { loaded, resources, hooks, sync, orphans, conditions, ...summary(resources, deps) };
}

async function comparePair(target: Target, input: CompareInput, deps: CompareDeps): Promise<ComparedResource> {
  const { ref, object, namespaced } = target;
  const cached = deps.cache.get(ref);
  const live = cached && cached.apiVersion !== object.apiVersion ? await deps.readVersion(ref) : cached;
  const base = { ref, namespaced, target: object, live, requiresPruning: false };
  const health = cached && deps.healthOf(cached);
  if (isSkipped(object)) return { ...base, status: 'Synced', isOutOfSync: false, health };
  if (!live) return { ...base, status: 'OutOfSync', isOutOfSync: true };
  const diff = await diffOf(object, live, input, deps);
  const isOutOfSync = diff.verdict !== 'same';
  return { ...base, status: isOutOfSync ? 'OutOfSync' : 'Synced', isOutOfSync, diff, health };
}

async function diffOf(
  target: KubeObject,
  live: KubeObject,
  input: CompareInput,
  deps: CompareDeps,
): Promise<ObjectDiff> {
  const known = input.memory.diff(target, live);
  if (known) return known;
  const reduce = await reduction(target, live, input, deps);
  const reducedLive = await reduce(live);
  let diff = diffObject(await reduce(target), reducedLive, input.ignoreRules);
  if (diff.verdict === 'unsure' || isServerSide(target, input)) {
    const answer = await deps.dryRun(target, live);
    const isSame = answer !== undefined && isUnchangedBy(await reduce(answer), reducedLive);
    diff = isSame
      ? { verdict: 'same', normalizedLive: diff.normalizedLive, predictedLive: diff.normalizedLive }
      : { ...diff, verdict: 'different' };
  }
  input.memory.keepDiff(target, live, diff);
  return diff;
}

function isServerSide(target: KubeObject, { serverSideDiff }: CompareInput): boolean {
  const own = target.metadata.annotations?.[compareOptions] ?? '';
  return own.includes('ServerSideDiff=true') || (serverSideDiff && !own.includes('ServerSideDiff=false'));
}

/** Takes off an object what rules ignore by jq expression or by manager; pointers are left to the comparison itself. */
async function reduction(
  target: KubeObject,
  live: KubeObject,
  { ignoreRules }: CompareInput,
  { withoutSelected, readVersion }: CompareDeps,
): Promise<(object: KubeObject) => Promise<KubeObject>> {
  const expressions = ignoredExpressions(live, ignoreRules);
  const managers = ignoredManagers(live, ignoreRules);
  // The cache holds no managedFields: they are large, and hardly anybody asks for them.
  const owned = managers.length > 0 ? await readVersion({ ...refOf(live), ...gvkOf(target) }) : undefined;
  return (object) => {
    const unmanaged = owned ? withoutManagedBy(object, owned, managers) : object;
    return expressions.length > 0 ? withoutSelected(unmanaged, expressions) : Promise.resolve(unmanaged);
  };
}

function extraResource(live: KubeObject, { healthOf }: CompareDeps): ComparedResource {
  const base = { ref: refOf(live), live, namespaced: live.metadata.namespace !== undefined };
  return { ...base, status: 'OutOfSync', isOutOfSync: true, requiresPruning: true, health: healthOf(live) };
}

/** What a hook left behind: shown, neither compared nor pruned. */
function liveHook(live: KubeObject, deps: CompareDeps): ComparedResource {
  return { ...extraResource(live, deps), status: undefined, isOutOfSync: false, requiresPruning: false };
}

/** Without a comparison nothing can be said about sync, nor done; what is live still has its health. */
function uncompared(input: CompareInput, message: string, deps: CompareDeps): Comparison {
  const live = deps.cache.managedBy(input.application);
  const resources = live.map((object): ComparedResource => {
    return { ...extraResource(object, deps), status: 'Unknown', isOutOfSync: false, requiresPruning: false };
  });
  const conditions = [{ type: 'ComparisonError', message }];
  return {
    loaded: undefined,
    resources,
    hooks: [],
    sync: 'Unknown',
    orphans: [],
    conditions,
    ...summary(resources, deps),
  };
}

const isExtraneous = ({ target, live }: ComparedResource) =>
  !target && live?.metadata.annotations?.[compareOptions]?.includes('IgnoreExtraneous') === true;

function sharedResources(application: string, resources: readonly ComparedResource[], { cache }: CompareDeps) {
  return resources.flatMap(({ live, target, ref }) => {
    const other = target && live ? trackedBy(live, cache.tracking) : undefined;
    if (other === undefined || other === application) return [];
    const message = `${ref.kind}/${ref.name} is part of applications ${application} and ${other}`;
    return [{ type: 'SharedResourceWarning', message }];
  });
}

function summary(
  resources: readonly ComparedResource[],
  { cache }: CompareDeps,
): Pick<Comparison, 'health' | 'images' | 'externalUrls'> {
  const judged = resources.filter(({ target, live }) => {
    const object = target ?? live;
    return object && !isHook(object) && object.metadata.annotations?.[ignoreHealth] !== 'true';
  });
  const health = worstHealth(
    judged.map(({ ref, live, health: own }) => ({
      name: `${ref.group ? `${ref.group}/` : ''}${ref.kind}/${ref.name}`,
      isLive: live !== undefined,
      health: own,
    })),
  );
  const roots = resources.flatMap(({ live }) => live ?? []);
  const live = descendants(cache, roots);
  const pods = live.filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Pod');
  return { health, images: [...new Set(pods.flatMap(imagesOf))].sort(), externalUrls: externalUrlsOf(live) };
}

/** As it stands in the Application's status: health is left out there, the API adds it (`resourceHealthSource: appTree`). */
export function resourceStatus({ ref, target, live, status, requiresPruning }: ComparedResource): ResourceStatus {
  const { group, version, kind, namespace, name } = ref;
  const wave = waveOf(target ?? live);
  return {
    ...(group ? { group } : {}),
    version,
    kind,
    ...(namespace ? { namespace } : {}),
    name,
    ...(status ? { status } : {}),
    ...(!target && live && isHook(live) ? { hook: true } : {}),
    ...(requiresPruning ? { requiresPruning } : {}),
    ...(wave !== 0 ? { syncWave: wave } : {}),
  };
}
