// Keeps the Secrets of managed clusters as Git says: which clusters the runtime has is the Applications that its
// configuration brings, one per cluster, and each carries the cluster's labels. So a commit by hand, or the revert of one,
// does what the API does. Nothing happens while the runtime follows no repository, and never to a cluster that was not
// in Git (added before, or by Argo CD's own command). Acts on what is, not on what changed: it may stop at any point.
import { type Clock, errorMessage, type Logger } from '@fairlead/base';
import { argoApiVersion, asApplication, entityLabel } from '@fairlead/contracts';
import {
  Informer,
  isNotFound,
  type KubeClient,
  type KubeObject,
  type ReconcileResult,
  runWorkers,
  WorkQueue,
} from '@fairlead/kube';
import { clusterApplicationName, configurationApplicationName } from '../configuration/index.ts';
import { secretRef } from '../identity/index.ts';
import { managedClusterOf, secretTypes, typeLabel } from './cluster-secret.ts';
import { decide } from './decide.ts';

interface ClustersInGitOptions {
  readonly client: KubeClient;
  /** The engine's. */
  readonly namespace: string;
  /** Undefined until it is registered. */
  readonly runtime: () => string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

const all = 'clusters';
const lookAgainMs = 10_000;

export class ClustersInGit {
  readonly #options: ClustersInGitOptions;
  readonly #applications: Informer;
  readonly #secrets: Informer;
  /** Since when the Application of a Secret has been away, by the Secret's name. */
  readonly #missingSince = new Map<string, number>();

  constructor(options: ClustersInGitOptions) {
    const { client, namespace, clock, log } = options;
    this.#options = options;
    const labelSelector = `${typeLabel} in (${Object.values(secretTypes).join(',')})`;
    const query = { apiVersion: 'v1', kind: 'Secret', namespace, labelSelector };
    const applications = { apiVersion: argoApiVersion, kind: 'Application', namespace };
    const configured = { ...applications, labelSelector: `${entityLabel}=internal-config` };
    this.#secrets = new Informer({ client, query, log, clock });
    this.#applications = new Informer({ client, query: configured, log, clock });
  }

  async run({ signal }: { signal: AbortSignal }): Promise<void> {
    const { clock, log } = this.#options;
    const informers = [this.#applications, this.#secrets];
    const running = informers.map((informer) => informer.run({ signal }));
    const queue = new WorkQueue({ clock, baseDelayMs: 500, maxDelayMs: lookAgainMs });
    const stops = informers.map((informer) => informer.onChange(() => queue.add(all)));
    queue.add(all);
    await runWorkers({ queue, concurrency: 1, reconcile: () => this.#look(signal), signal, log });
    for (const stop of stops) stop();
    await Promise.all(running);
  }

  async #look(signal: AbortSignal): Promise<ReconcileResult> {
    const runtime = this.#options.runtime();
    if (runtime === undefined || !this.#applications.isSynced || !this.#secrets.isSynced)
      return { requeueAfterMs: 500 };
    const applications = new Map(this.#applications.list().map((object) => [object.metadata.name, object]));
    if (!applications.has(configurationApplicationName(runtime))) return { requeueAfterMs: lookAgainMs };
    let againMs = lookAgainMs;
    for (const secret of this.#secrets.list()) {
      const application = applications.get(clusterApplicationName(runtime, managedClusterOf(secret).name));
      againMs = Math.min(againMs, await this.#settle(secret, application, signal));
    }
    return { requeueAfterMs: againMs };
  }

  /** One that fails does not keep the others waiting. Gives when to look again. */
  async #settle(secret: KubeObject, application: KubeObject | undefined, signal: AbortSignal): Promise<number> {
    const { clock, log, client, namespace } = this.#options;
    const { name, secretName } = managedClusterOf(secret);
    if (application) this.#missingSince.delete(secretName);
    else if (!this.#missingSince.has(secretName)) this.#missingSince.set(secretName, clock.monotonic());
    const missingMs = clock.monotonic() - (this.#missingSince.get(secretName) ?? clock.monotonic());
    const ref = secretRef(namespace, secretName);
    try {
      const seen = { secret, application: application && asApplication(application) };
      const decision = decide({ ...seen, missingMs, nowMs: clock.now() });
      if (decision.do === 'wait') return decision.ms;
      if (decision.do === 'patch') {
        await client.patch(ref, { metadata: decision.metadata }, { type: 'merge', signal });
        log.info({ cluster: name, why: decision.why }, 'cluster follows Git');
      }
      if (decision.do === 'forget') {
        await client.delete(ref, { signal });
        this.#missingSince.delete(secretName);
        log.info({ cluster: name }, 'credentials of a cluster that was unlinked long ago are forgotten');
      }
    } catch (error) {
      if (!signal.aborted && !isNotFound(error))
        log.warn({ cluster: name, error: errorMessage(error) }, 'cluster cannot follow Git yet');
    }
    return lookAgainMs;
  }
}
