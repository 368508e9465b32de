// A runtime comes to an Argo CD of others, tells which commit changed an application and what a branch would change, and
// goes: told once, played by the test (our engine behind Argo CD's paths) and by the proof with a real one.
import { join } from 'node:path';
import { contentHash, Lifecycle, silentLogger } from '@fairlead/base';
import { operationsAnnotation } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';
import { changeRevisionRole, removeRuntime } from '@fairlead/runtime';
import { expect, it } from 'vitest';
import { byKubeconfig } from '../by-kubeconfig.ts';
import { eventually, type Repository } from '../engine/world.ts';
import { foreignParams as params, workload } from './foreign-acts.ts';
import { giveGitToken, type House, registerHosted } from './world.ts';

interface Stay {
  readonly house: House;
  readonly repository: Repository;
  /** The cluster before the runtime came, by `contentsOf`. */
  readonly before: readonly string[];
}

/** Their Argo CD has one application when the runtime comes. */
export async function comeTo(house: House): Promise<Pick<Stay, 'repository' | 'before'>> {
  const repository = await house.world.repository('demo/theirs');
  await repository.push({ 'app/web.yaml': workload('registry.example/web:1') }, 'first');
  await house.world.application('theirs', {
    project: 'default',
    source: { repoURL: repository.url, path: 'app', targetRevision: 'main' },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'theirs' },
    syncPolicy: { syncOptions: ['CreateNamespace=true'] },
  });
  const before = await contentsOf(house);
  await house.startRuntime();
  await registerHosted(house);
  return { repository, before };
}

/** What people see of the cluster: without what changes by itself. */
export async function contentsOf({ world: { client } }: House): Promise<string[]> {
  const objects: string[] = [];
  for (const kind of ['Namespace', 'Secret', 'ConfigMap']) {
    const { items } = await client.list({ apiVersion: 'v1', kind });
    objects.push(...items.map(({ metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`));
  }
  const { items } = await client.list({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' });
  for (const { metadata, spec } of items as (KubeObject & { spec?: unknown })[]) {
    const { name, labels = {}, annotations: all = {}, finalizers = [] } = metadata;
    // Argo CD leaves the first with every refresh, whoever asks for it; our engine, in its place, the second with every sync.
    const { 'argocd.argoproj.io/hydrate': _, [operationsAnnotation]: _journal, ...annotations } = all;
    objects.push(`Application ${name} ${contentHash({ labels, annotations, finalizers, spec })}`);
  }
  // The namespace that the application deploys to is its own.
  return objects.filter((each) => !each.endsWith(' /theirs') && !each.includes(' theirs/')).sort();
}

export async function startChangeRevision(house: House, changeRevisionWriting: string): Promise<Lifecycle> {
  const lifecycle = new Lifecycle(silentLogger);
  const place = { kubeconfigFile: join(house.world.dir, 'kubeconfig'), ...byKubeconfig };
  const names = { runtimeNamespace: 'fairlead', engineNamespace: 'argocd' };
  const rest = { sourceServerUrl: house.urls.sourceServer, changeRevisionWriting, changeRevisionPort: undefined };
  await changeRevisionRole.start({ ...place, ...names, ...rest }, { log: silentLogger, lifecycle });
  return lifecycle;
}

export function defineForeignStay(current: () => Stay): void {
  const api = () => current().house.platform.api;
  const annotation = async () =>
    (await current().house.world.app('theirs')).metadata.annotations?.['fairlead.io/change-revision'];

  it('tells the commit that changed an application by one annotation, and the platform hears of it', async () => {
    const { house, repository } = current();
    const changed = await repository.push({ 'app/web.yaml': workload('registry.example/web:3') }, 'third');
    const head = await repository.push({ 'README.md': 'nothing that is deployed' }, 'words');
    const controller = await startChangeRevision(house, 'annotation');
    try {
      await api().call('refreshApplication', { params, body: { hard: true } });
      await eventually(async () => {
        expect((await house.world.app('theirs')).status?.sync?.revision).toBe(head);
      }, 60_000);
      await api().call('syncApplication', { params, body: {} });
      await eventually(async () => expect(await annotation()).toBe(changed), 60_000);
      await eventually(async () => {
        const { report } = await api().call('getApplication', { params });
        expect(report.operation).toMatchObject({ revision: head, changeRevisions: [changed] });
      }, 60_000);
    } finally {
      await controller.stop();
    }
  });

  it('tells what a branch would change, object by object', async () => {
    const { house, repository } = current();
    await giveGitToken(house);
    const { work, url } = repository;
    await work.git('checkout', '--quiet', '-B', 'next', 'main');
    await work.write({ 'app/web.yaml': workload('registry.example/web:4') });
    const to = await work.commit('next');
    await work.git('push', '--quiet', '--force', url.replace('//', '//test:test-key@'), 'HEAD:next');
    await work.git('checkout', '--quiet', 'main');
    const plan = await api().call('createPlan', {
      params: { runtime: 'hosted' },
      body: { repoURL: url, to: 'next' },
    });
    expect(plan).toMatchObject({ onto: 'main', to, changedFiles: 1 });
    expect(plan.applications).toMatchObject([
      { name: 'theirs', change: 'changed', objects: [{ kind: 'Deployment', name: 'web', change: 'changed' }] },
    ]);
  });

  it('goes and leaves the Argo CD as it was before it came', async () => {
    const { house, before } = current();
    expect(await annotation(), 'there is something to take away').toBeDefined();
    await house.stopRuntime();
    const names = { runtimeNamespace: 'fairlead', engineNamespace: 'argocd' };
    const options = { client: house.world.client, ...names, signal: AbortSignal.timeout(30_000) };
    const { removed, kept } = await removeRuntime(options);
    expect(removed).toContain('Secret fairlead/fairlead-runtime');
    expect(kept).toEqual([]);
    await eventually(async () => expect(await contentsOf(house)).toEqual(before), 30_000);
    expect(await removeRuntime(options)).toEqual({ removed: [], kept: [] });
    await house.startRuntime();
  }, 150_000);
}
