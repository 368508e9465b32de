// Walks every change of configuration that people make through the API: each is exactly one readable commit by who acted, in one
// repository, and `git revert` of it by hand undoes it everywhere within 10 s. The walks of the repositories go side by side: at
// their end each repository has the commits of its own changes, and no others. And two who edit the same file: the second
// sees both versions, for each kind of file.
import { type RunningCluster, startCluster } from '@fairlead/cluster';
import {
  type AccessRuleInput,
  type AppProxyRouteName,
  appProxyRoutes,
  type CommitReceipt,
  clusterCredentialsPurpose,
  gitTokenPurpose,
  seal,
} from '@fairlead/contracts';
import { KubeClient, loadKubeconfig } from '@fairlead/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../engine/world.ts';
import { ByHand } from './by-hand.ts';
import { type House, registerHosted, startHouse } from './world.ts';

const promisedMs = 10_000;
const undoneMs: number[] = [];
const runtime = { runtime: 'hosted' };
const shop = { ...runtime, namespace: 'argocd', name: 'shop' };
const prod = { ...runtime, cluster: 'prod' };
const team = { ...runtime, gitSource: 'team' };

let house: House;
let target: RunningCluster;
let targetClient: KubeClient;
let byHand: ByHand;

const api = () => house.platform.api;
const urlOf = (name: string) => byHand.urlOf(name);
const revert = (name: string, commit?: string) => byHand.revert(name, commit);

async function sealed(text: string, purpose: (userId: string) => string) {
  const [{ key }, { user }] = await Promise.all([
    api().call('getSealingKey', { params: runtime }),
    api().call('me', {}),
  ]);
  return seal(text, { to: key, purpose: purpose(user.id) });
}

const manifest = (name: string, path = 'one') => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: ${name}
  namespace: argocd
  finalizers: [resources-finalizer.argocd.argoproj.io]
spec:
  project: default
  source: { repoURL: ${urlOf('content')}, path: ${path}, targetRevision: main }
  destination: { server: https://kubernetes.default.svc, namespace: ${name} }
  syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: [CreateNamespace=true] }
`;
const configMap = (text: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\ndata: { text: ${text} }\n`;

const live = async (name: string) => {
  const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace: name, name: 'settings' };
  return ((await house.world.get(ref))?.['data'] as { text?: string } | undefined)?.text;
};
const application = async (name: string) => {
  const { items } = await api().call('listApplications', {});
  return items.find(({ id }) => id.name === name);
};
const gitSource = async () => (await api().call('listGitSources', {})).items.find(({ name }) => name === 'team');
const cluster = async () => (await api().call('listClusters', {})).items.find(({ name }) => name === 'prod');

async function addProd() {
  const { server, ca = '', token = '' } = targetClient.connection;
  const credentials = { bearerToken: token, tlsClientConfig: { caData: Buffer.from(ca).toString('base64') } };
  const text = await sealed(JSON.stringify(credentials), (userId) => clusterCredentialsPurpose({ userId, server }));
  const body = { name: 'prod', server, labels: { region: 'eu' }, sealed: text };
  return (await api().call('addCluster', { params: runtime, body })).commit;
}

beforeAll(async () => {
  [house, target] = await Promise.all([startHouse(), startCluster()]);
  byHand = new ByHand(house);
  targetClient = new KubeClient(await loadKubeconfig(target.kubeconfig));
  await house.startRuntime();
  await registerHosted(house);
  await eventually(async () => {
    expect((await api().call('getRuntime', { params: runtime })).status).toBe('connected');
    await api().call('getSealingKey', { params: runtime }); // the app-proxy knows who it is, too
  }, 60_000);
  const { host } = new URL(house.world.gitUrl);
  const token = await sealed('test-key', (userId) => gitTokenPurpose({ userId, host }));
  const given = { provider: 'builtin', url: house.world.gitUrl, sealed: token } as const;
  await api().call('putGitToken', { params: { ...runtime, host }, body: given });
  await byHand.begin('content', {
    'one/a.yaml': configMap('one'),
    'two/a.yaml': configMap('two'),
    'three/a.yaml': configMap('first'),
  });
  const body = {
    sharedConfigRepo: urlOf('shared-config'),
    gitSource: { name: 'default', repoURL: urlOf('applications') },
  };
  await api().call('connectConfiguration', { params: runtime, body });
  for (const name of ['shared-config', 'applications']) await byHand.clone(name);
  await byHand
    .repository('applications')
    .push({ 'shop.yaml': manifest('shop'), 'rolled.yaml': manifest('rolled', 'three') });
  await eventually(async () => {
    expect([await live('shop'), await live('rolled')]).toEqual(['one', 'first']);
    expect((await application('shop'))?.health.status).toBe('Healthy');
  }, 60_000);
}, 180_000);
afterAll(async () => {
  await targetClient?.close();
  await house?.stop();
  await target?.stop();
});

const walked = ['shared-config', 'applications', 'content'] as const;
type Walked = (typeof walked)[number];

interface Change {
  readonly what: string;
  /** Of the app-proxy, which commits. */
  readonly route: AppProxyRouteName;
  readonly repository: Walked;
  readonly subject: RegExp;
  /** That the commit changes; default: one. */
  readonly files?: number;
  readonly before?: () => Promise<unknown>;
  /** What the answer says of the commit, where it says it. */
  readonly act: () => Promise<CommitReceipt | undefined | null>;
  /** Throws until the change is to be seen everywhere. */
  readonly isDone: () => Promise<void>;
  readonly isUndone: () => Promise<void>;
}

const shopIs = (text: string | undefined) => async () => {
  expect(await live('shop')).toBe(text);
  expect((await application('shop'))?.id.name).toBe(text === undefined ? undefined : 'shop');
};
const groupIs = (group: string | undefined) => async () => {
  const ref = { group: 'argoproj.io', version: 'v1alpha1', kind: 'Application', namespace: 'argocd', name: 'shop' };
  expect((await house.world.get(ref))?.metadata.annotations?.['fairlead.io/app-group']).toBe(group);
};
const sourceIs = (expected: object | undefined) => async () => {
  const found = await gitSource();
  if (expected) expect(found).toMatchObject(expected);
  else expect(found).toBeUndefined();
};
const clusterIs = (expected: object | undefined) => async () => {
  const found = await cluster();
  if (expected) expect(found).toMatchObject(expected);
  else expect(found).toBeUndefined();
};

const limits = (namespace: string) => ({
  sourceRepos: [urlOf('content')],
  destinations: [{ name: 'in-cluster', namespace }],
});
/** The source is listed as one within limits, and its project in the cluster has them. */
const fencedIs = (namespace: string | undefined) => async () => {
  const found = (await api().call('listGitSources', {})).items.find(({ name }) => name === 'fenced');
  expect(found?.applicationsProject).toBe(namespace === undefined ? undefined : 'fenced');
  const ref = { group: 'argoproj.io', version: 'v1alpha1', kind: 'AppProject', namespace: 'argocd', name: 'fenced' };
  const spec = (await house.world.get(ref))?.['spec'] as { destinations?: { namespace?: string }[] } | undefined;
  // The first is what was asked for; after it stand the namespaces that are denied to all.
  expect(spec?.destinations?.[0]?.namespace).toBe(namespace);
};

const rule = (actions: AccessRuleInput['actions']): AccessRuleInput => ({
  name: 'shop-viewers',
  effect: 'allow',
  teams: ['*'],
  entity: 'application',
  actions,
  attributes: { projects: ['default'] },
});
const foundRule = async () => {
  const { items } = await api().call('listAccessRules', {});
  return items.find(({ name }) => name === 'shop-viewers');
};
const ruleId = async () => ({ rule: (await foundRule())?.id ?? '' });
const ruleIs = (actions: AccessRuleInput['actions'] | undefined) => async () => {
  expect((await foundRule())?.actions).toEqual(actions);
};
const gitRightsAre = (enforce: string) => async () => {
  expect((await api().call('listAccessRules', {})).gitRights.enforce).toBe(enforce);
};

const changes: readonly Change[] = [
  {
    what: 'creating an application',
    route: 'createApplication',
    repository: 'applications',
    subject: /^Add application extra$/,
    act: async () => {
      const body = { manifest: manifest('extra'), gitSource: { name: 'default' } };
      return (await api().call('createApplication', { params: runtime, body })).commit;
    },
    isDone: async () => {
      expect(await live('extra')).toBe('one');
      expect(await application('extra')).toBeDefined();
    },
    isUndone: async () => {
      expect(await live('extra')).toBeUndefined();
      expect(await application('extra')).toBeUndefined();
    },
  },
  {
    what: 'editing an application',
    route: 'editApplicationDefinition',
    repository: 'applications',
    subject: /^Change application shop$/,
    act: async () => {
      const { commit: base, text } = await api().call('getApplicationDefinition', { params: shop });
      const body = { text: text.replace('path: one', 'path: two'), base };
      return (await api().call('editApplicationDefinition', { params: shop, body })).commit;
    },
    isDone: shopIs('two'),
    isUndone: shopIs('one'),
  },
  {
    what: 'putting an application into a group',
    route: 'editApplicationDefinition',
    repository: 'applications',
    subject: /^Change application shop$/,
    act: async () => {
      const { commit: base, text } = await api().call('getApplicationDefinition', { params: shop });
      const named = text.replace(/^ {2}name: shop$/m, '$&\n  annotations: { fairlead.io/app-group: web }');
      return (await api().call('editApplicationDefinition', { params: shop, body: { text: named, base } })).commit;
    },
    isDone: groupIs('web'),
    isUndone: groupIs(undefined),
  },
  {
    what: 'deleting an application',
    route: 'deleteApplication',
    repository: 'applications',
    subject: /^Delete application shop$/,
    act: async () => (await api().call('deleteApplication', { params: shop, query: {} })).commit,
    isDone: shopIs(undefined),
    isUndone: shopIs('one'),
  },
  {
    what: 'rolling an application back',
    route: 'rollbackApplication',
    repository: 'content',
    subject: /^Roll back rolled to [0-9a-f]{7}$/,
    before: async () => {
      await byHand.repository('content').push({ 'three/a.yaml': configMap('second') });
      await eventually(async () => {
        expect(await live('rolled')).toBe('second');
        const { report, row } = await api().call('getApplication', { params: { ...shop, name: 'rolled' } });
        expect([report.history.length, row.sync.status]).toEqual([2, 'Synced']);
      }, 30_000);
    },
    act: async () => {
      const params = { ...shop, name: 'rolled' };
      const [first] = (await api().call('getApplication', { params })).report.history;
      return (await api().call('rollbackApplication', { params, body: { historyId: first?.id ?? -1 } })).commit;
    },
    isDone: async () => expect(await live('rolled')).toBe('first'),
    isUndone: async () => expect(await live('rolled')).toBe('second'),
  },
  {
    what: 'creating a Git Source',
    route: 'createGitSource',
    repository: 'shared-config',
    subject: /^Add Git Source team to runtime hosted$/,
    act: async () => {
      const body = { name: 'team', repoURL: urlOf('content'), path: 'one', include: 'none' };
      return (await api().call('createGitSource', { params: runtime, body })).commit;
    },
    isDone: sourceIs({ path: 'one' }),
    isUndone: sourceIs(undefined),
  },
  {
    what: 'editing a Git Source',
    route: 'updateGitSource',
    repository: 'shared-config',
    subject: /^Change Git Source team$/,
    before: async () => {
      await revert('shared-config');
      await eventually(sourceIs({ path: 'one' }));
    },
    act: async () => (await api().call('updateGitSource', { params: team, body: { path: 'two' } })).commit,
    isDone: sourceIs({ path: 'two' }),
    isUndone: sourceIs({ path: 'one' }),
  },
  {
    what: 'removing a Git Source',
    route: 'deleteGitSource',
    repository: 'shared-config',
    subject: /^Remove Git Source team from runtime hosted$/,
    act: async () => (await api().call('deleteGitSource', { params: team })).commit,
    isDone: sourceIs(undefined),
    isUndone: sourceIs({ path: 'one' }),
  },
  {
    what: 'creating a restricted Git Source',
    route: 'createGitSource',
    repository: 'shared-config',
    subject: /^Add Git Source fenced to runtime hosted$/,
    files: 2, // the source, and the projects that keep it within its limits
    act: async () => {
      const body = { name: 'fenced', repoURL: urlOf('content'), path: 'one', include: 'none', restricted: limits('a') };
      return (await api().call('createGitSource', { params: runtime, body })).commit;
    },
    isDone: fencedIs('a'),
    isUndone: fencedIs(undefined),
  },
  {
    what: 'changing the limits of a restricted Git Source',
    route: 'updateGitSource',
    repository: 'shared-config',
    subject: /^Change Git Source fenced$/,
    before: async () => {
      await revert('shared-config');
      await eventually(fencedIs('a'), 30_000);
    },
    act: async () => {
      const params = { ...runtime, gitSource: 'fenced' };
      return (await api().call('updateGitSource', { params, body: { restricted: limits('b') } })).commit;
    },
    isDone: fencedIs('b'),
    isUndone: fencedIs('a'),
  },
  {
    what: 'adding a cluster',
    route: 'addCluster',
    repository: 'shared-config',
    subject: /^Add cluster prod to runtime hosted$/,
    act: addProd,
    isDone: clusterIs({ status: 'Successful', labels: { region: 'eu' } }),
    isUndone: clusterIs(undefined),
  },
  {
    what: 'labelling a cluster',
    route: 'updateCluster',
    repository: 'shared-config',
    subject: /^Label cluster prod of runtime hosted$/,
    before: async () => {
      await revert('shared-config'); // nobody's kubeconfig is needed: the credentials were kept
      await eventually(clusterIs({ status: 'Successful', labels: { region: 'eu' } }), 30_000);
    },
    act: async () => {
      const body = { labels: { region: 'us', tier: '1' }, annotations: { owner: 'team-a' } };
      return (await api().call('updateCluster', { params: prod, body })).commit;
    },
    isDone: async () => {
      const { labels, annotations } = (await cluster()) ?? {};
      expect([labels, annotations]).toEqual([{ region: 'us', tier: '1' }, { owner: 'team-a' }]);
    },
    isUndone: async () => {
      const { labels, annotations } = (await cluster()) ?? {};
      expect([labels, annotations]).toEqual([{ region: 'eu' }, {}]);
    },
  },
  {
    what: 'removing a cluster',
    route: 'removeCluster',
    repository: 'shared-config',
    subject: /^Remove cluster prod from runtime hosted$/,
    act: async () => (await api().call('removeCluster', { params: prod })).commit,
    isDone: clusterIs(undefined),
    isUndone: clusterIs({ status: 'Successful', labels: { region: 'eu' } }),
  },
  {
    what: 'making an access rule',
    route: 'saveAccessRuleFile',
    repository: 'shared-config',
    subject: /access rule shop-viewers/,
    act: async () => {
      await api().call('createAccessRule', { body: rule(['VIEW']) });
      return null;
    },
    isDone: ruleIs(['VIEW']),
    isUndone: ruleIs(undefined),
  },
  {
    what: 'changing an access rule',
    route: 'saveAccessRuleFile',
    repository: 'shared-config',
    subject: /access rule shop-viewers/,
    before: async () => {
      await revert('shared-config');
      await eventually(ruleIs(['VIEW']));
    },
    act: async () => {
      await api().call('updateAccessRule', { params: await ruleId(), body: rule(['VIEW', 'SYNC']) });
      return null;
    },
    isDone: ruleIs(['VIEW', 'SYNC']),
    isUndone: ruleIs(['VIEW']),
  },
  {
    what: 'renaming an access rule',
    route: 'saveAccessRuleFile',
    repository: 'shared-config',
    subject: /access rule shop-/,
    act: async () => {
      await api().call('updateAccessRule', {
        params: await ruleId(),
        body: { ...rule(['VIEW']), name: 'shop-readers' },
      });
      return null;
    },
    isDone: async () => {
      const names = (await api().call('listAccessRules', {})).items.map(({ name }) => name);
      expect(names).toEqual(['shop-readers']);
    },
    isUndone: ruleIs(['VIEW']),
  },
  {
    what: 'removing an access rule',
    route: 'removeAccessRuleFile',
    repository: 'shared-config',
    subject: /access rule shop-viewers/,
    act: async () => {
      await api().call('deleteAccessRule', { params: await ruleId() });
      return null;
    },
    isDone: ruleIs(undefined),
    isUndone: ruleIs(['VIEW']),
  },
  {
    what: 'making acts need Git rights',
    route: 'saveGitRights',
    repository: 'shared-config',
    subject: /^Acts need Git rights$/,
    act: () => api().call('setGitRights', { body: { enforce: 'acts' } }),
    isDone: gitRightsAre('acts'),
    isUndone: gitRightsAre('off'),
  },
];

/** Routes that answer with a commit and are not walked, and why. */
const passedOver: Partial<Record<AppProxyRouteName, string>> = {
  connectConfiguration: 'begins the repositories, which this walk stands on',
  rotateCluster: 'changes credentials alone, which the runtime keeps and Git has not',
};

const hasReceipt = (schema: unknown): boolean => {
  const { properties = {}, items } = (schema ?? {}) as { properties?: Record<string, unknown>; items?: unknown };
  if (Object.hasOwn(properties, 'sha') && Object.hasOwn(properties, 'changed')) return true;
  return [...Object.values(properties), ...(items ? [items] : [])].some(hasReceipt);
};

async function walk(change: Change): Promise<void> {
  const { repository, files = 1 } = change;
  await change.before?.();
  const before = await byHand.pull(repository);
  const commit = await change.act();
  const sha = await byHand.pull(repository);
  if (commit !== null) expect(commit).toMatchObject({ changed: true, repoURL: urlOf(repository), sha });
  const { work } = byHand.repository(repository);
  const range = `${before}..${sha}`;
  const commits = (await work.git('log', '--format=%an <%ae>|%s', range)).split('\n');
  expect(commits).toEqual([expect.stringMatching(/^admin <admin@fairlead\.invalid>\|/)]);
  expect(commits[0]?.split('|')[1]).toMatch(change.subject);
  expect((await work.git('diff', '--name-only', range)).split('\n')).toHaveLength(files);
  await eventually(change.isDone, 30_000);
  await revert(repository, sha);
  const revertedAt = performance.now();
  await eventually(change.isUndone, 3 * promisedMs);
  undoneMs.push(performance.now() - revertedAt);
}

describe('every change of configuration', () => {
  const walks = new Map<Change, Promise<void>>();
  const begins: Partial<Record<Walked, string>> = {};
  beforeAll(async () => {
    for (const repository of walked) begins[repository] = await byHand.pull(repository);
    for (const repository of walked) {
      let last = Promise.resolve();
      for (const change of changes.filter((each) => each.repository === repository)) {
        const walking = last.then(() => walk(change));
        walks.set(change, walking);
        last = walking.catch(() => undefined); // told by its own test
      }
    }
  });

  it('is walked here: no route that commits is left out', () => {
    const committing = Object.entries(appProxyRoutes).flatMap(([name, { response }]) =>
      hasReceipt(response) ? [name] : [],
    );
    const named = new Set([...changes.map(({ route }) => route), ...Object.keys(passedOver)]);
    expect(committing.toSorted()).toEqual([...named].toSorted());
  });

  it.each(changes)(
    '$what is one commit by who acted, and its revert undoes it',
    (change) => walks.get(change),
    240_000,
  );

  it.each(walked)('made no commit in %s but its own', async (repository) => {
    await byHand.pull(repository);
    const { work } = byHand.repository(repository);
    const authors = await work.git('log', '--format=%ae', `${begins[repository]}..HEAD`);
    const made = authors.split('\n').filter((author) => author === 'admin@fairlead.invalid');
    expect(made).toHaveLength(changes.filter((change) => change.repository === repository).length);
  });

  it('is undone within 10 s of the revert, by the median of the walk', () => {
    const sorted = undoneMs.toSorted((a, b) => a - b);
    expect(sorted).toHaveLength(changes.length);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(promisedMs);
  });
});

describe('two who edit the same file', () => {
  interface Edited {
    readonly what: string;
    /** What an editor opens: the commit that it was read at. */
    readonly open: () => Promise<string>;
    readonly save: (base: string, mark: string) => Promise<unknown>;
  }
  const kinds: readonly Edited[] = [
    {
      what: 'an application',
      open: async () => (await api().call('getApplicationDefinition', { params: shop })).commit,
      save: async (base, mark) => {
        const text = manifest('shop').replace('metadata:', `metadata:\n  annotations: { by: ${mark} }`);
        return api().call('editApplicationDefinition', { params: shop, body: { text, base } });
      },
    },
    {
      what: 'a Git Source',
      open: async () => (await api().call('getGitSource', { params: team })).baseSha,
      save: (baseSha, mark) => api().call('updateGitSource', { params: team, body: { exclude: mark, baseSha } }),
    },
    {
      what: 'a cluster',
      open: async () => (await api().call('getCluster', { params: prod })).baseSha ?? '',
      save: (baseSha, mark) => api().call('updateCluster', { params: prod, body: { labels: { by: mark }, baseSha } }),
    },
    {
      what: 'an access rule',
      open: async () => (await foundRule())?.commit ?? '',
      save: async (baseSha, mark) => {
        const body = { ...rule(['VIEW']), attributes: { names: [mark] }, baseSha };
        return api().call('updateAccessRule', { params: await ruleId(), body });
      },
    },
  ];

  it.each(kinds)(
    'of $what: the second sees both versions, and nothing is lost',
    async ({ open, save }) => {
      await eventually(async () =>
        expect([await application('shop'), await gitSource(), await cluster(), await foundRule()]).not.toContain(
          undefined,
        ),
      );
      const base = await open();
      await save(base, 'first');
      const details = { theirs: expect.stringContaining('first'), yours: expect.stringContaining('second') };
      await expect(save(base, 'second')).rejects.toMatchObject({ status: 409, code: 'conflict', body: { details } });
      await save(await open(), 'third');
    },
    60_000,
  );
});
