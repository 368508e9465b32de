// How well an application is.
import { expect } from 'vitest';
import { eventually } from '../world.ts';
import { balancer, claim, configMap, crd, custom, deployment, job, manifests, refTo } from './objects.ts';
import { auto, type Scenario, scenario } from './play.ts';

const once = { ...auto, automated: { prune: true } };

export const healthScenarios: readonly Scenario[] = [
  scenario('kinds without health are Healthy', async (play) => {
    await play.play([configMap('a')], { syncPolicy: once });
    await play.reaches({ sync: 'Synced', health: 'Healthy' });
  }),
  scenario('nothing there is Missing', async (play) => {
    await play.play([configMap('a')]);
    await play.reaches({ health: 'Missing' });
  }),
  scenario('a balancer without address is Progressing, with one Healthy', async (play) => {
    await play.play([balancer('s')], { syncPolicy: once });
    await play.reaches({ sync: 'Synced', health: 'Progressing' });
    await play.giveAddress('s');
    await play.reaches({ health: 'Healthy' });
  }),
  scenario('the worst resource decides, and is named', async (play) => {
    await play.play([balancer('s'), claim('c')], { syncPolicy: once });
    await play.sees('PersistentVolumeClaim', 'c');
    await play.lose('c');
    const { status } = await play.reaches({ health: 'Degraded' });
    expect(status?.health?.message ?? 'PersistentVolumeClaim/c').toContain('PersistentVolumeClaim/c');
  }),
  scenario('ignore-healthcheck takes a resource out', async (play) => {
    const annotations = { 'argocd.argoproj.io/ignore-healthcheck': 'true' };
    await play.play([balancer('s', { annotations }), configMap('a')], { syncPolicy: once });
    await play.reaches({ sync: 'Synced', health: 'Healthy' });
  }),
  scenario('a paused Deployment is Suspended', async (play) => {
    await play.play([deployment('web', { paused: true, replicas: 0 })], { syncPolicy: once });
    await play.reaches({ health: 'Suspended' });
  }),
  scenario('a failed Job is Degraded', async (play) => {
    const failing = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'j' },
      spec: {
        suspend: true,
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] } },
      },
    };
    await play.play([failing], { syncPolicy: once });
    await play.sees('Job', 'j');
    const conditions = [
      { type: 'FailureTarget', status: 'True', reason: 'x', message: 'gone' },
      { type: 'Failed', status: 'True', reason: 'x', message: 'gone' },
    ];
    await play.patch('Job', 'j', { status: { startTime: '2026-01-01T00:00:00Z', conditions } }, 'status');
    await play.reaches({ health: 'Degraded' });
  }),
  scenario('an Ingress without address is Progressing', async (play) => {
    const ingress = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'i' },
      spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
    };
    await play.play([ingress], { syncPolicy: once });
    await play.reaches({ health: 'Progressing' });
    await play.patch('Ingress', 'i', { status: { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } } }, 'status');
    await play.reaches({ health: 'Healthy' });
  }),
  scenario('an object that is going is Progressing', async (play) => {
    await play.play([configMap('a'), configMap('b')], { syncPolicy: once });
    await play.synced();
    await play.patch('ConfigMap', 'a', { metadata: { finalizers: ['example.com/hold'] } });
    await play.stage.client.delete(refTo('ConfigMap', 'a', play.id));
    await play.reaches({ health: 'Progressing' });
    await play.patch('ConfigMap', 'a', { metadata: { finalizers: null } });
    await play.gone('ConfigMap', 'a');
  }),
  scenario('a child application is shown, and does not make its parent worse', async (play) => {
    const child = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: `${play.id}-child`, namespace: play.stage.engineNamespace },
      spec: {
        project: 'default',
        source: play.source({ path: `${play.id}/child` }),
        destination: { server: 'https://kubernetes.default.svc', namespace: play.id },
        syncPolicy: { automated: {} },
      },
    };
    await play.push({ 'child/a.yaml': manifests(balancer('s')), 'all.yaml': manifests(child) });
    await play.deploy({ syncPolicy: auto });
    await play.reaches({ sync: 'Synced', health: 'Healthy' });
    await play.reaches({ health: 'Progressing' }, `${play.id}-child`);
    const name = { kind: 'Application', name: `${play.id}-child` };
    expect((await play.app()).status?.resources).toContainEqual(expect.objectContaining(name));
    await play.stage.client.delete(refTo('Application', `${play.id}-child`, play.stage.engineNamespace));
  }),
  scenario('a certificate that is not ready is Progressing, then Healthy', async (play) => {
    const group = 'cert-manager.io';
    await play.play([crd(group, 'Certificate'), custom(group, 'Certificate', 'c')], { syncPolicy: once });
    const ref = { group, version: 'v1', kind: 'Certificate', namespace: play.id, name: 'c' };
    await play.reaches({ sync: 'Synced', health: 'Progressing' });
    const conditions = [{ type: 'Ready', status: 'True', message: 'up to date' }];
    await play.stage.client.patch(ref, { status: { conditions } }, { type: 'merge' });
    await play.reaches({ health: 'Healthy' });
  }),
  scenario('a script of argocd-cm decides', async (play) => {
    const group = 'lua.example.com';
    const ref = { group, version: 'v1', kind: 'Lamp', namespace: play.id, name: 'l' };
    const script =
      'hs = {}\nhs.status = obj.spec.lit and "Healthy" or "Degraded"\nhs.message = obj.metadata.name\nreturn hs';
    const metadata = { name: 'argocd-cm', namespace: play.stage.engineNamespace };
    const data = { [`resource.customizations.health.${group}_Lamp`]: script };
    const map = { group: '', version: 'v1', kind: 'ConfigMap', ...metadata };
    const isThere = (await play.find(map)) !== undefined;
    if (isThere) await play.stage.client.patch(map, { data }, { type: 'merge' });
    else await play.stage.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
    await play.play([crd(group, 'Lamp'), custom(group, 'Lamp', 'l', { spec: { lit: true } })], { syncPolicy: once });
    await play.reaches({ sync: 'Synced', health: 'Healthy', phase: 'Succeeded' }); // or a retry would light it again
    for (const [lit, health] of [
      [false, 'Degraded'],
      [true, 'Healthy'],
    ] as const) {
      await play.stage.client.patch(ref, { spec: { lit } }, { type: 'merge' });
      await play.reaches({ health });
    }
  }),
  scenario(
    'a Deployment becomes Healthy when its pods run',
    async (play) => {
      await play.play([deployment('web', { replicas: 2 })], { syncPolicy: once });
      await play.reaches({ sync: 'Synced', health: 'Healthy' });
      const { body } = await play.stage.api(`/api/v1/applications/${play.id}/resource-tree`);
      const kinds = (body as { nodes: { kind: string }[] }).nodes.map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'Pod')).toHaveLength(2);
    },
    'pods',
  ),
  scenario(
    'a Job that completes is Healthy',
    async (play) => {
      await play.play([job('j')], { syncPolicy: once });
      await play.reaches({ sync: 'Synced', health: 'Healthy' });
    },
    'pods',
  ),
  scenario('the time of the last change of health stays while it stays', async (play) => {
    await play.play([balancer('s')], { syncPolicy: once });
    const first = (await play.reaches({ sync: 'Synced', health: 'Progressing' })).status?.health;
    await play.refresh();
    await eventually(async () => {
      const app = await play.app();
      expect(app.metadata.annotations?.['argocd.argoproj.io/refresh']).toBeUndefined();
      expect(app.status?.health).toEqual(first);
    }, 30_000);
  }),
];
