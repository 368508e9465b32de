// Which commit changed an application, on the whole way: engine, controller, reporter, platform.
import { join } from 'node:path';
import { Lifecycle, silentLogger } from '@fairlead/base';
import { argoGroup } from '@fairlead/contracts';
import { changeRevisionRole } from '@fairlead/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byKubeconfig } from '../by-kubeconfig.ts';
import { eventually, type Repository } from '../engine/world.ts';
import { type House, registerHosted, startHouse } from './world.ts';

let house: House;
let mono: Repository;
let values: Repository;
let lifecycle: Lifecycle;

const configMap = (text: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: greeting }\ndata: { text: ${text} }\n`;
const chart = {
  'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'chart/templates/c.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: from-chart }\ndata: { text: {{ .Values.text | quote }} }\n',
};
const rest = (namespace: string) => ({
  project: 'default',
  destination: { server: 'https://kubernetes.default.svc', namespace },
  syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'] },
});

async function startController(changeRevisionWriting: string): Promise<void> {
  lifecycle = new Lifecycle(silentLogger);
  const config = {
    kubeconfigFile: join(house.world.dir, 'kubeconfig'),
    ...byKubeconfig,
    runtimeNamespace: 'fairlead',
    engineNamespace: 'argocd',
    sourceServerUrl: house.urls.sourceServer,
    changeRevisionWriting,
    changeRevisionPort: undefined,
  };
  await changeRevisionRole.start(config, { log: silentLogger, lifecycle });
}

interface Written {
  readonly changeRevision?: string;
  readonly changeRevisions?: readonly string[];
}

async function writtenOn(name: string): Promise<Written & { revision: string | undefined }> {
  const { status } = await house.world.app(name);
  const state = status?.operationState;
  const result = state?.syncResult as { revision?: string; revisions?: string[] } | undefined;
  const sync = (state?.operation.sync ?? {}) as Written;
  return { ...sync, revision: result?.revisions?.join(',') ?? result?.revision };
}

const annotationOf = async (name: string) =>
  (await house.world.get({ group: argoGroup, version: 'v1alpha1', kind: 'Application', namespace: 'argocd', name }))
    ?.metadata.annotations?.['fairlead.io/change-revision'];

beforeAll(async () => {
  house = await startHouse();
  await house.startRuntime();
  await registerHosted(house);
  mono = await house.world.repository('demo/mono');
  values = await house.world.repository('demo/values');
  await mono.push({ 'a/c.yaml': configMap('one'), 'b/c.yaml': configMap('one'), ...chart }, 'first');
  await values.push({ 'values.yaml': 'text: one\n', 'other.yaml': 'x: 1\n' }, 'values');
  await startController('field');
}, 180_000);
afterAll(async () => {
  await lifecycle?.stop();
  await house?.stop();
});

describe('the change revision', () => {
  it('is the newest commit that changed what the application renders to, not the newest commit', async () => {
    const changed = await mono.push({ 'a/c.yaml': configMap('two') }, 'change a');
    await mono.push({ 'a/c.yaml': `# only a comment\n${configMap('two')}` }, 'touch an input of a');
    const head = await mono.push({ 'b/c.yaml': configMap('two') }, 'change b');
    await house.world.application('a', {
      ...rest('a'),
      source: { repoURL: mono.url, path: 'a', targetRevision: 'main' },
    });
    await eventually(async () =>
      expect(await writtenOn('a')).toMatchObject({ revision: head, changeRevision: changed }),
    );
    await eventually(async () => {
      const application = await house.platform.api.call('getApplication', {
        params: { runtime: 'hosted', namespace: 'argocd', name: 'a' },
      });
      expect(JSON.stringify(application)).toContain(`"changeRevisions":["${changed}"]`);
      const changeCommit = expect.objectContaining({ revision: changed, message: 'change a' });
      expect(application.row).toMatchObject({ sync: { revision: head }, changeCommit });
    });
  });

  it('looks through a merge to the commit behind it', async () => {
    const { work } = mono;
    await work.git('checkout', '--quiet', '-b', 'feature');
    await work.write({ 'b/c.yaml': configMap('merged') });
    const changed = await work.commit('change b on a branch');
    await work.git('checkout', '--quiet', 'main');
    await work.write({ 'unrelated.txt': 'x' });
    await work.commit('something else');
    await work.git('merge', '--quiet', '--no-ff', '-m', 'merge', 'feature');
    const head = await mono.push({ 'unrelated.txt': 'y' }, 'after the merge');
    await house.world.application('b', {
      ...rest('b'),
      source: { repoURL: mono.url, path: 'b', targetRevision: 'main' },
    });
    await eventually(async () =>
      expect(await writtenOn('b')).toMatchObject({ revision: head, changeRevision: changed }),
    );
  });

  it('is found per source of several, also of one that only lends files', async () => {
    const inValues = await values.push({ 'values.yaml': 'text: two\n' }, 'change what is used');
    await values.push({ 'other.yaml': 'x: 2\n' }, 'change what is not used');
    const inChart = await mono.work.git('log', '--format=%H', '-1', '--', 'chart');
    await house.world.application('multi', {
      ...rest('multi'),
      sources: [
        { repoURL: mono.url, path: 'chart', targetRevision: 'main', helm: { valueFiles: ['$lent/values.yaml'] } },
        { repoURL: values.url, targetRevision: 'main', ref: 'lent' },
      ],
    });
    await eventually(async () =>
      expect(await writtenOn('multi')).toMatchObject({ changeRevisions: [inChart.trim(), inValues] }),
    );
  });

  it('on an Argo CD of others is one annotation, which can be taken away without a trace', async () => {
    await lifecycle.stop();
    await startController('annotation');
    const changed = await mono.push({ 'a/c.yaml': configMap('three') }, 'change a again');
    await eventually(async () => expect(await annotationOf('a')).toBe(changed), 30_000);
    expect((await writtenOn('a')).changeRevision).toBeUndefined();
    await lifecycle.stop();
    await startController('remove');
    await eventually(async () => expect(await annotationOf('a')).toBeUndefined());
  });
});
