// Applications that are made by rules.
import { listen } from '@fairlead/base';
import { emulateProvider } from '@fairlead/git';
import { listAt, stringAt, valueAt } from '@fairlead/kube';
import { expect } from 'vitest';
import { eventually } from '../world.ts';
import { balancer, configMap, manifests, refTo } from './objects.ts';
import { auto, type Play, type Scenario, scenario } from './play.ts';

interface SetOptions {
  readonly generators: readonly object[];
  readonly name?: string;
  readonly template?: object;
  /** Below the scenario's folder. */
  readonly path?: string;
  readonly spec?: object;
}

const server = 'https://kubernetes.default.svc';

async function setOf(
  play: Play,
  { generators, name = '{{name}}', template = {}, path = 'app', spec = {} }: SetOptions,
): Promise<void> {
  await play.push({ 'app/a.yaml': manifests(configMap('a')) });
  await play.make({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: play.id },
    spec: {
      generators,
      template: {
        metadata: { name: `${play.id}-${name}`, ...template },
        spec: {
          project: 'default',
          source: play.source({ path: `${play.id}/${path}` }),
          destination: { server, namespace: play.id },
          syncPolicy: auto,
        },
      },
      ...spec,
    },
  });
}

const namesOf = async (play: Play) => {
  const { items } = await play.stage.client.list({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    namespace: play.stage.engineNamespace,
  });
  return items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith(`${play.id}-`));
};
const makes = (play: Play, names: readonly string[]) =>
  eventually(
    async () => expect((await namesOf(play)).sort()).toEqual(names.map((name) => `${play.id}-${name}`)),
    30_000,
  );
const setRef = (play: Play) => refTo('ApplicationSet', play.id, play.stage.engineNamespace);
const change = (play: Play, spec: object) => play.stage.client.patch(setRef(play), { spec }, { type: 'merge' });
const fails = (play: Play, message: RegExp) =>
  eventually(async () => {
    const conditions = listAt((await play.find(setRef(play)))?.['status'], 'conditions');
    const failed = conditions.find((one) => stringAt(one, 'type') === 'ErrorOccurred');
    expect(stringAt(failed, 'status')).toBe('True');
    expect(stringAt(failed, 'message')).toMatch(message);
  }, 30_000);
const list = (...names: string[]) => ({ list: { elements: names.map((name) => ({ name })) } });

export const applicationSetScenarios: readonly Scenario[] = [
  scenario('a list makes one application each, and they are synced', async (play) => {
    await setOf(play, { generators: [list('one', 'two')] });
    await makes(play, ['one', 'two']);
    await play.reaches({ phase: 'Succeeded' }, `${play.id}-one`);
  }),
  scenario('what leaves the list is deleted, what comes is made', async (play) => {
    await setOf(play, { generators: [list('one', 'two')] });
    await makes(play, ['one', 'two']);
    await change(play, { generators: [list('three', 'two')] });
    await makes(play, ['three', 'two']);
  }),
  scenario('Go templates have functions', async (play) => {
    await setOf(play, {
      generators: [list('ONE')],
      name: '{{ .name | lower }}',
      spec: { goTemplate: true, goTemplateOptions: ['missingkey=error'] },
    });
    await makes(play, ['one']);
  }),
  scenario('a missing key is an error when asked, and nothing is made', async (play) => {
    await setOf(play, {
      generators: [list('one')],
      name: '{{ .nothing }}',
      spec: { goTemplate: true, goTemplateOptions: ['missingkey=error'] },
    });
    await fails(play, /nothing/);
    await makes(play, []);
  }),
  scenario('clusters are a generator', async (play) => {
    await setOf(play, { generators: [{ clusters: {} }] });
    await eventually(async () => expect(await namesOf(play)).toContain(`${play.id}-in-cluster`), 30_000);
  }),
  scenario('folders are a generator, without those that are excluded', async (play) => {
    const files = { 'sites/one/a.yaml': 'a', 'sites/two/a.yaml': 'a', 'sites/not/a.yaml': 'a' };
    await play.push(files);
    const directories = [{ path: `${play.id}/sites/*` }, { path: `${play.id}/sites/not`, exclude: true }];
    await setOf(play, {
      generators: [{ git: { repoURL: play.repo.url, revision: 'main', directories } }],
      name: '{{path.basename}}',
    });
    await makes(play, ['one', 'two']);
  }),
  scenario('files are a generator, with what they hold', async (play) => {
    await play.push({ 'env/one.json': '{"site": {"name": "first"}}', 'env/two.yaml': 'site: {name: second}' });
    const files = [{ path: `${play.id}/env/*` }];
    await setOf(play, {
      generators: [{ git: { repoURL: play.repo.url, revision: 'main', files } }],
      name: '{{site.name}}',
    });
    await makes(play, ['first', 'second']);
  }),
  scenario('a matrix makes every pair', async (play) => {
    const sizes = { list: { elements: [{ size: 's' }, { size: 'l' }] } };
    await setOf(play, { generators: [{ matrix: { generators: [list('a', 'b'), sizes] } }], name: '{{name}}-{{size}}' });
    await makes(play, ['a-l', 'a-s', 'b-l', 'b-s']);
  }),
  scenario('merge overlays by key', async (play) => {
    const base = {
      list: {
        elements: [
          { name: 'a', to: 'x' },
          { name: 'b', to: 'x' },
        ],
      },
    };
    const over = { list: { elements: [{ name: 'b', to: 'y' }] } };
    await setOf(play, {
      generators: [{ merge: { mergeKeys: ['name'], generators: [base, over] } }],
      name: '{{name}}-{{to}}',
    });
    await makes(play, ['a-x', 'b-y']);
  }),
  scenario('a selector takes some of what a generator makes', async (play) => {
    await setOf(play, { generators: [{ ...list('a', 'b'), selector: { matchLabels: { name: 'b' } } }] });
    await makes(play, ['b']);
  }),
  scenario('two sets of parameters for one name are refused', async (play) => {
    await setOf(play, { generators: [list('a', 'a')] });
    await fails(play, /duplicate name/);
    await makes(play, []);
  }),
  scenario('create-only changes and deletes nothing', async (play) => {
    const spec = { syncPolicy: { applicationsSync: 'create-only' } };
    await setOf(play, { generators: [list('one', 'two')], spec });
    await makes(play, ['one', 'two']);
    await change(play, { generators: [list('three')] });
    await makes(play, ['one', 'three', 'two']);
  }),
  scenario('create-update deletes nothing', async (play) => {
    const spec = { syncPolicy: { applicationsSync: 'create-update' } };
    await setOf(play, { generators: [list('one')], spec });
    await makes(play, ['one']);
    await change(play, { generators: [list('two')], template: { metadata: { labels: { new: 'yes' } } } });
    await makes(play, ['one', 'two']);
    await eventually(
      async () => expect((await play.app(`${play.id}-two`)).metadata.labels).toEqual({ new: 'yes' }),
      30_000,
    );
  }),
  scenario('a change of the template reaches its applications', async (play) => {
    await setOf(play, { generators: [list('one')], template: { labels: { tier: 'old' } } });
    await makes(play, ['one']);
    await change(play, { template: { metadata: { labels: { tier: 'new' } } } });
    await eventually(
      async () => expect((await play.app(`${play.id}-one`)).metadata.labels).toEqual({ tier: 'new' }),
      30_000,
    );
  }),
  scenario('preserved fields of others stay', async (play) => {
    const spec = { preservedFields: { annotations: ['example.com/kept'] } };
    await setOf(play, { generators: [list('one')], spec });
    await makes(play, ['one']);
    const annotations = { 'example.com/kept': 'yes', 'example.com/gone': 'yes' };
    await play.edit({ metadata: { annotations } }, `${play.id}-one`);
    await eventually(async () => {
      const now = (await play.app(`${play.id}-one`)).metadata.annotations ?? {};
      expect(now['example.com/kept']).toBe('yes');
      expect(now['example.com/gone']).toBeUndefined();
    }, 30_000);
  }),
  scenario('templatePatch changes single applications', async (play) => {
    const templatePatch = '{{- if eq .name "b" }}\nmetadata:\n  labels: {special: "yes"}\n{{- end }}\n';
    await setOf(play, {
      generators: [list('a', 'b')],
      name: '{{.name}}',
      spec: { goTemplate: true, templatePatch },
    });
    await makes(play, ['a', 'b']);
    expect((await play.app(`${play.id}-b`)).metadata.labels).toEqual({ special: 'yes' });
    expect((await play.app(`${play.id}-a`)).metadata.labels).toBeUndefined();
  }),
  scenario('a generator that fails deletes nothing', async (play) => {
    await setOf(play, { generators: [list('one')] });
    await makes(play, ['one']);
    await change(play, {
      generators: [{ git: { repoURL: `${play.repo.url}-not`, revision: 'main', directories: [{ path: '*' }] } }],
    });
    await fails(play, /./);
    await makes(play, ['one']);
  }),
  scenario(
    'an unknown generator is told with what is allowed',
    async (play) => {
      await setOf(play, { generators: [{ magic: {} }] });
      await fails(play, /magic.*allowed/);
    },
    'our engine',
  ),
  scenario('a set that is deleted takes its applications along', async (play) => {
    await setOf(play, { generators: [list('one')] });
    await play.reaches({ phase: 'Succeeded' }, `${play.id}-one`);
    await play.stage.client.delete(setRef(play));
    await makes(play, []);
    await play.gone('ConfigMap', 'a');
  }),
  scenario('preserveResourcesOnDeletion leaves what was deployed', async (play) => {
    const spec = { syncPolicy: { preserveResourcesOnDeletion: true } };
    await setOf(play, { generators: [list('one')], spec });
    await play.reaches({ phase: 'Succeeded' }, `${play.id}-one`);
    await play.stage.client.delete(setRef(play));
    await makes(play, []);
    expect(await play.get('ConfigMap', 'a')).toBeDefined();
  }),
  scenario('RollingSync syncs step by step, each when the one before is healthy', async (play) => {
    const step = (env: string) => ({ matchExpressions: [{ key: 'env', operator: 'In', values: [env] }] });
    await play.push({ 'slow/a.yaml': manifests(balancer('gate')) });
    await setOf(play, {
      generators: [
        {
          list: {
            elements: [
              { name: 'dev', path: 'slow' },
              { name: 'prod', path: 'app' },
            ],
          },
        },
      ],
      template: { labels: { env: '{{name}}' } },
      path: '{{path}}',
      spec: { strategy: { type: 'RollingSync', rollingSync: { steps: [step('dev'), step('prod')] } } },
    });
    const statuses = async () =>
      listAt((await play.find(setRef(play)))?.['status'], 'applicationStatus').map((one) => stringAt(one, 'status'));
    const reach = (wanted: readonly string[]) =>
      eventually(async () => expect(await statuses()).toEqual(wanted), play.stage.patienceMs);
    await reach(['Progressing', 'Waiting']);
    expect(valueAt(await play.app(`${play.id}-dev`), 'spec', 'syncPolicy', 'automated', 'enabled')).toBe(false);
    expect((await play.app(`${play.id}-prod`)).status?.sync?.status).toBe('OutOfSync');
    await play.sees('Service', 'gate');
    await play.giveAddress('gate');
    await reach(['Healthy', 'Healthy']);
    await play.synced(`${play.id}-prod`);
  }),
  scenario('pull requests are a generator: an application comes with each and goes with it', async (play) => {
    const emulator = emulateProvider('github', { token: 'preview-token' });
    const socket = await listen(emulator.api.http, { port: 0 });
    try {
      emulator.host.branches.set('demo/shop', ['main', 'feature/one', 'fix/two']);
      const open = (from: string, labels: string[]) =>
        emulator.host.open({ repository: 'demo/shop', title: from, from, into: 'main', labels });
      open('feature/one', ['preview']);
      open('fix/two', []);
      const metadata = { name: `${play.id}-token` };
      await play.make({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: { token: 'preview-token' } });
      const github = {
        owner: 'demo',
        repo: 'shop',
        api: `http://127.0.0.1:${socket.port}/api/v3`,
        labels: ['preview'],
        tokenRef: { secretName: metadata.name, key: 'token' },
      };
      await setOf(play, {
        generators: [{ pullRequest: { github, requeueAfterSeconds: 1 } }],
        name: '{{branch_slug}}-{{number}}',
      });
      await makes(play, ['feature-one-1']);
      emulator.host.merge('1');
      open('feature/one', ['preview']);
      await makes(play, ['feature-one-3']);
      if (!play.stage.isOurEngine) return; // tries again at once and tells nothing
      emulator.api.failNext({ status: 401 }, { status: 401 });
      await fails(play, /GitHub/);
      await makes(play, ['feature-one-3']);
    } finally {
      await socket.close(0);
    }
  }),
];
