// What the engine reads repositories with, for components that read the same repositories beside it: a copy of Argo CD's
// Secrets, kept true while it runs.
import type { GitCredentials } from '@fairlead/git';
import { Informer, type InformerOptions } from '@fairlead/kube';
import { type ChartRepository, chartRepositoriesIn, credentialsIn, repositorySecretSelector } from '@fairlead/render';

export class RepositorySecrets {
  readonly #informer: Informer;

  constructor({ namespace, ...options }: Omit<InformerOptions, 'query'> & { readonly namespace: string }) {
    const query = { apiVersion: 'v1', kind: 'Secret', namespace, labelSelector: repositorySecretSelector };
    this.#informer = new Informer({ ...options, query });
  }

  run(options: { signal: AbortSignal }): Promise<void> {
    return this.#informer.run(options);
  }

  synced(options: { signal: AbortSignal }): Promise<void> {
    return this.#informer.synced(options);
  }

  for(url: string): GitCredentials | undefined {
    return credentialsIn(url, this.#informer.list());
  }

  chartRepositories(): readonly ChartRepository[] {
    return chartRepositoriesIn(this.#informer.list());
  }
}
