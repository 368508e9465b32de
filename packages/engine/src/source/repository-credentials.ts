// Credentials of repositories: Argo CD's Secrets in the engine's namespace, as they are now.
import type { Logger } from '@fairlead/base';
import type { GitCredentials } from '@fairlead/git';
import { Informer, type KubeClient } from '@fairlead/kube';
import { type ChartRepository, chartRepositoriesIn, credentialsIn, repositorySecretSelector } from '@fairlead/render';

export class RepositoryCredentials {
  readonly #informer: Informer;

  constructor({ client, namespace, log }: { client: KubeClient; namespace: string; log: Logger }) {
    const query = { apiVersion: 'v1', kind: 'Secret', namespace, labelSelector: repositorySecretSelector };
    this.#informer = new Informer({ client, query, log });
  }

  run(options: { signal: AbortSignal }): Promise<void> {
    return this.#informer.run(options);
  }

  synced(options: { signal: AbortSignal }): Promise<void> {
    return this.#informer.synced(options);
  }

  onChange(listener: () => void): void {
    this.#informer.onChange(listener);
  }

  for(url: string): GitCredentials | undefined {
    return credentialsIn(url, this.#informer.list());
  }

  /** Chart repositories and registries, with what is needed to read them. */
  chartRepositories(): readonly ChartRepository[] {
    return chartRepositoriesIn(this.#informer.list());
  }
}
