// Credentials of repositories, from Secrets labelled as Argo CD has them. `repository` holds for one URL, `repo-creds` for
// every URL below its own; the longest wins. Values are never logged. Pure.
import {
  credentialsOfSecret,
  type GitCredentials,
  hasIdentity,
  isSameRepository,
  normalizeRepositoryUrl,
} from '@fairlead/git';
import type { ChartRepository } from '../charts/index.ts';

const typeLabel = 'argocd.argoproj.io/secret-type';
export const repositorySecretSelector = `${typeLabel} in (repository,repo-creds)`;

/** A Secret, as Kubernetes gives it. */
export interface RepositorySecret {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> | undefined };
  readonly [field: string]: unknown;
}

interface StoredCredentials {
  readonly isTemplate: boolean;
  readonly url: string;
  readonly credentials: GitCredentials;
}

/** Chart repositories and registries, with what is needed to read them. */
export function chartRepositoriesIn(secrets: readonly RepositorySecret[]): ChartRepository[] {
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
      proxy: field('proxy'),
      noProxy: field('noProxy'),
      insecure: field('insecure') === 'true',
      plainHttp: field('insecureOCIForceHttp') === 'true',
    };
  });
}

const isTemplate = (secret: RepositorySecret): boolean => secret.metadata.labels?.[typeLabel] === 'repo-creds';

function fieldOf({ data }: RepositorySecret, name: string): string | undefined {
  const encoded = typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined;
  return typeof encoded === 'string' ? Buffer.from(encoded, 'base64').toString('utf8') : undefined;
}

export function credentialsIn(url: string, secrets: readonly RepositorySecret[]): GitCredentials | undefined {
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

function parse(secret: RepositorySecret): StoredCredentials {
  const field = (name: string) => fieldOf(secret, name);
  return {
    isTemplate: isTemplate(secret),
    url: field('url') ?? '',
    credentials: credentialsOfSecret(field),
  };
}
