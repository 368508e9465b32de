// One task of a plan, carried out. Small on purpose: everything that decides is in `plan` and `progress`. Each task is
// idempotent, so that doing it twice after a crash does no harm.
import { errorMessage, sleep } from '@fairlead/base';
import { lastAppliedAnnotation } from '@fairlead/contracts';
import {
  createThreeWayMergePatch,
  gvkOf,
  isAlreadyExists,
  isConflict,
  isInvalid,
  isNotFound,
  isRecord,
  type KubeClient,
  type KubeObject,
  listAt,
  type ResourceRef,
  stringAt,
} from '@fairlead/kube';
import { lastApplied, normalize } from '../diff/index.ts';
import { type HookPhase, hookRunAnnotation } from './hook.ts';
import { deleteHook } from './hook-objects.ts';
import type { HookTask, SyncTask } from './plan.ts';
import type { TaskResult } from './progress.ts';
import { propagationOf } from './propagation.ts';
import type { SyncOptions } from './sync-options.ts';

export interface ApplyDeps {
  readonly client: KubeClient;
  readonly signal: AbortSignal;
  /** The cluster as it is known now. */
  readonly liveOf: (ref: ResourceRef) => KubeObject | undefined;
  /** Told of every object the API server answered. */
  readonly observe: (object: KubeObject) => void;
  /** Told of what is gone. */
  readonly forget: (object: KubeObject) => void;
  /** What an object owns, as it is known now. */
  readonly dependentsOf: (uid: string) => readonly KubeObject[];
}

type Outcome = { readonly status: 'Synced' | 'Pruned' | 'PruneSkipped'; readonly message: string };

const fieldManager = 'argocd-controller';
const crdPollMs = 100;
const crdPolls = 30;
const deletionPolls = 100;
const maxConflicts = 3;

/** Never throws but for an abort: what goes wrong is the result. Undefined: not yet, look again. */
export async function applyTask(
  task: SyncTask | HookTask<HookPhase>,
  options: SyncOptions,
  deps: ApplyDeps,
): Promise<TaskResult | undefined> {
  const { group, version, kind, namespace = '', name } = task.ref;
  const hookType = task.action === 'hook' ? { hookType: task.phase } : {};
  const base = { group, version, kind, namespace, name, syncPhase: task.phase, ...hookType };
  try {
    const outcome = await carryOut(task, options, deps);
    if (!outcome) return undefined;
    const hookPhase = outcome.status === 'Synced' ? 'Running' : 'Succeeded';
    return { ...base, ...outcome, hookPhase };
  } catch (error) {
    if (deps.signal.aborted) throw error;
    return { ...base, status: 'SyncFailed', hookPhase: 'Failed', message: errorMessage(error) };
  }
}

async function carryOut(
  task: SyncTask | HookTask<HookPhase>,
  options: SyncOptions,
  deps: ApplyDeps,
): Promise<Outcome | undefined> {
  if (options.dryRun && task.needsPlan) {
    return { status: 'Synced', message: `${kubectlName(task.ref)} created (dry run)` };
  }
  switch (task.action) {
    case 'keep':
      return { status: 'PruneSkipped', message: task.reason };
    case 'prune':
      return prune(task, options, deps);
    case 'create-namespace':
      return createNamespace(task.target, options, deps);
    case 'hook':
      return runHook(task, options, deps);
    case 'apply':
      return apply(task, options, deps);
  }
}

/**
 * Makes the hook's object. One that this very run has made already, before a crash, is taken as it is; one of an earlier
 * run goes first when its policy says so.
 */
async function runHook(task: HookTask<HookPhase>, options: SyncOptions, deps: ApplyDeps): Promise<Outcome | undefined> {
  const live = options.dryRun ? undefined : deps.liveOf(task.ref);
  const run = task.target.metadata.annotations?.[hookRunAnnotation];
  const isOurs = live !== undefined && live.metadata.annotations?.[hookRunAnnotation] === run;
  if (isOurs) return { status: 'Synced', message: `${task.ref.name} created` };
  if (live && task.deletePolicies.includes('BeforeHookCreation')) {
    await deleteHook(live, options.propagationPolicy, deps);
    if (deps.liveOf(task.ref)) return undefined;
  }
  const asApplied = { ...task, action: 'apply', serverSideApply: false, replace: false, force: false } as const;
  return apply({ ...asApplied, live: deps.liveOf(task.ref) }, options, deps);
}

async function prune(
  { ref, live }: { ref: ResourceRef; live: KubeObject },
  { propagationPolicy: asked, dryRun }: SyncOptions,
  { client, signal, observe, forget, dependentsOf }: ApplyDeps,
): Promise<Outcome> {
  if (dryRun) return { status: 'Pruned', message: 'pruned (dry run)' };
  const { uid } = live.metadata;
  const preconditions = uid ? { uid } : undefined;
  const propagationPolicy = propagationOf(live, asked, dependentsOf);
  try {
    const left = await client.delete(ref, { propagationPolicy, preconditions, signal });
    if (left?.metadata.deletionTimestamp) observe(left);
    else forget(live);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    forget(live);
  }
  return { status: 'Pruned', message: 'pruned' };
}

async function createNamespace(target: KubeObject, { dryRun }: SyncOptions, deps: ApplyDeps): Promise<Outcome> {
  try {
    const made = await deps.client.create(target, { dryRun, signal: deps.signal });
    if (!dryRun) deps.observe(made);
    return { status: 'Synced', message: `namespace/${target.metadata.name} created` };
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const { name, ...metadata } = target.metadata;
    if (Object.keys(metadata).length === 0) return { status: 'Synced', message: `namespace/${name} unchanged` };
    const ref = { ...gvkOf(target), name };
    const patched = await deps.client.patch(ref, { metadata }, { type: 'merge', dryRun, signal: deps.signal });
    if (!dryRun) deps.observe(patched);
    return { status: 'Synced', message: `namespace/${name} configured` };
  }
}

type ApplyTask = Omit<Extract<SyncTask, { action: 'apply' }>, 'phase'>;

async function apply(task: ApplyTask, options: SyncOptions, deps: ApplyDeps): Promise<Outcome> {
  const done = await write(task, options, deps);
  if (!options.dryRun) deps.observe(done.object);
  if (task.ref.kind === 'CustomResourceDefinition' && !options.dryRun) await established(done.object, deps);
  const dry = options.dryRun ? ' (dry run)' : '';
  return { status: 'Synced', message: `${kubectlName(task.ref)} ${done.verb}${dry}` };
}

function write(task: ApplyTask, options: SyncOptions, deps: ApplyDeps): Promise<Done> {
  const isKept = ['Namespace', 'CustomResourceDefinition'].includes(task.ref.kind);
  if (task.force && task.live && !isKept) return recreate(task, task.live, options, deps);
  if (task.serverSideApply) return serverSideApply(task, options, deps);
  if (task.replace && task.live) return replace(task, task.live, options, deps);
  return clientSideApply(task, options, deps);
}

interface Done {
  readonly object: KubeObject;
  readonly verb: string;
}

async function serverSideApply({ ref, target }: ApplyTask, { dryRun }: SyncOptions, deps: ApplyDeps): Promise<Done> {
  const body = normalize(withoutNulls(target));
  const { client, signal } = deps;
  const object = await client.patch(ref, body, { type: 'apply', fieldManager, force: true, dryRun, signal });
  return { object, verb: 'serverside-applied' };
}

async function replace(task: ApplyTask, live: KubeObject, { dryRun }: SyncOptions, deps: ApplyDeps): Promise<Done> {
  const desired = normalize(withoutNulls(task.target));
  const { resourceVersion } = live.metadata;
  const body = { ...desired, metadata: { ...desired.metadata, resourceVersion } };
  return { object: await deps.client.update(body, { dryRun, fieldManager, signal: deps.signal }), verb: 'replaced' };
}

/** `Force=true`: what cannot be changed in place is deleted and made anew. Tried in place first, as kubectl does. */
async function recreate(task: ApplyTask, live: KubeObject, options: SyncOptions, deps: ApplyDeps): Promise<Done> {
  try {
    return await (task.replace ? replace : (t: ApplyTask) => clientSideApply(t, options, deps))(
      task,
      live,
      options,
      deps,
    );
  } catch (error) {
    if (!isInvalid(error) && !isConflict(error)) throw error;
  }
  const { client, signal } = deps;
  if (options.dryRun) return { object: live, verb: 'replaced' };
  await client.delete(task.ref, { propagationPolicy: 'Background', signal });
  for (let poll = 0; poll < deletionPolls && (await currentOf(task.ref, deps)); poll++) {
    await sleep(crdPollMs, { signal });
  }
  return { ...(await clientSideApply({ ...task, live: undefined }, options, deps)), verb: 'replaced' };
}

/** kubectl apply: three-way between what was applied last, what is wanted and what is there. */
async function clientSideApply(task: ApplyTask, { dryRun }: SyncOptions, deps: ApplyDeps): Promise<Done> {
  const { client, signal } = deps;
  const desired = withLastApplied(normalize(withoutNulls(task.target)));
  let live = task.live;
  for (let attempt = 0; ; attempt++) {
    try {
      if (!live) return { object: await client.create(desired, { dryRun, fieldManager, signal }), verb: 'created' };
      const input = { original: lastApplied(live), modified: desired, current: normalize(live) };
      const { type, body } = createThreeWayMergePatch(input, gvkOf(desired));
      if (Object.keys(body).length === 0) return { object: live, verb: 'unchanged' };
      return { object: await client.patch(task.ref, body, { type, dryRun, fieldManager, signal }), verb: 'configured' };
    } catch (error) {
      const isStale = isAlreadyExists(error) || isConflict(error) || (live && isNotFound(error));
      if (!isStale || attempt >= maxConflicts) throw error;
      live = await currentOf(task.ref, deps);
    }
  }
}

async function currentOf(ref: ResourceRef, { client, signal }: ApplyDeps): Promise<KubeObject | undefined> {
  try {
    return await client.get(ref, { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** A new kind can be used only once the API server has taken it up; Argo CD waits for the same condition. */
async function established(crd: KubeObject, deps: ApplyDeps): Promise<void> {
  let current = crd;
  for (let poll = 0; poll < crdPolls; poll++) {
    const conditions = listAt(current, 'status', 'conditions');
    const condition = conditions.find((entry) => stringAt(entry, 'type') === 'Established');
    if (stringAt(condition, 'status') === 'True') return;
    await sleep(crdPollMs, { signal: deps.signal });
    const ref = { ...gvkOf(crd), name: crd.metadata.name };
    current = await deps.client.get(ref, { signal: deps.signal });
  }
}

function withLastApplied(desired: KubeObject): KubeObject {
  const { [lastAppliedAnnotation]: _old, ...annotations } = desired.metadata.annotations ?? {};
  const bare = { ...desired, metadata: { ...desired.metadata, annotations } };
  const text = `${JSON.stringify(bare)}\n`;
  return { ...bare, metadata: { ...bare.metadata, annotations: { ...annotations, [lastAppliedAnnotation]: text } } };
}

/** In manifests null means "not set"; in patches it would mean "remove". */
function withoutNulls(object: KubeObject): KubeObject {
  return strip(object) as KubeObject; // only members that are null go
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [key, strip(inner)]));
}

/** `deployment.apps/web`, as kubectl names objects. */
function kubectlName({ group, kind, name }: ResourceRef): string {
  return `${kind.toLowerCase()}${group ? `.${group}` : ''}/${name}`;
}
