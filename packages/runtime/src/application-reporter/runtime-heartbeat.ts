// What the runtime says about itself: at the start, and every 30 s as the sign that it lives.
import { type Clock, contentHash, errorMessage, everyInterval } from '@fairlead/base';
import { type HealthCode, inClusterServer, type RuntimeIdentity, type RuntimeReport } from '@fairlead/contracts';
import type { KubeClient } from '@fairlead/kube';
import type { ArgoCdClient, EngineVersion } from '../argo-cd/index.ts';
import { version } from '../version.ts';
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
}

const everyMs = 30_000;
const probeWithinMs = 3_000;

type Component = RuntimeReport['components'][number];

export class RuntimeHeartbeat {
  readonly #deps: HeartbeatDeps;
  #sequence = 0;
  #engine: EngineVersion = { kind: 'argo-cd', version: '' };

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
  }

  run({ signal }: { signal: AbortSignal }): Promise<void> {
    const { clock, outbox, identity, epoch } = this.#deps;
    const beat = async () => {
      const runtime = await this.#look(signal);
      if (signal.aborted) return;
      const stamp = {
        key: identity.runtimeName,
        uid: identity.runtimeId,
        epoch,
        sequence: ++this.#sequence,
        observedAt: new Date(clock.now()).toISOString(),
        hash: contentHash(runtime),
      };
      outbox.add({ object: { kind: 'runtime', ...stamp, runtime }, contents: new Map() });
    };
    return everyInterval(everyMs, beat, { signal, clock });
  }

  async #look(signal: AbortSignal): Promise<RuntimeReport> {
    const within = AbortSignal.any([signal, AbortSignal.timeout(probeWithinMs)]);
    const [engine, cluster, ...others] = await Promise.all([
      this.#engineComponent(within),
      this.#cluster(within),
      ...Object.entries(this.#deps.components).map(([name, url]) => probe(name, url, within)),
    ]);
    const self: Component = { name: 'application-reporter', version, health: 'Healthy' };
    return { version, engine: this.#engine, components: [engine, self, ...others], clusters: [cluster] };
  }

  async #engineComponent(signal: AbortSignal): Promise<Component> {
    try {
      this.#engine = await this.#deps.engine.version({ signal });
      return { name: 'engine', version: this.#engine.version, health: 'Healthy' };
    } catch (error) {
      return { name: 'engine', version: this.#engine.version, health: 'Degraded', message: errorMessage(error) };
    }
  }

  async #cluster(signal: AbortSignal): Promise<RuntimeReport['clusters'][number]> {
    const cluster = { name: 'in-cluster', server: inClusterServer };
    try {
      const { gitVersion } = await this.#deps.client.version({ signal });
      return { ...cluster, version: gitVersion, status: 'Successful' };
    } catch (error) {
      return { ...cluster, status: 'Failed', message: errorMessage(error) };
    }
  }
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
