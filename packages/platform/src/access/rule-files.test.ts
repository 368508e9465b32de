import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { contentHash, listen } from '@fairlead/base';
import {
  type AccessRuleInput,
  type AccessRulesReport,
  type ApiClient,
  createApiClient,
  type ReportedObject,
  tunnelPath,
} from '@fairlead/contracts';
import { dialTunnel } from '@fairlead/tunnel';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { platformForTests, runtimeForTests } from '../platform-for-tests.ts';
import { eventually, registerTestRuntime, reported, sampleReport, type TestRuntime } from '../testing.ts';

const platform = platformForTests();
const runtime = runtimeForTests(platform, 'first');
let user: ApiClient;
let sequence = 0;
const stops: (() => unknown)[] = [];

const rule = (name: string, over: Partial<AccessRuleInput> = {}): AccessRuleInput => ({
  name,
  effect: 'allow',
  teams: ['shop'],
  entity: 'application',
  actions: ['VIEW'],
  attributes: { projects: ['shop'] },
  ...over,
});

/** A repository as a value: what a runtime would read of it, commit by commit. */
class Repository {
  #files = new Map<string, { rule: AccessRuleInput; commit: AccessRulesReport['rules'][number]['commit'] }>();
  #problems: AccessRulesReport['problems'] = [];
  #commits = 0;
  #last: AccessRulesReport['commit'];

  commit(author: string, files: Record<string, AccessRuleInput | null>, problems: AccessRulesReport['problems'] = []) {
    const revision = String(++this.#commits).padStart(40, '0');
    const commit = { revision, author, email: `${author}@example.com`, date: '2026-01-01T00:00:00Z' };
    for (const [file, held] of Object.entries(files)) {
      if (held) this.#files.set(file, { rule: held, commit });
      else this.#files.delete(file);
    }
    this.#problems = problems;
    this.#last = commit;
    return revision;
  }

  report(): AccessRulesReport {
    const rules = [...this.#files].map(([file, held]) => ({ file, teamsLine: 6, ...held }));
    const last = this.#last ? { commit: this.#last } : {};
    return { repository: 'https://git.example/config.git', branch: 'main', ...last, rules, problems: this.#problems };
  }

  fileOf(name: string) {
    return [...this.#files].find(([, held]) => held.rule.name === name)?.[0];
  }
}
const repository = new Repository();

const rulesObject = (accessRules: AccessRulesReport, from: TestRuntime): ReportedObject => ({
  kind: 'access-rules',
  key: from.name,
  uid: from.id,
  epoch: 1,
  sequence: ++sequence,
  observedAt: new Date().toISOString(),
  hash: contentHash(accessRules),
  accessRules,
});
const send = (objects: unknown[], from = runtime) => from.report(objects);
const sendRules = () => send([rulesObject(repository.report(), runtime)]);
const list = () => platform.api.call('listAccessRules', {});
const names = async () => (await list()).items.map(({ name }) => name);
const seen = async () =>
  (await user.call('listApplications', { query: { sort: 'name' } })).items.map((row) => row.id.name);

/** The app-proxy of the runtime: commits go into the repository, and are reported as the reporter would. */
async function startAppProxy(): Promise<void> {
  const server = createServer((request, response) => {
    const answer = async () => {
      const name = decodeURIComponent((request.url ?? '').split('/').at(-1) ?? '');
      if (request.method === 'GET') return repository.report();
      const body = request.method === 'PUT' ? ((await json(request)) as AccessRuleInput) : undefined;
      const known = repository.fileOf(name);
      const files = { ...(known ? { [known]: null } : {}), ...(body ? { [`rules/${body.name}.yaml`]: body } : {}) };
      const sha = repository.commit('ana', files);
      await sendRules();
      return { commit: { sha, branch: 'main', repoURL: 'https://git.example/config.git', path: '', changed: true } };
    };
    void answer().then((found) => response.setHeader('content-type', 'application/json').end(JSON.stringify(found)));
  });
  const router = await listen(server, { port: 0 });
  const controller = new AbortController();
  const done = dialTunnel({
    url: `${platform.url.replace('http', 'ws')}${tunnelPath}`,
    proof: (nonce) => runtime.token({ nonce }),
    origin: `http://127.0.0.1:${router.port}`,
    runtimeVersion: '0.1.0',
    backoff: { baseMs: 20, maxMs: 100 },
    signal: controller.signal,
  }).catch((error: unknown) => error);
  stops.push(
    () => router.close(0),
    () => {
      controller.abort();
      return done;
    },
  );
  const params = { runtime: runtime.name };
  await eventually('connected', async () => {
    return (await platform.api.call('getRuntime', { params })).status === 'connected';
  });
}

beforeAll(async () => {
  const inProject = (name: string) =>
    sampleReport(name, { spec: { ...sampleReport(name).spec, project: name.split('-')[0] ?? '' } });
  await send(['shop-cart', 'bank-ledger'].map((name) => reported(inProject(name), ++sequence)));
  await platform.api.call('createTeam', { body: { name: 'shop' } });
  await platform.api.call('inviteUser', { body: { name: 'robot', kind: 'service', teams: ['shop'] } });
  const { key } = await platform.api.call('createApiKey', { body: { name: 'k', user: 'robot' } });
  user = createApiClient({ baseUrl: platform.url, headers: () => ({ authorization: `Bearer ${key}` }) });
  await startAppProxy();
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

describe('access rules that are files', () => {
  it('hold from the report of their commit on, and say where they come from', async () => {
    const commit = repository.commit('ana', { 'rules/views.yaml': rule('views') });
    await sendRules();
    expect(await seen()).toEqual(['shop-cart']);
    const { items, source } = await list();
    expect(items).toMatchObject([{ ...rule('views'), file: 'rules/views.yaml', commit }]);
    expect(source).toMatchObject({ runtime: 'first', branch: 'main', commit: { revision: commit }, problems: [] });
  });

  it('are audited under the author of the commit', async () => {
    const { items } = await platform.api.call('listAudit', { query: { action: 'access-rule.' } });
    expect(items[0]).toMatchObject({
      actor: { name: 'ana <ana@example.com>' },
      action: 'access-rule.create',
      entity: { kind: 'access-rule', name: 'views' },
      details: { file: 'rules/views.yaml', commit: '1'.padStart(40, '0') },
    });
  });

  it('stay when their file names a team that is not there, until it is', async () => {
    const changed = rule('views', { teams: ['shop', 'newcomers'], attributes: {} });
    repository.commit('bo', { 'rules/views.yaml': changed });
    await sendRules();
    expect(await seen()).toEqual(['shop-cart']);
    expect((await list()).source?.problems).toEqual([
      { file: 'rules/views.yaml', line: 6, message: 'there is no team newcomers', holds: 'views' },
    ]);
    await platform.api.call('createTeam', { body: { name: 'newcomers' } });
    expect(await seen()).toEqual(['bank-ledger', 'shop-cart']);
    expect((await list()).source?.problems).toEqual([]);
  });

  it('are undone when the commit is reverted', async () => {
    repository.commit('bo', { 'rules/views.yaml': rule('views') });
    await sendRules();
    expect(await seen()).toEqual(['shop-cart']);
  });

  it('are spoken for by one runtime: what another reports changes nothing', async () => {
    const other = await registerTestRuntime(platform, 'second');
    await send([rulesObject({ ...repository.report(), rules: [] }, other)], other);
    expect(await names()).toEqual(['views']);
  });

  it('show what is wrong in a file, and what holds meanwhile', async () => {
    const problem = { file: 'rules/views.yaml', line: 3, message: 'spec.actions.0 is unknown', holds: 'views' };
    repository.commit('bo', {}, [problem]);
    await sendRules();
    expect((await list()).source?.problems).toEqual([problem]);
    expect(await names()).toEqual(['views']);
    repository.commit('bo', {});
    await sendRules();
  });

  it('are changed by commits of who acts, which hold when the answer is there', async () => {
    const made = await platform.api.call('createAccessRule', {
      body: rule('no-bank', { effect: 'deny', teams: ['*'], attributes: { projects: ['bank'] } }),
    });
    expect(made).toMatchObject({ name: 'no-bank', file: 'rules/no-bank.yaml' });
    const renamed = await platform.api.call('updateAccessRule', {
      params: { rule: made.id },
      body: rule('nobody-banks', { effect: 'deny', teams: ['*'], attributes: { projects: ['bank'] } }),
    });
    expect(renamed).toMatchObject({ name: 'nobody-banks', file: 'rules/nobody-banks.yaml' });
    expect(await names()).toEqual(['nobody-banks', 'views']);
    await platform.api.call('deleteAccessRule', { params: { rule: renamed.id } });
    expect(await names()).toEqual(['views']);
    const { items } = await platform.api.call('listAudit', { query: { action: 'access-rule.commit' } });
    expect(items.map(({ outcome, actor }) => [outcome, actor.name])).toEqual([
      ['done', 'admin'],
      ['requested', 'admin'],
      ['done', 'admin'],
      ['requested', 'admin'],
    ]);
  });

  it('are the same after a rebuild from the repository, whatever happened to the rows', async () => {
    repository.commit('ana', { 'rules/more.yaml': rule('more', { actions: ['VIEW', 'SYNC'] }) });
    await sendRules();
    const shape = async () => (await list()).items.map(({ id: _, createdAt: _c, updatedAt: _u, ...each }) => each);
    const before = await shape();
    const client = new pg.Client({ connectionString: platform.databaseUrl });
    await client.connect();
    await client.query(`delete from access_rules where name = 'views'`);
    await client.query(`update access_rules set attributes = '{}', name = 'forged' where name = 'more'`);
    await client.end();
    expect(await shape()).not.toEqual(before);
    await platform.api.call('rebuildAccessRules', {});
    expect(await shape()).toEqual(before);
    expect(await seen()).toEqual(['shop-cart']);
  });
});
