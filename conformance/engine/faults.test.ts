// The promises P-SYN-*: the fault is put in, and then looked for what was doubled, pruned wrongly or lost.
import { stringAt, valueAt } from '@fairlead/kube';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FaultWorld, startFaultWorld, token } from './faults.ts';
import { killedAt } from './kills.ts';
import { configMap, manifests, refTo, wave } from './scenarios/objects.ts';
import { eventually, type Repository } from './world.ts';
import { deletesIn, type Write } from './write-proxy.ts';

let faults: FaultWorld;
let repo: Repository;

beforeAll(async () => {
  faults = await startFaultWorld();
  repo = await faults.world.repository('demo/faults');
}, 60_000);
afterAll(() => faults.world.stop());
// What one fault left behind must not write in the next.
afterEach(async () => {
  const { client } = faults.world;
  const query = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', namespace: 'argocd' };
  for (const { metadata } of (await client.list(query)).items)
    await client.delete(refTo('Application', metadata.name, 'argocd'));
});

const source = (path: string) => ({ repoURL: repo.url, path, targetRevision: 'main' });
const deploy = (name: string, spec: object = {}) =>
  faults.world.application(name, {
    project: 'default',
    source: source(name),
    destination: { server: 'https://kubernetes.default.svc', namespace: name },
    syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
    ...spec,
  });
const synced = (name: string, revision?: string) =>
  eventually(async () => {
    const { status } = await faults.world.app(name);
    expect(status?.sync).toMatchObject({ status: 'Synced', ...(revision ? { revision } : {}) });
    expect(status?.operationState?.phase).toBe('Succeeded');
    return status;
  }, 45_000);
const get = (name: string, object: string) => faults.world.get(refTo('ConfigMap', object, name));
const keyOf = async (name: string, object: string) => stringAt(await get(name, object), 'data', 'key');
const deletesOf = (writes: readonly Write[], name: string) =>
  deletesIn(writes).filter(({ path }) => path.includes(`/namespaces/${name}/`));

const first = () => manifests(configMap('a'), configMap('b', '1', wave(1)), configMap('old'));

/** A state of the source that cannot be rendered completely, or renders to nothing. */
const unusable: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  'broken YAML': { 'all.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: [\n' },
  'a chart whose template fails': {
    'all.yaml': null,
    'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
    'templates/a.yaml': '{{ required "needed" .Values.nothing }}\n',
  },
  'a chart without a value': {
    'all.yaml': null,
    'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
    'values.yaml': 'on: false\n',
    'templates/a.yaml': '{{ if .Values.on }}\n{}\n{{ end }}\n',
  },
  'a kustomization whose base is missing': { 'all.yaml': null, 'kustomization.yaml': 'resources: [../nowhere]\n' },
  'a kustomization of nothing': { 'all.yaml': null, 'kustomization.yaml': 'resources: []\n' },
  'an empty file': { 'all.yaml': '' },
  'a folder that is gone': { 'all.yaml': null },
};

describe('an engine that goes on', () => {
  let engine: Awaited<ReturnType<FaultWorld['engine']>>;
  beforeAll(async () => {
    engine = await faults.engine();
  }, 60_000);
  afterAll(() => engine.stop());

  describe('P-SYN-2 and P-SYN-3: a source that is broken, partial or empty', { timeout: 120_000 }, () => {
    it('deletes nothing, whatever is wrong with it', async () => {
      const cases = Object.entries(unusable).map(([what, files], index) => ({
        what,
        files,
        name: `fault-src-${index}`,
      }));
      const at = (name: string, files: Readonly<Record<string, string | null>>) =>
        Object.fromEntries(Object.entries(files).map(([file, text]) => [`${name}/${file}`, text]));
      await repo.push(Object.assign({}, ...cases.map(({ name }) => at(name, { 'all.yaml': first() }))));
      await Promise.all(cases.map(({ name }) => deploy(name)));
      const other = { ...source('fault-src-0'), path: 'fault-src-1' };
      await deploy('fault-two', { source: undefined, sources: [source('fault-src-0'), other] });
      await Promise.all([...cases.map(({ name }) => name), 'fault-two'].map((name) => synced(name)));
      await repo.push(Object.assign({}, ...cases.map(({ name, files }) => at(name, files))));
      for (const { name, what } of cases) {
        await eventually(async () => {
          const { status } = await faults.world.app(name);
          const types = (status?.conditions ?? []).map(({ type }) => type);
          expect(
            types.some((type) => type === 'ComparisonError' || type === 'SyncError'),
            what,
          ).toBe(true);
        }, 45_000);
        expect(deletesOf(engine.proxy.writes, name), what).toEqual([]);
        expect(await get(name, 'a'), what).toBeDefined();
      }
      await eventually(async () => {
        const { status } = await faults.world.app('fault-two');
        expect(status?.conditions?.[0]?.type).toBe('ComparisonError');
      }, 45_000);
      expect(deletesOf(engine.proxy.writes, 'fault-two')).toEqual([]);
    });
  });

  describe('P-SYN-5: a branch that moves while a sync goes on', { timeout: 120_000 }, () => {
    it('is applied as the commit that the operation names', async () => {
      const name = 'fault-moving';
      const values = new Map<string, string>();
      const push = async (value: string) => {
        values.set(await repo.push({ [`${name}/all.yaml`]: manifests(configMap('a', value)) }), value);
      };
      await push('0');
      await deploy(name);
      for (let round = 1; round <= 12; round++) {
        await push(String(round));
        await faults.world.client.patch(
          refTo('Application', name, 'argocd'),
          { metadata: { annotations: { 'argocd.argoproj.io/refresh': 'normal' } } },
          { type: 'merge' },
        );
      }
      await synced(name, [...values.keys()].at(-1));
      let named: string | undefined;
      let applied = 0;
      for (const { path, body } of engine.proxy.writes) {
        if (path.includes(`/applications/${name}`)) {
          // The comparison may be ahead of the operation, which goes on with the commit it names.
          const state = valueAt(JSON.parse(body), 'status', 'operationState');
          const asked = stringAt(state, 'operation', 'sync', 'revision') || undefined;
          named = (stringAt(state, 'syncResult', 'revision') || undefined) ?? asked ?? named;
        } else if (path.includes(`/namespaces/${name}/configmaps`)) {
          applied++;
          expect(/\\"key\\":\\"(\d+)\\"/.exec(body)?.[1]).toBe(values.get(named ?? ''));
        }
      }
      expect(applied).toBeGreaterThan(0);
    });
  });

  it('begins a sync that is asked for while somebody else writes the application', { timeout: 60_000 }, async () => {
    const name = 'fault-race';
    await repo.push({ [`${name}/all.yaml`]: manifests(configMap('a')) });
    await deploy(name, { syncPolicy: { syncOptions: ['CreateNamespace=true'] } });
    await eventually(async () => expect((await faults.world.app(name)).status?.sync?.status).toBe('OutOfSync'));
    const note = { metadata: { annotations: { 'example.com/note': 'written meanwhile' } } };
    engine.proxy.arm({
      write: ({ path, body }) => path.includes(`/applications/${name}`) && body.includes('"operation":'),
      when: 'before',
      fault: async () => {
        await faults.world.client.patch(refTo('Application', name, 'argocd'), note, { type: 'merge' });
      },
    });
    const { status } = await fetch(`${engine.url}/api/v1/applications/${name}/sync`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    const ofApplication = engine.proxy.writes.filter(({ path }) => path.includes(`/applications/${name}`));
    expect(ofApplication.filter((write) => write.status === 409)).toHaveLength(1);
    expect(status).toBe(200);
    await synced(name);
    expect((await faults.world.app(name)).metadata.annotations).toMatchObject(note.metadata.annotations);
  });

  describe('P-SYN-7: what is not ours', { timeout: 60_000 }, () => {
    it('is neither pruned nor taken over by an application that does not hold it', async () => {
      const name = 'fault-own';
      await repo.push({ [`${name}/all.yaml`]: manifests(configMap('a'), configMap('b')) });
      await deploy(name);
      await synced(name);
      const id = `other:/ConfigMap:${name}/stranger`;
      for (const [object, annotations] of Object.entries({
        stranger: { 'argocd.argoproj.io/tracking-id': id },
        plain: {},
      })) {
        const metadata = { name: object, namespace: name, annotations };
        await faults.world.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { theirs: 'x' } });
      }
      const commit = await repo.push({ [`${name}/all.yaml`]: manifests(configMap('a', '2')) });
      await synced(name, commit);
      expect(deletesOf(engine.proxy.writes, name).map(({ path }) => path.split('?')[0]?.split('/').at(-1))).toEqual([
        'b',
      ]);
      expect(await get(name, 'stranger')).toBeDefined();
      expect(await get(name, 'plain')).toBeDefined();
    });
  });

  describe('P-SYN-8: an engine that was cut off while the source changed', { timeout: 90_000 }, () => {
    it('brings every application to what Git says when the fault is over', async () => {
      const names = ['fault-back-1', 'fault-back-2', 'fault-back-3'];
      const files = (value: string) =>
        Object.fromEntries(names.map((name) => [`${name}/all.yaml`, manifests(configMap('a', value))]));
      await repo.push(files('0'));
      await Promise.all(names.map((name) => deploy(name)));
      await Promise.all(names.map((name) => synced(name)));
      engine.proxy.part();
      const commit = await repo.push(files('1'));
      await eventually(() => expect(engine.proxy.lost).toBeGreaterThan(names.length));
      engine.proxy.heal();
      await Promise.all(names.map((name) => synced(name, commit)));
      expect(await Promise.all(names.map((name) => keyOf(name, 'a')))).toEqual(['1', '1', '1']);
    });
  });

  describe('P-SYN-9: somebody who always changes a field back', { timeout: 60_000 }, () => {
    it('makes no hot loop', async () => {
      const name = 'fault-loop';
      await repo.push({ [`${name}/all.yaml`]: manifests(configMap('a')) });
      await deploy(name);
      await synced(name);
      const stop = new AbortController();
      const opponent = (async () => {
        while (!stop.signal.aborted) {
          const value = await keyOf(name, 'a');
          if (value !== 'theirs')
            await faults.world.client.patch(
              refTo('ConfigMap', 'a', name),
              { data: { key: 'theirs' } },
              { type: 'merge' },
            );
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      })();
      const heals = () =>
        engine.proxy.writes.filter(({ method, path }) => method === 'PATCH' && path.includes(`/${name}/configmaps/a`));
      const attempts = async () =>
        (await faults.world.app(name)).status?.operationState?.operation.sync?.autoHealAttemptsCount ?? 0;
      await eventually(async () => expect(await attempts()).toBeGreaterThanOrEqual(3), 30_000);
      // At once, after 2 s, after 6 s more: the fourth would come 18 s later.
      expect(heals().length).toBeLessThanOrEqual(4);
      stop.abort();
      await opponent;
    });
  });
});

describe('P-SYN-6: an engine that is killed in a sync', { timeout: 240_000 }, () => {
  it('is followed by one that ends it: nothing doubled, pruned wrongly or lost', async () => {
    const undisturbed = await killedAt({ ...faults, repo }, 'fault-none');
    expect(undisturbed.length).toBeGreaterThan(8);
    // The last but one deletes a hook by its policy, when everything is done and the end is not written yet.
    for (const [index, write] of [3, 5, undisturbed.length - 1].entries()) {
      await killedAt({ ...faults, repo }, `fault-kill-${write}`, { write, when: index % 2 === 0 ? 'after' : 'before' });
    }
  });
});
