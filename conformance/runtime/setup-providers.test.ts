// The second step of the set-up with each Git provider: its REST API emulated, and git itself served at the same host for
// its token, by the user name that this provider wants there.
import { gitTokenPurpose, repositoryAddress, seal } from '@fairlead/contracts';
import { type ServedProvider, serveProvider } from '@fairlead/git';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../engine/world.ts';
import { type House, registerHosted, startHouse } from './world.ts';

const runtime = { runtime: 'hosted' };
const token = 'emulated-token';
const kinds = [
  { kind: 'github', refusal: /not found/ },
  { kind: 'gitlab', refusal: /the token needs api/ },
  { kind: 'gitea', refusal: /not found/ },
  {
    kind: 'bitbucket',
    username: 'ana@example.com',
    refusal: /the token needs repository:admin/,
  },
  { kind: 'gerrit', username: 'ana', refusal: /create project not permitted/ },
] as const;

let house: House;
beforeAll(async () => {
  house = await startHouse();
  await house.startRuntime();
  await registerHosted(house);
  await eventually(async () => {
    expect((await api().call('getRuntime', { params: runtime })).status).toBe('connected');
  }, 60_000);
}, 180_000);
afterAll(() => house?.stop());

const api = () => house.platform.api;

describe.each(kinds)('connecting $kind', ({ kind, refusal, ...account }) => {
  const username = 'username' in account ? account.username : undefined;
  let provider: ServedProvider;
  let url: string;

  beforeEach(async () => {
    provider = await serveProvider(kind, { token, username, git: { url: house.world.gitUrl, apiKey: 'test-key' } });
    provider.host.repositories.add('demo/first'); // Gerrit knows organisations by their projects
    url = provider.url;
  });
  afterEach(async () => {
    await provider.close();
    await disconnect();
  });

  async function give(secret: string, over: Record<string, string> = {}) {
    const { host } = new URL(url);
    const [{ key }, { user }] = await Promise.all([
      api().call('getSealingKey', { params: runtime }),
      api().call('me', {}),
    ]);
    const sealed = await seal(secret, { to: key, purpose: gitTokenPurpose({ userId: user.id, host }) });
    const body = { provider: kind, url, sealed, ...(username ? { username } : {}), ...over };
    return api().call('putGitToken', { params: { ...runtime, host }, body });
  }

  it('takes a token, offers its organisations, makes both repositories and commits to them', async () => {
    await expect(give('ended')).rejects.toMatchObject({ code: 'git_token_refused' });
    expect(await give(token)).toMatchObject({ provider: kind, user: 'ana', status: 'valid' });
    const { host } = new URL(url);
    const { items } = await api().call('listGitOrganisations', { params: runtime, query: { host } });
    expect(items.map(({ name }) => name)).toContain('demo');
    const place = { provider: kind, url, organisation: 'demo' } as const;
    const sharedConfigRepo = repositoryAddress({ ...place, name: `config-${kind}` });
    const gitSource = { name: kind, repoURL: repositoryAddress({ ...place, name: `apps-${kind}` }) };
    const body = { sharedConfigRepo, gitSource };
    const { created, commits } = await api().call('connectConfiguration', { params: runtime, body });
    expect(created).toEqual([sharedConfigRepo, gitSource.repoURL]);
    expect(commits.map(({ sha }) => sha)).toEqual([expect.stringMatching(/^[0-9a-f]{40}$/), expect.anything()]);
    expect(commits[0]?.url).toContain(`demo/apps-${kind}`);
    const branches = await api().call('listBranches', { params: runtime, query: { repoURL: gitSource.repoURL } });
    expect(branches).toMatchObject({ items: ['main'], defaultBranch: 'main' });
    if (kind === 'gerrit') {
      await eventually(async () => {
        expect((await api().call('listGitSources', {})).items).toMatchObject([{ name: kind, sync: 'Synced' }]);
        expect((await api().call('getSetup', {})).git).toMatchObject({ status: 'done', sharedConfigRepo });
      }, 60_000);
    }
    const elsewhere = { name: 'ops', repoURL: repositoryAddress({ ...place, organisation: 'ops', name: 'apps' }) };
    const refused = api().call('createGitSource', { params: runtime, body: { ...elsewhere, createRepository: true } });
    await expect(refused).rejects.toThrow(refusal);
  }, 120_000);
});

/** As an operator would: without its Applications the runtime follows nothing, and can be connected anew. */
async function disconnect(): Promise<void> {
  const { client } = house.world;
  const query = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', namespace: 'argocd' };
  const applications = async () => (await client.list(query)).items;
  const signal = AbortSignal.timeout(10_000);
  await eventually(async () => {
    for (const { metadata } of await applications()) {
      const ref = {
        group: 'argoproj.io',
        version: 'v1alpha1',
        kind: 'Application',
        namespace: 'argocd',
        name: metadata.name,
      };
      await client.delete(ref, { signal });
    }
    expect(await applications()).toEqual([]);
  }, 30_000);
}
