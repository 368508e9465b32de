// What the engine reads repositories with, for components that read the same repositories beside it: Secrets labelled as
// Argo CD has them. `repository` holds for one URL, `repo-creds` for every URL below its own; the longest wins.
import {
  credentialsOfSecret,
  type GitCredentials,
  hasIdentity,
  isSameRepository,
  normalizeRepositoryUrl,
} from '@fairlead/git';
import { Informer, type InformerOptions, type KubeObject } from '@fairlead/kube';
import { fieldsOf } from '../identity/index.ts';

const typeLabel = 'argocd.argoproj.io/secret-type';

/** A copy of the Secrets, kept true while its informer runs. */
export function credentialSecrets({ namespace, ...options }: Omit<InformerOptions, 'query'> & { namespace: string }) {
  const labelSelector = `${typeLabel} in (repository,repo-creds)`;
  return new Informer({ ...options, query: { apiVersion: 'v1', kind: 'Secret', namespace, labelSelector } });
}

export function credentialsFor(url: string, secrets: readonly KubeObject[]): GitCredentials | undefined {
  const stored = secrets.map((secret) => ({
    isTemplate: secret.metadata.labels?.[typeLabel] === 'repo-creds',
    url: fieldsOf(secret)['url'] ?? '',
    credentials: credentialsIn(fieldsOf(secret)),
  }));
  const exact = stored.find((entry) => !entry.isTemplate && isSameRepository(entry.url, url));
  if (exact?.credentials) return exact.credentials;
  const wanted = normalizeRepositoryUrl(url);
  const isUnder = (prefix: string) => wanted === prefix || wanted.startsWith(`${prefix}/`);
  const [longest] = stored
    .filter((entry) => entry.isTemplate && isUnder(normalizeRepositoryUrl(entry.url)))
    .sort((a, b) => b.url.length - a.url.length);
  return longest?.credentials;
}

function credentialsIn(fields: Readonly<Record<string, string>>): GitCredentials | undefined {
  const credentials = credentialsOfSecret((name) => fields[name]);
  return hasIdentity(credentials) ? credentials : undefined;
}
