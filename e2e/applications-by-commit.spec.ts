// The life of an application by command line alone: created by a commit, broken by a push, understood, rolled back by a
// commit, deleted by a commit. Every change is in Git, by the person who made it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { eventually, type Fairlead, type SampleClone } from './harness.ts';
import { test } from './installation.ts';

test.describe.configure({ mode: 'serial' });

let fairlead: Fairlead;
let clone: SampleClone;
let dir: string;

const deployment = (annotations: string) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: qa
spec:
  selector:
    matchLabels: { app: qa }
  template:
    metadata:
      labels: { app: qa }
      annotations: { ${annotations} }
    spec:
      containers:
        - name: qa
          image: example.com/qa:1
`;

function application(path = 'qa'): string {
  const file = join(dir, `${path}.yaml`);
  const text = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: guestbook-qa
  finalizers: [resources-finalizer.argocd.argoproj.io]
spec:
  project: default
  source:
    repoURL: ${fairlead.endpoints.git}/demo/guestbook.git
    path: ${path}
    targetRevision: main
  destination:
    server: https://kubernetes.default.svc
    namespace: guestbook-qa
  syncPolicy:
    automated: { prune: true, selfHeal: true }
    syncOptions: [CreateNamespace=true]
`;
  writeFileSync(file, text);
  return file;
}

const failure = async (...args: string[]): Promise<string> => {
  const error: unknown = await fairlead.run(...args).then(
    () => 'it succeeded',
    (thrown: unknown) => thrown,
  );
  return String((error as { stderr?: string }).stderr ?? error);
};
const lastAuthor = async (repository: string): Promise<string> => {
  const url = `${fairlead.endpoints.git}/${repository}`.replace('://', `://e2e:${fairlead.apiKey}@`);
  await clone.git('fetch', '--quiet', url, 'main');
  return clone.git('log', '-1', '--format=%an: %s', 'FETCH_HEAD');
};

test.beforeAll(async ({ fairlead: shared }) => {
  fairlead = shared;
  clone = await fairlead.clone();
  dir = mkdtempSync(join(tmpdir(), 'fairlead-journey-'));
  mkdirSync(join(clone.dir, 'qa'));
  clone.write('qa/deployment.yaml', deployment(''));
  await clone.push('Add an environment for QA');
});
test.afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('what could not work is refused by field, cause and remedy, before any commit', async () => {
  const said = await failure('app', 'create', '-f', application('nothing'));
  expect(said).toContain('spec.source.path: the repository has no folder nothing');
  expect(said).toContain('→ Give a folder that is there');
  expect(await failure('app', 'create', '-f', join(dir, 'missing.yaml'))).toContain('cannot be read');
  expect(await failure('app', 'create', '-f', application(), '--git-source', 'no')).toContain('there are: demo');
});

test('a dry run shows what would be deployed and where it would be written', async () => {
  const rendered = await fairlead.run('app', 'create', '-f', application(), '--dry-run');
  expect(rendered).toContain('image: example.com/qa:1');
});

test('it is created by a commit of the user and becomes healthy', async () => {
  const said = await fairlead.run('app', 'create', '-f', application(), '--wait');
  expect(said).toMatch(/committed [0-9a-f]{7} to main of .*\/demo\/applications\.git \(guestbook-qa\.yaml\)/);
  expect(said).toContain('guestbook-qa is Healthy and Synced');
  expect(await lastAuthor('demo/applications.git')).toBe('admin: Add application guestbook-qa');
});

test('broken by a push, it says why and shows its logs', async () => {
  clone.write('qa/deployment.yaml', deployment('fairlead.io/simulate: crash-loop'));
  await clone.push('Break it');
  const why = await eventually(
    'the explanation',
    () => fairlead.run('app', 'why', 'guestbook-qa'),
    (words) => words.includes('crash'),
  );
  expect(why).toContain('Pod qa-');
  expect(await fairlead.run('app', 'logs', 'guestbook-qa', '--tail', '5')).toContain('starting qa from image');
  expect(await fairlead.run('app', 'events', 'guestbook-qa', '--resource', 'Deployment/qa')).toContain('ReplicaSet');
});

test('it goes back by a commit of the user, with auto-sync on', async () => {
  const said = await fairlead.run('app', 'rollback', 'guestbook-qa', '--wait');
  expect(said).toContain('changed qa/deployment.yaml');
  expect(said).toContain('guestbook-qa is Healthy');
  expect(await lastAuthor('demo/guestbook.git')).toMatch(/^admin: Roll back guestbook-qa to [0-9a-f]{7}$/);
  expect(await failure('app', 'rollback', 'guestbook-qa', '99')).toContain('not in the history');
  expect(await fairlead.run('app', 'refresh', 'guestbook-qa', '--hard')).toContain('guestbook-qa');
  const synced = await fairlead.run('app', 'sync', 'guestbook-qa', '--resource', 'Deployment/qa');
  expect(synced).toMatch(/Succeeded: .*; Synced, /);
});

test('it is deleted by a commit, after it was said what goes', async () => {
  expect(await failure('app', 'delete', 'guestbook-qa')).toContain('say --yes');
  const said = await fairlead.run('app', 'delete', 'guestbook-qa', '--yes', '--wait');
  expect(said).toContain('Deployment guestbook-qa/qa');
  expect(said).toContain('guestbook-qa is gone');
  expect(await lastAuthor('demo/applications.git')).toBe('admin: Delete application guestbook-qa');
  expect(await failure('app', 'edit', 'guestbook-dev')).toContain('give the new file with -f');
});
