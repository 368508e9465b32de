// What is a difference, and what is not.
import { valueAt } from '@fairlead/kube';
import { expect } from 'vitest';
import { eventually } from '../world.ts';
import { configMap, deployment, manifests } from './objects.ts';
import { auto, manual, type Play, type Scenario, scenario } from './play.ts';

/** Synced with what the API server made of it, also after a look past every cache. */
async function staysSynced(play: Play): Promise<void> {
  await play.synced();
  await play.refresh('hard');
  await eventually(async () => {
    const app = await play.app();
    expect(app.metadata.annotations?.['argocd.argoproj.io/refresh']).toBeUndefined();
    expect(app.status?.sync?.status, JSON.stringify(app.status?.resources)).toBe('Synced');
  }, 30_000);
}

const once = { ...auto, automated: { prune: true } };
const container = (more: object) => ({
  selector: { matchLabels: { app: 'web' } },
  template: {
    metadata: { labels: { app: 'web' }, creationTimestamp: null },
    spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1', ...more }] },
  },
  replicas: 0,
});

export const diffScenarios: readonly Scenario[] = [
  scenario('defaults of the API server are no difference', async (play) => {
    await play.play([deployment('web', container({ ports: [{ containerPort: 80 }] }))], { syncPolicy: once });
    await staysSynced(play);
  }),
  scenario('quantities in another form are no difference', async (play) => {
    const resources = { requests: { cpu: 0.5, memory: '1024Mi' }, limits: { cpu: '1000m', memory: '2Gi' } };
    await play.play([deployment('web', container({ resources }))], { syncPolicy: once });
    await staysSynced(play);
  }),
  scenario('null and empty are no difference', async (play) => {
    const env = [{ name: 'A', value: '' }, { name: 'B' }];
    const zeros = { stdin: false, readinessProbe: { tcpSocket: { port: 80 }, initialDelaySeconds: 0 } };
    await play.play(
      [
        deployment('web', container({ env, resources: {}, command: null, ...zeros })),
        { ...configMap('a'), binaryData: null },
      ],
      { syncPolicy: once },
    );
    await staysSynced(play);
  }),
  scenario('ports without protocol are no difference', async (play) => {
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's', creationTimestamp: null },
      spec: { ports: [{ port: 80, targetPort: 'http' }], selector: { app: 'web' } },
      status: { loadBalancer: {} },
    };
    await play.play([service], { syncPolicy: once });
    await staysSynced(play);
  }),
  scenario('rules of a role in short form are no difference', async (play) => {
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'r' },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    };
    await play.play([role], { syncPolicy: once });
    await staysSynced(play);
  }),
  scenario('a changed value is a difference', async (play) => {
    await play.play([configMap('a')], { syncPolicy: once });
    await play.synced();
    await play.edit({ spec: { syncPolicy: { automated: null } } });
    await play.push({ 'all.yaml': manifests(configMap('a', '2')) });
    await play.reaches({ sync: 'OutOfSync' });
  }),
  scenario('a key that left the source is removed', async (play) => {
    await play.play([{ ...configMap('a'), data: { key: '1', old: 'x' } }], { syncPolicy: once });
    await play.synced();
    await play.push({ 'all.yaml': manifests(configMap('a')) });
    await play.sees('ConfigMap', 'a', ['data'], { key: '1' });
    await staysSynced(play);
  }),
  scenario('a container that left the source is removed', async (play) => {
    const two = [
      { name: 'main', image: 'registry.example.com/web:1' },
      { name: 'side', image: 'registry.example.com/side:1' },
    ];
    const spec = (containers: object[]) => ({
      replicas: 0,
      template: { metadata: { labels: { app: 'web' } }, spec: { containers } },
    });
    await play.play([deployment('web', spec(two))], { syncPolicy: once });
    await play.synced();
    await play.push({ 'all.yaml': manifests(deployment('web', spec(two.slice(0, 1)))) });
    await eventually(async () => {
      const containers = valueAt(await play.get('Deployment', 'web'), 'spec', 'template', 'spec', 'containers');
      expect(containers).toHaveLength(1);
    }, 30_000);
    await staysSynced(play);
  }),
  scenario('jsonPointers are not compared', async (play) => {
    await play.play([configMap('a')], {
      syncPolicy: once,
      ignoreDifferences: [{ group: '*', kind: '*', jsonPointers: ['/data/key'] }],
    });
    await play.synced();
    await play.patch('ConfigMap', 'a', { data: { key: 'other' } });
    await staysSynced(play);
  }),
  scenario('jq expressions are not compared', async (play) => {
    await play.play([configMap('a')], {
      syncPolicy: once,
      ignoreDifferences: [{ kind: 'ConfigMap', jqPathExpressions: ['.data["key"]'] }],
    });
    await play.synced();
    await play.patch('ConfigMap', 'a', { data: { key: 'other' } });
    await staysSynced(play);
    await play.edit({ spec: { ignoreDifferences: [{ kind: 'Nothing', jqPathExpressions: ['.data[['] }] } });
    await play.condition('ComparisonError', /^Failed to compare desired state to live state: /);
    await play.reaches({ sync: 'Unknown' });
    const rule = {
      kind: 'ConfigMap',
      jqPathExpressions: ['.data.key.deeper'],
      jsonPointers: ['no pointer', '', '/no'],
    };
    await play.edit({ spec: { ignoreDifferences: [rule] } });
    await play.reaches({ sync: 'OutOfSync' });
  }),
  scenario('fields of other managers are not compared when the manager is named', async (play) => {
    await play.play([configMap('a')], {
      syncPolicy: once,
      ignoreDifferences: [{ kind: 'ConfigMap', managedFieldsManagers: ['scaler'] }],
    });
    await play.synced();
    const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace: play.id, name: 'a' };
    await play.stage.client.patch(ref, { data: { key: 'scaled' } }, { type: 'merge', fieldManager: 'scaler' });
    await staysSynced(play);
    await play.stage.client.patch(ref, { data: { key: 'by hand' } }, { type: 'merge', fieldManager: 'hand' });
    await play.reaches({ sync: 'OutOfSync' });
  }),
  scenario('a rule for one name leaves the others compared', async (play) => {
    await play.play([configMap('a'), configMap('b')], {
      syncPolicy: once,
      ignoreDifferences: [{ kind: 'ConfigMap', name: 'a', jsonPointers: ['/data'] }],
    });
    await play.synced();
    await play.patch('ConfigMap', 'b', { data: { key: 'other' } });
    await play.reaches({ sync: 'OutOfSync' });
    expect(await play.resource('ConfigMap', 'a')).toMatchObject({ status: 'Synced' });
  }),
  scenario('RespectIgnoreDifferences does not write ignored fields either', async (play) => {
    const syncOptions = ['CreateNamespace=true', 'RespectIgnoreDifferences=true'];
    await play.play([{ ...configMap('a'), data: { key: '1', other: '1' } }], {
      syncPolicy: { automated: {}, syncOptions },
      ignoreDifferences: [{ kind: 'ConfigMap', jsonPointers: ['/data/key'] }],
    });
    await play.synced();
    await play.patch('ConfigMap', 'a', { data: { key: 'theirs' } });
    const commit = await play.push({ 'all.yaml': manifests({ ...configMap('a'), data: { key: '2', other: '2' } }) });
    await play.syncedTo(commit);
    expect(valueAt(await play.get('ConfigMap', 'a'), 'data')).toEqual({ key: 'theirs', other: '2' });
  }),
  scenario('server-side apply compares its own fields', async (play) => {
    await play.play([deployment('web', container({ ports: [{ containerPort: 80 }] }))], {
      syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true', 'ServerSideApply=true'] },
    });
    await staysSynced(play);
    await play.patch('Deployment', 'web', { spec: { replicas: 1 } });
    await play.reaches({ sync: 'OutOfSync' });
  }),
  scenario('server-side diff by annotation asks the API server', async (play) => {
    const annotations = { 'argocd.argoproj.io/compare-options': 'ServerSideDiff=true' };
    await play.play([configMap('a', '1', { annotations })], { syncPolicy: once });
    await staysSynced(play);
    await play.patch('ConfigMap', 'a', { data: { key: 'other' } });
    await play.reaches({ sync: 'OutOfSync' });
  }),
  scenario('managed resources tell both sides, with Secrets masked', async (play) => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { key: 'canary-value' } };
    await play.play([secret], { syncPolicy: manual });
    await play.reaches({ sync: 'OutOfSync' });
    const { status, body } = await play.stage.api(`/api/v1/applications/${play.id}/managed-resources`);
    expect(status).toBe(200);
    const text = JSON.stringify(body);
    expect(text).not.toContain('canary-value');
    expect(text).not.toContain(Buffer.from('canary-value').toString('base64'));
  }),
];
