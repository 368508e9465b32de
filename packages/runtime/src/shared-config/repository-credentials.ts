// What the engine reads repositories with: Argo CD's credential templates, one per Git host.
import { sha256Hex } from '@fairlead/base';
import type { KubeClient, KubeObject } from '@fairlead/kube';
import { fieldsOf, secretOf, secretRef } from '../identity/index.ts';

interface RepositoryCredentialsOptions {
  readonly cluster: () => KubeClient;
  /** The engine's. */
  readonly namespace: string;
}

interface Credentials {
  /** `https://github.com`: they hold for every repository below it. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

const typeLabel = 'argocd.argoproj.io/secret-type';

export class RepositoryCredentials {
  readonly #options: RepositoryCredentialsOptions;

  constructor(options: RepositoryCredentialsOptions) {
    this.#options = options;
  }

  /** Those that somebody else made for the host are left alone. */
  async ensure({ url, username, password }: Credentials, { signal }: { signal: AbortSignal }): Promise<void> {
    const { cluster, namespace } = this.#options;
    const client = cluster();
    const query = { apiVersion: 'v1', kind: 'Secret', namespace, labelSelector: `${typeLabel}=repo-creds` };
    const { items } = await client.list(query, { signal });
    const name = `fairlead-repo-creds-${sha256Hex(url).slice(0, 12)}`;
    const known = items.find((secret) => sameUrl(fieldsOf(secret)['url'] ?? '', url));
    const secret = secretOf(name, namespace, { type: 'git', url, username, password });
    if (!known) await client.create(labelled(secret), { signal });
    else if (known.metadata.name === name) {
      await client.patch(secretRef(namespace, name), { data: secret['data'] }, { type: 'merge', signal });
    }
  }
}

const sameUrl = (a: string, b: string) => a.replace(/\/+$/, '') === b.replace(/\/+$/, '');

const labelled = (secret: KubeObject): KubeObject => ({
  ...secret,
  metadata: { ...secret.metadata, labels: { ...secret.metadata.labels, [typeLabel]: 'repo-creds' } },
});
