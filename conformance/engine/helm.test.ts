// A Helm chart the way of a change: values, release name and namespace reach the templates; hooks run; values change.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exec } from '@fairlead/base';
import { WorkingCopy } from '@fairlead/git';
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

  it('comes from a chart repository too: the highest version in the range, with its version as the revision', async () => {
    const archives = await mkdtemp(join(tmpdir(), 'fairlead-chart-repository-'));
    const copy = await WorkingCopy.init(join(archives, 'chart'));
    await copy.write(chart);
    await exec('tar', ['-czf', join(archives, 'web-1.0.0.tgz'), '-C', copy.dir, 'web']);
    const archive = await readFile(join(archives, 'web-1.0.0.tgz'));
    const index = 'apiVersion: v1\nentries:\n  web:\n  - version: 1.0.0\n    urls: [web-1.0.0.tgz]\n';
    const server = createServer((request, response) => {
      response.end(request.url === '/index.yaml' ? index : archive);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // a listening TCP server has one
    try {
      await world.application('from-registry', {
        project: 'default',
        source: { repoURL: `http://127.0.0.1:${port}`, chart: 'web', targetRevision: '1.*' },
        destination: { server: 'https://kubernetes.default.svc', namespace: 'from-registry' },
        syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'] },
      });
      await eventually(async () => {
        const sync = { status: 'Synced', revision: '1.0.0' };
        expect((await world.app('from-registry')).status).toMatchObject({ sync, sourceType: 'Helm' });
      });
      const live = await world.get({ ...settings, namespace: 'from-registry', name: 'from-registry-settings' });
      expect(stringAt(live, 'data', 'greeting')).toBe('HELLO');
    } finally {
      server.closeAllConnections();
      server.close();
      await rm(archives, { recursive: true });
    }
  });
});
