import type { KubeObject } from '@fairlead/kube';
import { beforeEach, describe, expect, it } from 'vitest';
import { Bringers } from './bringers.ts';

const tracking = 'argocd.argoproj.io/tracking-id';
const objects = new Map<string, KubeObject>();
const informer = { get: (key: string) => objects.get(key), list: () => [...objects.values()] };
let bringers: Bringers;

function put(
  name: string,
  over: { metadata?: object; repos?: string[]; brings?: [kind: string, name: string][] } = {},
) {
  const { metadata = {}, repos = ['https://git.example/own.git'], brings = [] } = over;
  const object = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd', ...metadata },
    spec: { project: 'default', sources: repos.map((repoURL) => ({ repoURL, path: 'x' })), destination: {} },
    status: {
      resources: brings.map(([kind, brought]) => ({ version: 'v1alpha1', kind, namespace: 'argocd', name: brought })),
    },
  };
  const key = `argoproj.io/Application/argocd/${name}`;
  const old = objects.get(key);
  objects.set(key, object as unknown as KubeObject); // only what the reader of applications reads is there
  return bringers.note(object as unknown as KubeObject, old, false);
}
const repositories = (name: string) => {
  const application = objects.get(`argoproj.io/Application/argocd/${name}`);
  return bringers.repositories(application as never); // it was put there as an application
};
const broughtBy = (name: string) => ({ annotations: { [tracking]: `${name}:argoproj.io/Application:argocd/x` } });
const generatedBy = (name: string) => ({ ownerReferences: [{ kind: 'ApplicationSet', name }] });

beforeEach(() => {
  objects.clear();
  bringers = new Bringers(informer, 'argocd');
});

describe('the repositories that hold the manifest of an application', () => {
  it('are those of the application that brought it, without charts and passwords', () => {
    put('team', { repos: ['https://ana:secret@git.example/b.git', 'https://git.example/a.git'] });
    put('web', { metadata: broughtBy('team') });
    put('other', { metadata: broughtBy('argocd_team') });
    expect(repositories('web')).toEqual(['https://git.example/a.git', 'https://git.example/b.git']);
    expect(repositories('other')).toEqual(repositories('web'));
  });

  it('are none of what nothing in Git brought, or of what is gone', () => {
    put('by-hand');
    put('orphan', { metadata: broughtBy('gone') });
    put('generated', { metadata: generatedBy('by-hand-too') });
    expect(['by-hand', 'orphan', 'generated'].flatMap(repositories)).toEqual([]);
  });

  it('are those that brought the ApplicationSet which generates it', () => {
    put('team', { repos: ['https://git.example/sets.git'], brings: [['ApplicationSet', 'every-cluster']] });
    put('web-eu', { metadata: generatedBy('every-cluster') });
    expect(repositories('web-eu')).toEqual(['https://git.example/sets.git']);
    const started = new Bringers(informer, 'argocd');
    started.begin();
    expect(started.repositories(objects.get('argoproj.io/Application/argocd/web-eu') as never)).toEqual(
      repositories('web-eu'),
    );
  });

  it('have those looked at again that are brought by what moved, and no others', () => {
    put('web', { metadata: broughtBy('team') });
    put('web-eu', { metadata: generatedBy('every-cluster') });
    put('other');
    const brings: [string, string][] = [
      ['Application', 'web'],
      ['ApplicationSet', 'every-cluster'],
    ];
    expect(put('team', { brings })).toEqual(['argocd/web', 'argocd/web-eu']);
    expect(put('team', { brings })).toEqual([]);
    expect(put('team', { brings, repos: ['https://git.example/moved.git'] })).toEqual(['argocd/web', 'argocd/web-eu']);
    const team = objects.get('argoproj.io/Application/argocd/team') as KubeObject;
    objects.delete('argoproj.io/Application/argocd/team');
    expect(bringers.note(team, team, true)).toEqual(['argocd/web', 'argocd/web-eu']);
    expect([repositories('web'), repositories('web-eu')]).toEqual([[], []]);
  });
});
