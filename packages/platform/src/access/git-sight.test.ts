// Rights that follow Git, end to end at the platform: what a member sees is what the runtime says of their own Git token.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { contentHash, createRegistry, FakeClock, listen, silentLogger } from '@fairlead/base';
import {
  type AccessRulesReport,
  type ApiClient,
  assertionHeader,
  createApiClient,
  type GitReadAnswer,
  type LiveMessage,
  manifestsPlace,
  type ReportedObject,
  tunnelPath,
} from '@fairlead/contracts';
import { dialTunnel } from '@fairlead/tunnel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { platformForTests, runtimeForTests } from '../platform-for-tests.ts';
import { type Caller, openStore } from '../store/index.ts';
import { eventually, reported, sampleReport } from '../testing.ts';
import { type GitQuestion, GitSight } from './git-sight.ts';

const platform = platformForTests();
const runtime = runtimeForTests(platform, 'eu');
const stops: (() => unknown)[] = [];
const [repoA, repoB] = ['https://git.example/team/a.git', 'https://git.example/team/b.git'];
const applications: Record<string, string[] | undefined> = {
  'in-a': [repoA],
  'in-b': [repoB],
  'in-both': [repoA, repoB],
  'by-hand': undefined,
};

/** What the app-proxy says of each repository, and who asked. */
const readable = new Map<string, boolean>();
let mayAnswer = Promise.resolve();
const askers: string[] = [];
let sequence = 0;
let ada: ApiClient;

const gitRights = (enforce: 'acts' | 'all' | undefined): AccessRulesReport => {
  const commit = { revision: '1'.repeat(40), author: 'Ada', email: 'ada@example.com', date: '2026-01-01T00:00:00Z' };
  const rights = enforce ? { gitRights: { enforce, commit } } : {};
  return { repository: 'https://git.example/config.git', branch: 'main', rules: [], problems: [], ...rights };
};

function rulesObject(accessRules: AccessRulesReport): ReportedObject {
  const stamp = { key: runtime.name, uid: runtime.id, epoch: 1, sequence: ++sequence };
  const observedAt = new Date().toISOString();
  return { kind: 'access-rules', ...stamp, observedAt, hash: contentHash(accessRules), accessRules };
}

const enforce = (what: 'acts' | 'all' | undefined) => runtime.report([rulesObject(gitRights(what))]);

async function startAppProxy(): Promise<void> {
  const server = createServer(async (request, response) => {
    const token = String(request.headers[assertionHeader]).split('.')[1] ?? '';
    const answer = async () => {
      if (request.method === 'DELETE') return null;
      const { repositories } = (await json(request)) as { repositories: string[] };
      askers.push((JSON.parse(Buffer.from(token, 'base64url').toString()) as { name: string }).name);
      await mayAnswer;
      const items = repositories.map((repository): GitReadAnswer => {
        return { repository, read: readable.get(repository) ?? false, ageMs: 0, silent: false };
      });
      return { items };
    };
    const body = await answer();
    response.writeHead(body ? 200 : 204, { 'content-type': 'application/json' });
    response.end(body ? JSON.stringify(body) : undefined);
  });
  const { port, close } = await listen(server, { port: 0 });
  stops.push(() => close(0));
  const controller = new AbortController();
  const done = dialTunnel({
    url: `${platform.url.replace('http', 'ws')}${tunnelPath}`,
    proof: (nonce) => runtime.token({ nonce }),
    origin: `http://127.0.0.1:${port}`,
    runtimeVersion: '0.1.0',
    log: silentLogger,
    signal: controller.signal,
  }).catch((error: unknown) => error);
  stops.push(() => {
    controller.abort();
    return done;
  });
  const params = { runtime: runtime.name };
  await eventually('connected', async () => (await platform.api.call('getRuntime', { params })).status === 'connected');
}

async function member(name: string): Promise<ApiClient> {
  await platform.api.call('inviteUser', { body: { name, kind: 'service' } });
  const { key } = await platform.api.call('createApiKey', { body: { name: 'test', user: name } });
  return createApiClient({ baseUrl: platform.url, headers: () => ({ authorization: `Bearer ${key}` }) });
}

const stamp = (key: string) => ({
  ...{ key, uid: key, epoch: 1, sequence: ++sequence, observedAt: new Date().toISOString() },
  hash: contentHash(`${key} ${sequence}`),
});

function gitSource(name: string, repoUrl: string): ReportedObject {
  const place = { repoUrl, branch: 'main', path: '', include: '*', exclude: '' };
  const report = { name, namespace: 'argocd', ...place, sync: 'Synced', health: 'Healthy', applications: 1 } as const;
  return { kind: 'git-source', gitSource: report, ...stamp(`argocd/${name}`) };
}

function cluster(name: string): ReportedObject {
  const server = 'https://kubernetes.default.svc';
  const report = { name, server, labels: {}, annotations: {}, status: 'Successful', applications: 4 } as const;
  return { kind: 'cluster', cluster: report, ...stamp(server) };
}

/** Names of Git Sources, and how many applications the runtime and its cluster have. */
async function around(api: ApiClient) {
  const { items: sources } = await api.call('listGitSources', {});
  const counted = [...(await api.call('listRuntimes', {})).items, ...(await api.call('listClusters', {})).items];
  return [...sources.map(({ name }) => name), ...counted.map((row) => row.applications)];
}

const canView = async (api: ApiClient, name: string) =>
  (await api.call('canI', { query: { entity: 'gitSource', action: 'VIEW', runtime: 'eu', namespace: '', name } }))
    .allowed;

const page = (api: ApiClient) => api.call('listApplications', { query: { sort: 'name' } });
const names = async (api: ApiClient) => (await page(api)).items.map(({ id }) => id.name);
const idOf = (name: string) => ({ runtime: 'eu', namespace: 'argocd', name });

beforeAll(async () => {
  const objects = Object.entries(applications).map(([name, repositories]) => {
    const history = [{ id: 1, revision: 'f'.repeat(40), deployedAt: '2026-01-01T00:00:00Z' }];
    const held = repositories ? { manifestRepositories: repositories } : {};
    return reported(sampleReport(name, { ...held, history: history as never }), ++sequence);
  });
  await runtime.report([...objects, gitSource('from-a', repoA), gitSource('from-b', repoB), cluster('in-cluster')]);
  await startAppProxy();
  ada = await member('ada');
}, 60_000);
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

describe('a member, where rights follow Git', () => {
  it('sees everything until that is switched on for what people see', async () => {
    expect(await names(ada)).toEqual(['by-hand', 'in-a', 'in-b', 'in-both']);
    await enforce('acts');
    expect((await page(ada)).gitRights).toBeUndefined();
    expect(await names(ada)).toHaveLength(4);
    expect(await around(ada)).toEqual(['from-a', 'from-b', 4, 4]);
    expect(askers).toEqual([]);
  });

  it('sees what their token can read: in rows, counts, facets, search, deployments and by name', async () => {
    readable.set(repoA, true);
    await enforce('all');
    const {
      items,
      matched,
      summary,
      gitRights: looked,
    } = await eventually('an answer', async () => {
      const seen = await page(ada);
      return seen.gitRights?.checking === 0 && seen;
    });
    expect([items.map(({ id }) => id.name), matched, summary.total, looked]).toEqual([['in-a'], 1, 1, { checking: 0 }]);
    const facets = await ada.call('listApplicationFacets', {});
    expect(facets.destinationNamespace.values).toEqual([{ value: 'in-a', count: 1 }]);
    const found = (await ada.call('search', { query: { query: 'in-' } })).items;
    expect(JSON.stringify(found)).toContain('in-a');
    expect(JSON.stringify(found)).not.toMatch(/in-b|by-hand/);
    const deployments = (await ada.call('listAllDeployments', {})).items;
    expect(new Set(deployments.map(({ application }) => application.name))).toEqual(new Set(['in-a']));
    expect((await ada.call('getApplication', { params: idOf('in-a') })).row.id.name).toBe('in-a');
    for (const name of ['in-b', 'in-both', 'by-hand']) {
      await expect(ada.call('getApplication', { params: idOf(name) })).rejects.toMatchObject({ code: 'not_found' });
      const asked = { entity: 'application', action: 'VIEW', ...idOf(name) } as const;
      expect((await ada.call('canI', { query: asked })).allowed).toBe(false);
    }
    expect(new Set(askers)).toEqual(new Set(['ada']));
  });

  it('sees the Git Sources whose repository their token can read, and counts of what they see', async () => {
    expect(await around(ada)).toEqual(['from-a', 1, 1]);
    expect([await canView(ada, 'from-a'), await canView(ada, 'from-b')]).toEqual([true, false]);
    const params = { runtime: 'eu', gitSource: 'from-b' };
    await expect(ada.call('getGitSource', { params })).rejects.toMatchObject({ code: 'not_found' });
    expect(await around(platform.api)).toEqual(['from-a', 'from-b', 4, 4]);
  });

  it('is told which setting holds only as an administrator, who sees everything and asks nobody', async () => {
    const asked = askers.length;
    expect(await names(platform.api)).toHaveLength(4);
    expect((await page(platform.api)).gitRights).toBeUndefined();
    expect((await platform.api.call('listAccessRules', {})).gitRights).toEqual({
      enforce: 'all',
      commit: '1'.repeat(40),
    });
    expect(askers).toHaveLength(asked);
  });

  it('sees more when their token becomes another', async () => {
    readable.set(repoB, true);
    await ada.call('deleteGitToken', { params: { runtime: 'eu', host: 'git.example' } });
    await eventually('all that is in Git', async () => (await names(ada)).length === 3);
    expect(await names(ada)).toEqual(['in-a', 'in-b', 'in-both']);
  });

  it('gets an answer while rights are looked up, and the rest by the live feed', async () => {
    let answer: () => void = () => undefined;
    mayAnswer = new Promise((resolve) => {
      answer = resolve;
    });
    const bob = await member('bob');
    const waiting = await page(bob);
    expect([waiting.items, waiting.gitRights]).toEqual([[], { checking: 2 }]);
    expect(waiting.summary.unseen).toBe('git');
    const feed = await listenAs(bob);
    answer();
    await eventually('reset', () => feed.some(({ type }) => type === 'reset'));
    await eventually('rows', async () => (await names(bob)).length === 3);
    const grown = sampleReport('in-c', { manifestRepositories: [repoA] });
    const hidden = sampleReport('by-hand', { health: { status: 'Degraded' } });
    await runtime.report([reported(hidden, ++sequence), reported(grown, ++sequence)]);
    await eventually('the new row', () =>
      feed.some((each) => each.type === 'application' && each.row.id.name === 'in-c'),
    );
    expect(JSON.stringify(feed)).not.toContain('by-hand');
  });

  it('sees everything again when it is switched off', async () => {
    await enforce(undefined);
    expect(await names(ada)).toHaveLength(5);
    expect((await platform.api.call('listAccessRules', {})).gitRights).toEqual({ enforce: 'off' });
    const { items } = await platform.api.call('listAudit', { query: { action: 'git-rights.set' } });
    expect(items.map(({ entity }) => entity.name)).toEqual(['off', 'all', 'acts']);
  });
});

async function listenAs(api: ApiClient): Promise<LiveMessage[]> {
  const { key } = await platform.api.call('createApiKey', {
    body: { name: 'feed', user: (await api.call('me', {})).user.name },
  });
  const controller = new AbortController();
  stops.push(() => controller.abort());
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${platform.url}/api/v1/live`, { signal: controller.signal, headers });
  const received: LiveMessage[] = [];
  const read = async () => {
    let text = '';
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString('utf8');
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) received.push(JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '') as LiveMessage);
    }
  };
  read().catch(() => undefined); // it ends with the abort
  await eventually('the feed begins', () => received.length > 0);
  return received;
}

describe('Git rights at the platform', () => {
  const minutes = (count: number) => count * 60_000;
  const clock = new FakeClock();
  const caller: Caller = {
    user: { id: 'u', name: 'ada', email: null, kind: 'person', role: 'user', teams: [] },
    account: { id: '', name: 'local' },
    accessVersion: 0,
  };
  let answer: (question: GitQuestion) => Promise<Partial<GitReadAnswer>>;
  let asked = 0;
  let seen: () => Promise<number>;

  beforeAll(async () => {
    const store = openStore({ url: platform.databaseUrl, log: silentLogger, clock });
    stops.push(() => store.close());
    const account = await store.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
    const ask = async (question: GitQuestion) => {
      asked++;
      const said = await answer(question);
      return question.repositories.map((repository) => ({ repository, read: false, ageMs: 0, silent: false, ...said }));
    };
    const { signal } = new AbortController();
    const sight = new GitSight({ store, ask, registry: createRegistry('test'), log: silentLogger, signal });
    const who = { ...caller, account: { ...caller.account, id: account.id } };
    seen = async () => {
      const before = asked;
      await sight.view(who, { waitMs: 0 });
      if (asked > before) await new Promise((resolve) => setImmediate(resolve)); // the answer is there at once
      return (await sight.view(who, { waitMs: 0 })).manifests.length;
    };
  });

  it('hold and end as S-AZ-3 says, whatever happens at the Git server', async () => {
    const places = [manifestsPlace(runtime.id, [repoA]), manifestsPlace(runtime.id, [repoB])].length + 1; // and both
    const said: string[] = [];
    const after = async (what: string, waitMs: number, says: typeof answer) => {
      answer = says;
      await clock.advance(waitMs);
      said.push(`${what}: ${(await seen()) === places}`);
    };
    const yes = async () => ({ read: true });
    const no = async () => ({ read: false });
    const down = () => Promise.reject(new Error('the runtime is away'));
    const silent = async () => ({ silent: true });
    await after('never answered, down', 0, down);
    await after('granted', 10_000, yes);
    await after('revoked, within what a yes holds', minutes(4) - 1, no);
    await after('revoked (404, 403), when it is asked for again', 1, no);
    await after('granted anew, within what a no holds', minutes(1) - 1, yes);
    await after('granted anew', 1, yes);
    await after('the server is silent (429, 5xx) after 5 minutes', minutes(5), silent);
    await after('the runtime is away after 14', minutes(9), down);
    await after('the runtime is away after 15', minutes(1), down);
    await after('it is back', 10_000, yes);
    await after('the runtime tells what it heard 4 minutes ago', minutes(5), async () => ({
      read: true,
      ageMs: minutes(4),
    }));
    await after('the same runtime, a minute later', minutes(1), no);
    expect(said).toEqual([
      'never answered, down: false',
      'granted: true',
      'revoked, within what a yes holds: true',
      'revoked (404, 403), when it is asked for again: false',
      'granted anew, within what a no holds: false',
      'granted anew: true',
      'the server is silent (429, 5xx) after 5 minutes: true',
      'the runtime is away after 14: true',
      'the runtime is away after 15: false',
      'it is back: true',
      'the runtime tells what it heard 4 minutes ago: true',
      'the same runtime, a minute later: false',
    ]);
  });
});
