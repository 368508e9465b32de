import { describe, expect, it } from 'vitest';
import { chartRepositoriesIn, credentialsIn, type RepositorySecret } from './repository-secrets.ts';

const secret = (type: string, fields: Record<string, string>): RepositorySecret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'x', labels: { 'argocd.argoproj.io/secret-type': type } },
  data: Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
});

describe('credentialsIn', () => {
  const secrets = [
    secret('repo-creds', { url: 'https://host/org', username: 'org', password: 'o' }),
    secret('repo-creds', { url: 'https://host/org/team', username: 'team', password: 't' }),
    secret('repository', { url: 'https://host/org/exact.git', username: 'exact', password: 'e' }),
    secret('repository', { url: 'https://host/org/bare' }),
  ];

  it.each([
    ['https://host/org/exact', 'exact'],
    ['https://host/org/other.git', 'org'],
    ['https://host/org/team/x', 'team'],
    ['https://host/org/bare', 'org'],
    ['https://host/organisation/x', undefined],
    ['https://other/org/x', undefined],
  ])('%s: %s', (url, username) => {
    expect(credentialsIn(url, secrets)?.username).toBe(username);
  });
});

describe('chartRepositoriesIn', () => {
  it('takes Secrets of type helm and registries, with what is needed to read them', () => {
    const secrets = [
      secret('repository', { type: 'helm', name: 'mine', url: 'https://charts', username: 'u', password: 'p' }),
      secret('repo-creds', { type: 'helm', enableOCI: 'true', url: 'registry/org', insecureOCIForceHttp: 'true' }),
      secret('repository', { type: 'git', url: 'https://host/r.git' }),
      secret('repository', { url: 'https://host/s.git' }),
    ];
    expect(chartRepositoriesIn(secrets)).toMatchObject([
      { name: 'mine', url: 'https://charts', isTemplate: false, isOci: false, username: 'u', password: 'p' },
      { url: 'registry/org', isTemplate: true, isOci: true, plainHttp: true },
    ]);
  });
});
