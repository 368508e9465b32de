// What the runtime says about itself: at the start, when it changes, and every 30 s as the sign that it lives.
import { type Clock, contentHash, errorMessage, everyInterval } from '@fairlead/base';
import {
  type ClusterReport,
  type HealthCode,
  inClusterServer,
  type RuntimeIdentity,
  type RuntimeReport,
} from '@fairlead/contracts';
import type { KubeClient } from '@fairlead/kube';
import { type ArgoCdClient, type EngineVersion, unsupportedReason } from '../argo-cd/index.ts';
import { version } from '../version.ts';
import { componentRoles } from './component-roles.ts';
import { clustersOf } from './entities.ts';
import type { Outbox } from './outbox.ts';

interface HeartbeatDeps {
  readonly identity: RuntimeIdentity;
  readonly client: KubeClient;
  readonly engine: ArgoCdClient;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly epoch: number;
  /** Name → URL of its health probe. */
  readonly components: Readonly<Record<string, string>>;
  /** The address of its Shared Configuration Repository, if it has one. */
  readonly sharedConfigRepo: () => string | undefined;
}

const lookEveryMs = 5_000;
const beatEveryMs = 30_000;
const probeWithinMs = 3_000;

type Component = RuntimeReport['components'][number];

export class RuntimeHeartbeat {
  readonly #deps: HeartbeatDeps;
  #sequence = 0;
  #lastHash = '';
  #lastBeatMs = Number.NEGATIVE_INFINITY;
  #engine: EngineVersion = { kind: 'argo-cd', version: '' };

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
  }

  run({ signal }: { signal: AbortSignal }): Promise<void> {
    const { clock, outbox, identity, epoch } = this.#deps;
    const beat = async () => {
      const runtime = await this.#look(signal);
      const hash = contentHash(runtime);
      const isDue = hash !== this.#lastHash || clock.monotonic() - this.#lastBeatMs >= beatEveryMs;
      if (signal.aborted || !isDue) return;
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
    return everyInterval(lookEveryMs, beat, { signal, clock });
  }

  async #look(signal: AbortSignal): Promise<RuntimeReport> {
    const within = AbortSignal.any([signal, AbortSignal.timeout(probeWithinMs)]);
    const [engine, clusters, ...others] = await Promise.all([
      this.#engineComponent(within),
      this.#clusters(within),
      ...Object.entries(this.#deps.components).map(([name, url]) => probe(name, url, within)),
    ]);
    const self: Component = { name: 'application-reporter', version, health: 'Healthy' };
    const components = [engine, self, ...others].map((each) => ({ ...each, ...roleOf(each.name) }));
    const sharedConfigRepo = this.#deps.sharedConfigRepo();
    return {
      version,
      engine: this.#engine,
      components,
      clusters,
      ...(sharedConfigRepo === undefined ? {} : { sharedConfigRepo }),
    };
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

function roleOf(name: string): { role?: string } {
  const role = componentRoles[name];
  return role === undefined ? {} : { role };
}

async function probe(name: string, url: string, signal: AbortSignal): Promise<Component> {
  const component = (health: HealthCode, message?: string): Component => ({
    name,
    version,
    health,
    ...(message ? { message } : {}),
  });
  try {
    const answer = await fetch(url, { signal });
    await answer.body?.cancel();
    return answer.ok ? component('Healthy') : component('Degraded', `its probe answers ${answer.status}`);
  } catch (error) {
    return component('Degraded', errorMessage(error));
  }
}
