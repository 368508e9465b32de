// A Helm chart the way of a change: values, release name and namespace reach the templates; hooks run; values change.
import { stringAt } from '@fairlead/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Repository, startWorld, type World } from './world.ts';

let world: World;
let repo: Repository;

beforeAll(async () => {
  world = await startWorld();
  repo = await world.repository('demo/charts');
}, 60_000);
afterAll(() => world.stop());

const chart = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\nappVersion: "7"\n',
  'web/values.yaml': 'greeting: hello\n',
  'web/templates/_helpers.tpl': '{{- define "web.name" -}}{{ .Release.Name }}-settings{{- end -}}\n',
  'web/templates/settings.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "web.name" . }}
  namespace: {{ .Release.Namespace }}
data:
  greeting: {{ .Values.greeting | upper | quote }}
  version: {{ .Chart.AppVersion | quote }}
`,
};

const settings = { group: '', version: 'v1', kind: 'ConfigMap', namespace: 'web-prod', name: 'web-prod-settings' };

describe('a Helm chart', () => {
  it('is rendered for its application and destination, and follows its values', async () => {
    await repo.push(chart);
    await world.application('web-prod', {
      project: 'default',
      source: {
        repoURL: repo.url,
        path: 'web',
        targetRevision: 'main',
        helm: { parameters: [{ name: 'greeting', value: 'ahoy' }] },
      },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'web-prod' },
      syncPolicy: { automated: { prune: true }, syncOptions: ['CreateNamespace=true'] },
    });
    await eventually(async () => {
      const live = await world.get(settings);
      expect(stringAt(live, 'data', 'greeting')).toBe('AHOY');
      expect(stringAt(live, 'data', 'version')).toBe('7');
      expect((await world.app('web-prod')).status).toMatchObject({ sync: { status: 'Synced' }, sourceType: 'Helm' });
    });
  });

  it('tells file and line of a template that fails, and leaves what is deployed', async () => {
    await repo.push({ 'web/templates/broken.yaml': 'a: {{ required "port is needed" .Values.port }}\n' });
    await eventually(async () => {
      const conditions = (await world.app('web-prod')).status?.conditions ?? [];
      expect(conditions.map(({ message }) => message).join()).toMatch(/broken\.yaml:1.*port is needed/);
    });
    expect(await world.get(settings)).toBeDefined();
  });

  it('refuses chart repositories by name until it can read them', async () => {
    await world.application('from-registry', {
      project: 'default',
      source: { repoURL: 'https://charts.example.com', chart: 'web', targetRevision: '1.0.0' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'web-prod' },
    });
    await eventually(async () => {
      const conditions = (await world.app('from-registry')).status?.conditions ?? [];
      expect(conditions[0]?.message).toContain('source.chart: Helm repositories are not supported yet');
    });
  });
});
