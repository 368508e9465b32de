// One cluster: its client, its live cache once somebody deploys there, and whether it answers. A cluster that does not
// answer is tried again for ever; it costs the others nothing but one request a quarter minute.
import { anySignal, type Clock, errorMessage, isAbortError, type Logger, sleep, toKubeTime } from '@fairlead/base';
import type { KubeClient } from '@fairlead/kube';
import { ClusterCache } from '../live/index.ts';
import type { ClusterEntry } from './cluster-secret.ts';

export interface ConnectionState {
  readonly status: 'Successful' | 'Failed' | 'Unknown';
  readonly message: string;
  readonly attemptedAt?: string;
}

/** A silent cluster shows as Failed after at most the two together. */
const probeEveryMs = 15_000;
const probeTimeoutMs = 8000;

/** Of `argocd-cm`. */
export type CacheSettings = Parameters<ClusterCache['follow']>[0];

interface ClusterOptions {
  readonly entry: ClusterEntry;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Logger;
  /** Told when the cluster begins or ceases to answer. */
  readonly onState: (cluster: Cluster) => void;
  readonly ownsClient: boolean;
  readonly settings: () => CacheSettings;
}

export class Cluster {
  /** Name and labels may change; server and connection never do. */
  entry: ClusterEntry;
  readonly client: KubeClient;
  readonly cache: ClusterCache;
  readonly #options: ClusterOptions;
  readonly #stopped = new AbortController();
  #state: ConnectionState = { status: 'Unknown', message: 'the cluster was not asked yet' };
  #serverVersion: string | undefined;
  #wanted: Promise<void> | undefined;
  #isReady: boolean = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.entry = options.entry;
    this.client = options.client;
    this.cache = new ClusterCache({ client: options.client, log: options.log, server: options.entry.server });
    this.cache.follow(options.settings());
  }

  get state(): ConnectionState {
    return this.#state;
  }

  get serverVersion(): string | undefined {
    return this.#serverVersion;
  }

  /** The live cache is filled: comparing makes sense. */
  get isReady(): boolean {
    return this.#isReady && this.#state.status !== 'Failed';
  }

  get isMonitored(): boolean {
    return this.#wanted !== undefined;
  }

  /** Begins to ask from time to time whether the cluster answers. */
  start(): void {
    this.#running = this.#probeForEver(this.#stopped.signal);
  }

  /** Fills the live cache if that was not begun; resolves at the first success. */
  use(): Promise<void> {
    this.#wanted ??= this.#fillCache(this.#stopped.signal);
    return this.#wanted;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all([this.#running, this.#wanted?.catch(() => undefined)]); // ends by our own abort
    if (this.#options.ownsClient) await this.client.close();
  }

  async #probeForEver(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#probe(signal);
      await sleep(probeEveryMs, { signal, clock: this.#options.clock }).catch((error: unknown) => {
        if (!isAbortError(error)) throw error;
      });
    }
  }

  async #probe(signal: AbortSignal): Promise<void> {
    const deadline = AbortSignal.timeout(probeTimeoutMs);
    try {
      const limits = { signal: anySignal([signal, deadline]), timeoutMs: probeTimeoutMs };
      const { gitVersion } = await this.client.version(limits);
      this.#serverVersion = /^v?(\d+\.\d+)/.exec(gitVersion)?.[1] ?? gitVersion;
      this.#become('Successful', '');
    } catch (error) {
      if (signal.aborted) return;
      const reason = deadline.aborted ? `no answer within ${probeTimeoutMs / 1000} s` : errorMessage(error);
      this.#become('Failed', reason);
    }
  }

  #become(status: 'Successful' | 'Failed', message: string): void {
    const { clock, log, onState } = this.#options;
    const isNews = this.#state.status !== status;
    this.#state = { status, message, attemptedAt: toKubeTime(clock.now()) };
    if (!isNews) return;
    const level = status === 'Failed' ? 'warn' : 'info';
    log[level]({ server: this.entry.server, cluster: this.entry.name, reason: message }, 'cluster connection');
    onState(this);
  }

  async #fillCache(signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        const { running } = await this.cache.start({ signal });
        this.#isReady = true;
        this.#options.onState(this);
        this.#running = Promise.all([this.#running, running]).then(() => undefined);
        return;
      } catch (error) {
        if (signal.aborted) throw error;
        this.#become('Failed', errorMessage(error));
        await sleep(probeEveryMs, { signal, clock: this.#options.clock });
      }
    }
  }
}
