// From nothing to the first deployment by the command line: the three steps of the set-up with the built-in git server.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { eventually, Fairlead, SampleClone, temporaryHome } from './harness.ts';

interface Row {
  readonly id: { readonly name: string };
  readonly health: { readonly status: string };
  readonly destination: { readonly cluster: string };
}

test.describe('the set-up by the command line', () => {
  test.describe.configure({ mode: 'serial' });
  let fairlead: Fairlead;

  test.beforeAll(async () => {
    fairlead = await Fairlead.start(temporaryHome(), ['--empty']);
  });
  test.afterAll(async () => {
    await fairlead?.stop();
  });

  test('begins with no runtime', async () => {
    expect(JSON.parse(await fairlead.run('runtime', 'list', '-o', 'json'))).toEqual({ items: [] });
  });

  test('takes three steps, less than a minute together', async () => {
    const startedMs = performance.now();
    const output = await fairlead.run('setup');
    expect(performance.now() - startedMs).toBeLessThan(60_000);
    for (const step of ['1/3 runtime', '2/3 Git', '3/3 cluster']) expect(output).toContain(step);
    const clusters = JSON.parse(await fairlead.run('cluster', 'list', '-o', 'json'));
    expect(clusters.items).toContainEqual(expect.objectContaining({ name: 'laptop', status: 'Successful' }));
    const sources = JSON.parse(await fairlead.run('git-source', 'list', '-o', 'json'));
    expect(sources.items).toMatchObject([{ name: 'default' }]);
  });

  test('again finds everything done', async () => {
    const output = await fairlead.run('setup');
    expect(output).not.toContain('commit');
    expect(output).toContain('3/3 cluster: laptop');
  });

  test('deploys what is pushed to the Git Source, to the cluster that was connected', async () => {
    const { git } = fairlead.endpoints;
    const clone = await SampleClone.of(`${git}/fairlead/applications.git`, fairlead.apiKey);
    mkdirSync(join(clone.dir, 'hello'));
    clone.write(
      'hello.yaml',
      `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: hello, namespace: argocd }
spec:
  project: default
  source: { repoURL: "${git}/fairlead/applications.git", path: hello, targetRevision: main }
  destination: { name: laptop, namespace: hello }
  syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: [CreateNamespace=true] }
`,
    );
    clone.write('hello/settings.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\n');
    await fairlead.run('git-source', 'edit', 'default', '--exclude', '*/*');
    await clone.push('Say hello');
    await eventually(
      'hello is deployed',
      () => fairlead.get<{ items: Row[] }>('/applications').then(({ items }) => items),
      (items) =>
        items.some(
          ({ id, health, destination }) =>
            id.name === 'hello' && health.status === 'Healthy' && destination.cluster === 'laptop',
        ),
      30_000,
    );
  });
});
