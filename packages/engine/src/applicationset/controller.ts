// ApplicationSets: generators make parameters, the template makes Applications, and the cluster is made to hold exactly
// these. Promises: when anything about the generators or templates fails, no Application is changed or deleted, and a
// condition says why; labels and annotations of others stay where `preservedFields` names them.
import { type Clock, errorMessage, isAbortError, type Logger, mapLimit, type Random, toKubeTime } from '@fairlead/base';
import { argoApiVersion, argoGroup } from '@fairlead/contracts';
import { affectsRevision, type PushEvent } from '@fairlead/git';
import {
  equalJson,
  Informer,
  isConflict,
  isNotFound,
  type KubeClient,
  type KubeObject,
  listAt,
  numberAt,
  type ReconcileResult,
  recordAt,
  refKey,
  runWorkers,
  stringAt,
  valueAt,
  WorkQueue,
} from '@fairlead/kube';
import type { SourceTree } from '@fairlead/render';
import type { ApplicationStore } from '../application/index.ts';
import type { Clusters } from '../clusters/index.ts';
import { desiredApplications } from './desired.ts';
import { flatGenerators, repositoriesOf } from './generators.ts';
import { changesFor } from './policy.ts';
import { pullRequestReader } from './pull-requests.ts';
import { isRolling, planRollout, type Rollout } from './rollout.ts';

interface ControllerDeps {
  /** Whose writes are guarded: refused when this engine must not act. */
  readonly client: KubeClient;
  readonly namespace: string;
  readonly store: ApplicationStore;
  readonly clusters: Clusters;
  readonly openTree: (url: string, revision: string, signal: AbortSignal) => Promise<SourceTree>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** How often what is outside of the cluster is asked again, in seconds; Argo CD's own. */
const defaultRequeue = { git: 180, pullRequest: 1800 } as const;
const settleMs = 200;
const parallel = 10;

export class ApplicationSetController {
  readonly #deps: ControllerDeps;
  readonly #informer: Informer;
  #queue: WorkQueue;

  constructor(deps: ControllerDeps) {
    this.#deps = deps;
    const { client, namespace, log } = deps;
    this.#informer = new Informer({
      client,
      query: { apiVersion: argoApiVersion, kind: 'ApplicationSet', namespace },
      log,
    });
    this.#queue = new WorkQueue(deps);
    this.#queue.close(); // what comes in before `act` is found by it
  }

  list(): readonly KubeObject[] {
    return this.#informer.list();
  }

  async start({ signal }: { signal: AbortSignal }): Promise<{ running: Promise<void> }> {
    const { store, clusters } = this.#deps;
    this.#informer.onChange(({ object }) => this.#queue.add(object.metadata.name));
    clusters.onChange(() => this.#all());
    store.onChange(({ application }) => {
      const owner = listAt(application.metadata, 'ownerReferences').find(
        (entry) => stringAt(entry, 'kind') === 'ApplicationSet',
      );
      if (owner) this.#queue.addAfter(stringAt(owner, 'name') ?? '', settleMs);
    });
    const running = this.#informer.run({ signal });
    await this.#informer.synced({ signal });
    return { running };
  }

  /** Makes all sets so, and goes on until the signal aborts; resolves when nothing is under way any more. */
  async act({ signal }: { signal: AbortSignal }): Promise<void> {
    this.#queue = new WorkQueue(this.#deps);
    for (const { metadata } of this.list()) this.#queue.add(metadata.name);
    const reconcile = (name: string) => this.#reconcile(name, signal);
    await runWorkers({ queue: this.#queue, concurrency: 2, reconcile, signal, log: this.#deps.log });
  }

  /** Sets whose generators read the repository are made anew. */
  pushed(event: PushEvent): void {
    for (const set of this.list()) {
      const sources = repositoriesOf(listAt(set, 'spec', 'generators'));
      if (sources.some(({ url, revision }) => affectsRevision(event, url, revision)))
        this.#queue.add(set.metadata.name);
    }
  }

  /** A pull request was opened, moved or closed somewhere: sets made of pull requests are made anew. */
  pullRequestsMoved(): void {
    for (const set of this.list()) {
      const generators = flatGenerators(listAt(set, 'spec', 'generators'));
      if (generators.some((entry) => valueAt(entry, 'pullRequest') !== undefined)) this.#queue.add(set.metadata.name);
    }
  }

  #all(): void {
    for (const { metadata } of this.list()) this.#queue.addAfter(metadata.name, settleMs);
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<ReconcileResult> {
    const { namespace } = this.#deps;
    const set = this.#informer.get(refKey({ group: argoGroup, kind: 'ApplicationSet', namespace, name }));
    if (!set || set.metadata.deletionTimestamp) return undefined;
    try {
      const { count, rollout } = await this.#apply(set, signal);
      const progress = rollout ? [progressOf(rollout)] : [];
      await this.#tell(set, [...conditionsOf(undefined), ...progress], { count, rollout, signal });
    } catch (error) {
      if (signal.aborted && isAbortError(error)) throw error;
      if (isConflict(error)) return { requeueAfterMs: settleMs };
      await this.#tell(set, conditionsOf(errorMessage(error)), { signal });
      this.#deps.log.warn({ name, error: errorMessage(error) }, 'application set failed');
    }
    return requeueOf(listAt(set, 'spec', 'generators'));
  }

  async #apply(set: KubeObject, signal: AbortSignal): Promise<{ count: number; rollout?: Rollout }> {
    const { client, clusters, store, namespace, openTree } = this.#deps;
    const entries = () => clusters.list().map(({ entry }) => entry);
    const reader = {
      clusters: entries,
      openTree: (url: string, revision: string) => openTree(url, revision, signal),
      ...pullRequestReader({ client, namespace, signal }),
    };
    const generated = await desiredApplications(set, namespace, reader);
    const desired = isRolling(set) ? generated.map(withoutAutoSync) : generated;
    const existing = store.list() as unknown as KubeObject[]; // Applications are Kubernetes objects
    const { create, update, remove } = changesFor(set, desired, existing);
    await mapLimit(create, parallel, (object) => client.create(object, { signal }));
    await mapLimit(update, parallel, ({ ref, body }) => client.patch(ref, body, { type: 'merge', signal }));
    await mapLimit(remove, parallel, async (ref) => {
      await client.delete(ref, { signal }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    });
    const count = desired.length;
    return isRolling(set) ? { count, rollout: await this.#roll(set, generated, signal) } : { count };
  }

  async #roll(set: KubeObject, generated: readonly KubeObject[], signal: AbortSignal): Promise<Rollout> {
    const { client, store, clock } = this.#deps;
    const applications = generated.flatMap(({ metadata }) => store.get(metadata.name) ?? []);
    const rollout = planRollout(set, applications, toKubeTime(clock.now()));
    for (const name of rollout.toSync) {
      const application = applications.find(({ metadata }) => metadata.name === name);
      const wanted = generated.find(({ metadata }) => metadata.name === name);
      if (!application || !wanted) continue;
      // Refused (conflict) when somebody else has begun an operation meanwhile; then it is looked at again.
      const metadata = { resourceVersion: application.metadata.resourceVersion };
      const body = { metadata, operation: rollingOperation(wanted) };
      await client.patch(this.#refTo('Application', name), body, { type: 'merge', signal });
    }
    return rollout;
  }

  #refTo(kind: string, name: string) {
    return { group: argoGroup, version: 'v1alpha1', kind, namespace: this.#deps.namespace, name };
  }

  async #tell(
    set: KubeObject,
    conditions: readonly Condition[],
    {
      count,
      rollout,
      signal,
    }: { readonly count?: number; readonly rollout?: Rollout | undefined; readonly signal: AbortSignal },
  ): Promise<void> {
    const before = listAt(set, 'status', 'conditions');
    const now = toKubeTime(this.#deps.clock.now());
    const dated = conditions.map((condition) => {
      const same = before.find((old) =>
        (['type', 'status', 'message'] as const).every((key) => stringAt(old, key) === condition[key]),
      );
      return { ...condition, lastTransitionTime: stringAt(same, 'lastTransitionTime') ?? now };
    });
    const status = {
      conditions: dated,
      ...(count === undefined ? {} : { resourcesCount: count }),
      ...(rollout ? { applicationStatus: rollout.applications } : {}),
    };
    if (equalJson({ ...recordAt(set, 'status'), ...status }, recordAt(set, 'status'))) return;
    const ref = this.#refTo('ApplicationSet', set.metadata.name);
    await this.#deps.client.patch(ref, { status }, { type: 'merge', subresource: 'status', signal });
  }
}

/** As often as the most impatient of them wants; those that read only the cluster are told by it. */
function requeueOf(generators: readonly unknown[]): ReconcileResult {
  const seconds = flatGenerators(generators).flatMap((entry) =>
    (['git', 'pullRequest'] as const)
      .filter((kind) => valueAt(entry, kind) !== undefined)
      .map((kind) => numberAt(entry, kind, 'requeueAfterSeconds') || defaultRequeue[kind]),
  );
  return seconds.length === 0 ? undefined : { requeueAfterMs: Math.min(...seconds) * 1000 };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

function progressOf({ step }: Rollout): Condition {
  const isOver = step === undefined;
  return {
    type: 'RolloutProgressing',
    status: isOver ? 'False' : 'True',
    reason: isOver ? 'ApplicationSetRolloutComplete' : 'ApplicationSetModified',
    message: isOver ? 'ApplicationSet Rollout has completed' : `ApplicationSet is performing rollout of step ${step}`,
  };
}

/** Who syncs is the rollout alone. */
function withoutAutoSync(application: KubeObject): KubeObject {
  const spec = recordAt(application, 'spec');
  const syncPolicy = recordAt(spec, 'syncPolicy');
  if (syncPolicy['automated'] === undefined) return application;
  const automated = { ...recordAt(syncPolicy, 'automated'), enabled: false };
  return { ...application, spec: { ...spec, syncPolicy: { ...syncPolicy, automated } } };
}

const rollingRetries = 5;

/** As the template's own policy would have it. */
function rollingOperation(wanted: KubeObject): object {
  const policy = recordAt(wanted, 'spec', 'syncPolicy');
  const retry = recordAt(policy, 'retry');
  const value = 'ApplicationSet RollingSync triggered a sync of this Application resource';
  return {
    initiatedBy: { username: 'applicationset-controller', automated: true },
    info: [{ name: 'Reason', value }],
    retry: Object.keys(retry).length > 0 ? retry : { limit: rollingRetries },
    sync: {
      ...(valueAt(policy, 'automated', 'prune') === true ? { prune: true } : {}),
      ...(Array.isArray(policy['syncOptions']) ? { syncOptions: policy['syncOptions'] } : {}),
    },
  };
}

function conditionsOf(error: string | undefined): Condition[] {
  const isGood = error === undefined;
  const message = error ?? 'All applications have been generated successfully';
  const flag = (value: boolean) => (value ? 'True' : 'False');
  return [
    {
      type: 'ErrorOccurred',
      status: flag(!isGood),
      reason: isGood ? 'ApplicationSetUpToDate' : 'ApplicationGenerationFromParamsError',
      message,
    },
    {
      type: 'ParametersGenerated',
      status: flag(isGood),
      reason: isGood ? 'ParametersGenerated' : 'ErrorOccurred',
      message,
    },
    {
      type: 'ResourcesUpToDate',
      status: flag(isGood),
      reason: isGood ? 'ApplicationSetUpToDate' : 'ErrorOccurred',
      message,
    },
  ];
}
