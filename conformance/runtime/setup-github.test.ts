// The second step of the set-up with GitHub: its REST API emulated, and git itself served at the same host for its token.
import { createServer, request } from 'node:http';
import { listen } from '@fairlead/base';
import { gitTokenPurpose, seal } from '@fairlead/contracts';
import { BuiltinProvider, GitHubEmulator, ProviderRefusedError } from '@fairlead/git';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../engine/world.ts';
import { type House, registerHosted, startHouse } from './world.ts';

let house: House;
let github: GitHubEmulator;
let url: string;
let close: (graceMs: number) => Promise<void>;
const runtime = { runtime: 'hosted' };
const token = 'ghp_emulated';

beforeAll(async () => {
  house = await startHouse();
  github = new GitHubEmulator({ token });
  const server = createServer(async (incoming, response) => {
    if (incoming.url?.startsWith('/api/v3/')) {
      github.http.emit('request', incoming, response);
      return;
    }
    const given = Buffer.from(incoming.headers.authorization?.split(' ')[1] ?? '', 'base64').toString('utf8');
    if (given !== `x-access-token:${token}`) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="GitHub"' }).end();
      return;
    }
    await serve(/^\/([^/]+\/[^/]+)\.git\//.exec(incoming.url ?? '')?.[1] ?? '');
    const authorization = `Basic ${Buffer.from('x:test-key').toString('base64')}`;
    const headers = { ...incoming.headers, authorization };
    const passed = request(`${house.world.gitUrl}${incoming.url}`, { method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    incoming.pipe(passed);
  });
  const listening = await listen(server, { port: 0 });
  close = listening.close;
  url = `http://127.0.0.1:${listening.port}`;
  await house.startRuntime();
  await registerHosted(house);
  await eventually(async () => {
    expect((await api().call('getRuntime', { params: runtime })).status).toBe('connected');
  });
}, 60_000);
afterAll(async () => {
  await house?.stop();
  await close?.(0);
});

const api = () => house.platform.api;

/** A repository that GitHub has is there for git too. */
async function serve(fullName: string): Promise<void> {
  if (!github.repositories.has(fullName)) return;
  const [organisation = '', name = ''] = fullName.split('/');
  const builtin = new BuiltinProvider({ url: house.world.gitUrl, apiKey: 'test-key' });
  await builtin.createRepository({ organisation, name }).catch((error: unknown) => {
    if (!(error instanceof ProviderRefusedError)) throw error; // it is there
  });
}

async function give(secret: string) {
  const { host } = new URL(url);
  const [{ key }, { user }] = await Promise.all([
    api().call('getSealingKey', { params: runtime }),
    api().call('me', {}),
  ]);
  const sealed = await seal(secret, { to: key, purpose: gitTokenPurpose({ userId: user.id, host }) });
  return api().call('putGitToken', { params: { ...runtime, host }, body: { provider: 'github', url, sealed } });
}

describe('connecting GitHub', () => {
  it('refuses a token that GitHub does not take', async () => {
    await expect(give('ended')).rejects.toMatchObject({ code: 'git_token_refused' });
  });

  it('offers the organisations of the token, makes both repositories there, and follows them', async () => {
    expect(await give(token)).toMatchObject({ provider: 'github', user: 'ana' });
    const { host } = new URL(url);
    const { items } = await api().call('listGitOrganisations', { params: runtime, query: { host } });
    expect(items.map(({ name }) => name)).toEqual(['ana', 'demo', 'ops', 'web']);
    const sharedConfigRepo = `${url}/demo/config.git`;
    const gitSource = { name: 'apps', repoURL: `${url}/demo/apps.git` };
    const { created } = await api().call('connectConfiguration', {
      params: runtime,
      body: { sharedConfigRepo, gitSource },
    });
    expect(created).toHaveLength(2);
    expect([...github.repositories].sort()).toEqual(['demo/apps', 'demo/config']);
    await eventually(async () => {
      expect((await api().call('listGitSources', {})).items).toMatchObject([{ name: 'apps', sync: 'Synced' }]);
      expect((await api().call('getSetup', {})).git).toMatchObject({ status: 'done', sharedConfigRepo });
    }, 30_000);
  });

  it('names the organisation that the token may not write to', async () => {
    const body = { name: 'ops', repoURL: `${url}/ops/apps.git`, createRepository: true };
    await expect(api().call('createGitSource', { params: runtime, body })).rejects.toThrow(/not found|not allowed/);
  });
});
