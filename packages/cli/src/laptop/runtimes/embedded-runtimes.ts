// Runtimes beside the laptop's first one, kept as their folders want them: each a cluster with all components in a process
// of its own, joined to the platform by its tunnel only. Level-triggered: commands write a wish and look at the state.
// One runtime that cannot start holds up no other.
import { type Clock, errorMessage, type Logger, sleep } from '@fairlead/base';
import { type ApiClient, ApiError } from '@fairlead/contracts';
import { KubeClient, loadKubeconfig } from '@fairlead/kube';
import {
  type Home,
  type RuntimeHome,
  readApiKey,
  removeRuntimeHome,
  runtimeHomes,
  stateOf,
  tellState,
  type Wanted,
  wantedOf,
} from '../../home/index.ts';
import { ensureGitToken } from '../git-token.ts';
import { chooseRuntimePorts } from '../ports.ts';
import { ensureRuntime } from '../register-runtime.ts';
import type { Supervisor } from '../supervisor.ts';
import { planRuntime, processName } from './environment.ts';

interface RuntimesDeps {
  readonly home: Home;
  readonly supervisor: Supervisor;
  readonly api: ApiClient;
  readonly platformUrl: string;
  readonly gitUrl: string;
  readonly log: Logger;
  readonly clock: Clock;
}

interface Waiting {
  readonly signal: AbortSignal;
}

const lookEveryMs = 250;
const againAfterMs = 5_000;

export class EmbeddedRuntimes {
  readonly #deps: RuntimesDeps;
  /** What was last brought about in this life of the supervisor. */
  readonly #reached = new Map<string, Wanted>();
  readonly #busy = new Map<string, Promise<void>>();
  readonly #notBeforeMs = new Map<string, number>();

  constructor(deps: RuntimesDeps) {
    this.#deps = deps;
  }

  async run({ signal }: Waiting): Promise<void> {
    const { home, clock } = this.#deps;
    while (!signal.aborted) {
      for (const place of runtimeHomes(home)) this.#look(place, signal);
      await sleep(lookEveryMs, { signal, clock }).catch(() => undefined); // the loop condition sees the abort
    }
    await Promise.all(this.#busy.values());
  }

  #look(place: RuntimeHome, signal: AbortSignal): void {
    const { name } = place;
    const wanted = wantedOf(place);
    const isResting = this.#deps.clock.monotonic() < (this.#notBeforeMs.get(`${name} ${wanted}`) ?? 0);
    if (this.#busy.has(name) || this.#reached.get(name) === wanted || isResting) return;
    const work = this.#bring(place, wanted, { signal }).finally(() => this.#busy.delete(name));
    this.#busy.set(name, work);
  }

  async #bring(place: RuntimeHome, wanted: Wanted, { signal }: Waiting): Promise<void> {
    const { log, clock } = this.#deps;
    try {
      if (wanted === 'running') await this.#start(place, { signal });
      else if (wanted === 'stopped') await this.#stop(place);
      else await this.#remove(place, { signal });
      this.#reached.set(place.name, wanted);
    } catch (error) {
      if (signal.aborted) return;
      log.error(
        { runtime: place.name, wanted, error: errorMessage(error) },
        'a runtime is not as wanted; trying again',
      );
      tellState(place, { phase: 'failed', message: errorMessage(error) });
      this.#notBeforeMs.set(`${place.name} ${wanted}`, clock.monotonic() + againAfterMs);
    }
  }

  async #start(place: RuntimeHome, { signal }: Waiting): Promise<void> {
    const { supervisor, api, platformUrl, log, clock } = this.#deps;
    if (stateOf(place)?.phase !== 'failed') tellState(place, { phase: 'starting' });
    await supervisor.remove(processName(place.name)); // of an attempt that failed
    const ports = await chooseRuntimePorts(place.portsFile, Math.random);
    await supervisor.start(planRuntime(place, ports));
    const kube = new KubeClient(await loadKubeconfig(place.kubeconfigFile));
    try {
      await ensureRuntime({ name: place.name, kind: 'hybrid', api, kube, platformUrl, log, clock, signal });
    } finally {
      await kube.close();
    }
    await this.#configure(place.name, { signal });
    tellState(place, { phase: 'connected' });
  }

  /** The local administrator's Git token, and the configuration repository that the other runtimes follow. */
  async #configure(runtime: string, { signal }: Waiting): Promise<void> {
    const { api, gitUrl, home } = this.#deps;
    await ensureGitToken({ api, runtime, gitUrl, apiKey: readApiKey(home), signal });
    const { sharedConfigRepo: own } = await api.call('getConfiguration', { params: { runtime } }, { signal });
    if (own) return;
    const sharedConfigRepo = await this.#followedByOthers(runtime, { signal });
    if (!sharedConfigRepo?.startsWith(gitUrl)) return; // somewhere that the local token is not for: the set-up guide does it
    await api.call('connectConfiguration', { params: { runtime }, body: { sharedConfigRepo } }, { signal });
  }

  /** Asked of the runtimes themselves: of one that has just begun the platform may not have heard it yet. */
  async #followedByOthers(runtime: string, { signal }: Waiting): Promise<string | undefined> {
    const { api } = this.#deps;
    const { items } = await api.call('listRuntimes', {}, { signal });
    const others = items.filter(({ name, status }) => name !== runtime && status === 'connected');
    for (const { name } of others) {
      const { sharedConfigRepo } = await api.call('getConfiguration', { params: { runtime: name } }, { signal });
      if (sharedConfigRepo) return sharedConfigRepo;
    }
    return undefined;
  }

  async #stop(place: RuntimeHome): Promise<void> {
    await this.#deps.supervisor.remove(processName(place.name));
    tellState(place, { phase: 'stopped' });
  }

  /** From any state, and again from any point of itself. */
  async #remove(place: RuntimeHome, { signal }: Waiting): Promise<void> {
    const { supervisor, api } = this.#deps;
    tellState(place, { phase: 'leaving' });
    await supervisor.remove(processName(place.name));
    await forget(api, place.name, { signal });
    removeRuntimeHome(place);
  }
}

/** The platform may not have heard of it yet, or have forgotten it before. */
async function forget(api: ApiClient, runtime: string, { signal }: Waiting): Promise<void> {
  try {
    await api.call('deleteRuntime', { params: { runtime } }, { signal });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
  }
}
