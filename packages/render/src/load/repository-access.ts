// What repositories are read with: Argo CD's Secrets of repositories, and its ConfigMaps of host keys and certificates, as
// they are now. The engine and every component beside it read the same ones in the same way.
import { type GitCredentials, type RemoteTrust, trustOfConfigMaps } from '@fairlead/git';
import type { ChartRepository } from '../charts/index.ts';
import {
  chartRepositoriesIn,
  credentialsIn,
  type RepositorySecret,
  repositorySecretSelector,
} from './repository-secrets.ts';

/** Objects of a kind, kept true while it runs; kube's Informer is one. */
interface Watched {
  run(options: { signal: AbortSignal }): Promise<void>;
  synced(options: { signal: AbortSignal }): Promise<void>;
  onChange(listener: () => void): void;
  list(): readonly RepositorySecret[];
}

interface WatchedObjects {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface RepositoryAccessOptions {
  /** That of the engine. */
  readonly namespace: string;
  readonly watch: (query: WatchedObjects) => Watched;
}

export class RepositoryCredentials {
  readonly #secrets: Watched;

  constructor({ namespace, watch }: RepositoryAccessOptions) {
    this.#secrets = watch({ apiVersion: 'v1', kind: 'Secret', namespace, labelSelector: repositorySecretSelector });
  }

  run(options: { signal: AbortSignal }): Promise<void> {
    return this.#secrets.run(options);
  }

  synced(options: { signal: AbortSignal }): Promise<void> {
    return this.#secrets.synced(options);
  }

  onChange(listener: () => void): void {
    this.#secrets.onChange(listener);
  }

  for(url: string): GitCredentials | undefined {
    return credentialsIn(url, this.#secrets.list());
  }

  /** Chart repositories and registries, with what is needed to read them. */
  chartRepositories(): readonly ChartRepository[] {
    return chartRepositoriesIn(this.#secrets.list());
  }
}

/** Whom to believe beside what the machine believes. */
export class RepositoryTrust {
  readonly #knownHosts: Watched;
  readonly #certificates: Watched;

  constructor({ namespace, watch }: RepositoryAccessOptions) {
    const configMap = (name: string) =>
      watch({ apiVersion: 'v1', kind: 'ConfigMap', namespace, fieldSelector: `metadata.name=${name}` });
    this.#knownHosts = configMap('argocd-ssh-known-hosts-cm');
    this.#certificates = configMap('argocd-tls-certs-cm');
  }

  async run(options: { signal: AbortSignal }): Promise<void> {
    await Promise.all([this.#knownHosts.run(options), this.#certificates.run(options)]);
  }

  async synced(options: { signal: AbortSignal }): Promise<void> {
    await Promise.all([this.#knownHosts.synced(options), this.#certificates.synced(options)]);
  }

  get current(): RemoteTrust {
    return trustOfConfigMaps({ knownHosts: dataOf(this.#knownHosts), certificates: dataOf(this.#certificates) });
  }

  /** PEM for a host of charts; undefined: the machine's own. */
  readonly authoritiesFor = (hostname: string): string | undefined => {
    const { certificateAuthorities = {} } = this.current;
    return Object.hasOwn(certificateAuthorities, hostname) ? certificateAuthorities[hostname] : undefined;
  };
}

function dataOf(configMap: Watched): Readonly<Record<string, string>> | undefined {
  const [found] = configMap.list();
  return found && ((found['data'] ?? {}) as Record<string, string>); // a ConfigMap's data are texts
}
