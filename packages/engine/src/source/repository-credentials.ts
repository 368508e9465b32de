// Credentials of repositories: Secrets labelled as Argo CD has them, in the engine's namespace. `repository` holds for
// one URL, `repo-creds` for every URL that begins with its own; the longest wins. Values are never logged.
import type { Logger } from '@fairlead/base';
import {
  credentialsOfSecret,
  type GitCredentials,
  hasIdentity,
  isSameRepository,
  normalizeRepositoryUrl,
} from '@fairlead/git';
import { Informer, type KubeClient, type KubeObject, stringAt } from '@fairlead/kube';
import type { ChartRepository } from '@fairlead/render';

const typeLabel = 'argocd.argoproj.io/secret-type';

interface StoredCredentials {
  readonly isTemplate: boolean;
  readonly url: string;
  readonly credentials: GitCredentials;
}

export class RepositoryCredentials {
  readonly #informer: Informer;

  constructor({ client, namespace, log }: { client: KubeClient; namespace: string; log: Logger }) {
    const query = {
      apiVersion: 'v1',
      kind: 'Secret',
      namespace,
      labelSelector: `${typeLabel} in (repository,repo-creds)`,
    };
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
    return findCredentials(url, this.#informer.list());
  }

  /** Chart repositories and registries, with what is needed to read them. */
  chartRepositories(): readonly ChartRepository[] {
    return chartRepositoriesIn(this.#informer.list());
  }
}

/** Pure, for tests. */
export function chartRepositoriesIn(secrets: readonly KubeObject[]): ChartRepository[] {
  return secrets.flatMap((secret) => {
    const field = (name: string) => fieldOf(secret, name);
    const type = field('type') ?? '';
    const isOci = field('enableOCI') === 'true' || type === 'oci';
    if (!isOci && type !== 'helm') return [];
    return {
      name: field('name'),
      url: field('url') ?? '',
      isTemplate: isTemplate(secret),
      isOci,
      username: field('username'),
      password: field('password'),
      bearerToken: field('bearerToken'),
      clientCertificate: field('tlsClientCertData'),
      clientKey: field('tlsClientCertKey'),
      insecure: field('insecure') === 'true',
      plainHttp: field('insecureOCIForceHttp') === 'true',
    };
  });
}

const isTemplate = (secret: KubeObject): boolean => secret.metadata.labels?.[typeLabel] === 'repo-creds';

function fieldOf(secret: KubeObject, name: string): string | undefined {
  const encoded = stringAt(secret, 'data', name);
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
}

/** Pure, for tests. */
export function findCredentials(url: string, secrets: readonly KubeObject[]): GitCredentials | undefined {
  const stored = secrets.map(parse);
  const exact = stored.find((entry) => !entry.isTemplate && isSameRepository(entry.url, url));
  if (exact && hasIdentity(exact.credentials)) return exact.credentials;
  const wanted = normalizeRepositoryUrl(url);
  const templates = stored
    .filter((entry) => entry.isTemplate && isUnder(wanted, normalizeRepositoryUrl(entry.url)))
    .sort((a, b) => b.url.length - a.url.length);
  return templates[0]?.credentials ?? exact?.credentials;
}

/** `host/org` holds for `host/org/x`, not for `host/organisation`. */
const isUnder = (url: string, prefix: string) => url === prefix || url.startsWith(`${prefix}/`);

function parse(secret: KubeObject): StoredCredentials {
  const field = (name: string) => fieldOf(secret, name);
  return {
    isTemplate: isTemplate(secret),
    url: field('url') ?? '',
    credentials: credentialsOfSecret(field),
  };
}
