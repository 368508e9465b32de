// What the runtime says about itself: at the start, when it changes, and every 30 s as the sign that it lives.
import { type Clock, contentHash, errorMessage, sleep, withDeadline } from '@fairlead/base';
import {
  type ClusterReport,
  inClusterServer,
  type RuntimeComponent,
  type RuntimeIdentity,
  type RuntimeReport,
  runtimeComponents,
} from '@fairlead/contracts';
import type { KubeClient } from '@fairlead/kube';
import { type ArgoCdClient, type EngineVersion, unsupportedReason } from '../argo-cd/index.ts';
import { version } from '../version.ts';
import { componentRoles } from './component-roles.ts';
import { clustersOf } from './entities.ts';
import type { Outbox } from './outbox.ts';
import { type Component, probeComponent } from './probe-component.ts';

interface HeartbeatDeps {
  readonly identity: RuntimeIdentity;
  readonly client: KubeClient;
  readonly engine: ArgoCdClient;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly epoch: number;
  /** Base URLs of components with probes; without one, there is no such component. */
  readonly components: Readonly<Partial<Record<RuntimeComponent, string | undefined>>>;
  /** Whether the cluster is a component too. */
  readonly embeddedCluster: boolean;
  /** The address of its Shared Configuration Repository, if it has one. */
  readonly sharedConfigRepo: () => string | undefined;
}

const lookEveryMs = 5_000;
/** While a component says that it is on its way. */
const lookSoonMs = 1_000;
const beatEveryMs = 30_000;
const probeWithinMs = 3_000;

export class RuntimeHeartbeat {
  readonly #deps: HeartbeatDeps;
  #sequence = 0;
  #lastHash = '';
  #lastBeatMs = Number.NEGATIVE_INFINITY;
  #engine: EngineVersion = { kind: 'argo-cd', version: '' };

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
  }

  async run({ signal }: { signal: AbortSignal }): Promise<void> {
    const { clock, outbox, identity, epoch } = this.#deps;
    const beat = (runtime: RuntimeReport) => {
      const hash = contentHash(runtime);
      const isDue = hash !== this.#lastHash || clock.monotonic() - this.#lastBeatMs >= beatEveryMs;
      if (!isDue) return;
      this.#lastHash = hash;
      this.#lastBeatMs = clock.monotonic();
      const stamp = {
        key: identity.runtimeName,
        uid: identity.runtimeId,
        epoch,
        sequence: ++this.#sequence,
        observedAt: new Date(clock.now()).toISOString(),
        hash,
      };
      outbox.add({ object: { kind: 'runtime', ...stamp, runtime }, contents: new Map() });
    };
    while (!signal.aborted) {
      const runtime = await this.#look(signal);
      if (signal.aborted) return;
      beat(runtime);
      const isMoving = runtime.components.some(({ health }) => health === 'Progressing');
      const pauseMs = isMoving ? lookSoonMs : lookEveryMs;
      await sleep(pauseMs, { signal, clock }).catch(() => undefined); // the loop sees the abort
    }
  }

  async #look(signal: AbortSignal): Promise<RuntimeReport> {
    const within = withDeadline(signal, probeWithinMs);
    const [clusters, ...found] = await Promise.all([
      this.#clusters(within),
      ...runtimeComponents.map((name) => this.#component(name, within)),
    ]);
    const components = found
      .filter((each) => each !== undefined)
      .map((each) => ({ ...each, role: componentRoles[each.name] }));
    const sharedConfigRepo = this.#deps.sharedConfigRepo();
    return {
      version,
      engine: this.#engine,
      components,
      clusters,
      ...(sharedConfigRepo === undefined ? {} : { sharedConfigRepo }),
    };
  }

  async #component(name: RuntimeComponent, signal: AbortSignal): Promise<Component | undefined> {
    if (name === 'application-reporter') return { name, version, health: 'Healthy' };
    if (name === 'engine') return this.#engineComponent(signal);
    if (name === 'cluster') return this.#deps.embeddedCluster ? this.#clusterComponent(signal) : undefined;
    const url = this.#deps.components[name];
    return url === undefined ? undefined : probeComponent(name, url, signal);
  }

  async #clusterComponent(signal: AbortSignal): Promise<Component> {
    try {
      const { gitVersion } = await this.#deps.client.version({ signal });
      return { name: 'cluster', version: gitVersion, health: 'Healthy' };
    } catch (error) {
      return { name: 'cluster', version: '', health: 'Degraded', message: errorMessage(error) };
    }
  }

  async #engineComponent(signal: AbortSignal): Promise<Component> {
    try {
      this.#engine = await this.#deps.engine.version({ signal });
      const { version: found } = this.#engine;
      const message = unsupportedReason(found);
      return message === undefined
        ? { name: 'engine', version: found, health: 'Healthy' }
        : { name: 'engine', version: found, health: 'Degraded', message };
    } catch (error) {
      return { name: 'engine', version: this.#engine.version, health: 'Degraded', message: errorMessage(error) };
    }
  }

  /** As the engine sees them; without an answer of its, the own cluster as we see it. */
  async #clusters(signal: AbortSignal): Promise<RuntimeReport['clusters']> {
    try {
      const clusters = clustersOf(await this.#deps.engine.listClusters({ signal }));
      return [...clusters.values()].map(({ payload }) => brief(payload));
    } catch {
      return [await this.#ownCluster(signal)]; // that the engine is silent, its component says
    }
  }

  async #ownCluster(signal: AbortSignal): Promise<RuntimeReport['clusters'][number]> {
    const cluster = { name: 'in-cluster', server: inClusterServer };
    try {
      const { gitVersion } = await this.#deps.client.version({ signal });
      return { ...cluster, version: gitVersion, status: 'Successful' };
    } catch (error) {
      return { ...cluster, status: 'Failed', message: errorMessage(error) };
    }
  }
}

function brief({ name, server, version: serverVersion, status, message }: ClusterReport) {
  return {
    name,
    server,
    ...(serverVersion ? { version: serverVersion } : {}),
    status,
    ...(message ? { message } : {}),
  };
}
